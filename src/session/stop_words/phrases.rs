//! The phrases by which users ask an agent to stop, in plain form: lower case, no accents, no apostrophes.

mod east;
mod far;
mod west;

/// The phrases of one language.
#[derive(Clone, Copy)]
pub(super) struct Language {
    /// Phrases that are a stop by themselves.
    pub(super) stop: &'static [&'static str],
    /// Filler words that may precede or follow a stop.
    pub(super) around: &'static [&'static str],
}

/// Phrases that are a stop only if the message says nothing else. With more text they withdraw the last request and make a new
/// request.
pub(super) const WHOLE: &[&str] = &[
    "never mind", "nevermind", "forget it", "forget about it", "drop it", "exit", "vergiss es", "egal", "olvidalo",
    "算了",
];

/// Phrases that, before a comma, only open a sentence: `wait, the test is wrong`.
pub(super) const OPENERS: &[&str] = &[
    "wait", "hold on", "hang on", "hold up", "hold", "pause", "enough", "leave it", "cancel", "quit", "my turn",
    "warte", "wart", "moment", "einen moment", "genug", "lass es", "lass das", "attends", "attendez", "un instant",
    "un moment", "une minute", "assez", "laisse", "espera", "espere", "un momento", "suficiente", "dejalo", "aguarde",
    "um momento", "deixa", "aspetta", "aspetti", "un attimo", "wacht", "genoeg", "laat maar", "czekaj", "poczekaj",
    "zaczekaj", "chwila", "подожди", "подождите", "погоди", "минуту", "секунду", "оставь", "зачекай", "почекай",
    "чекай", "залиш", "bekle", "bir dakika", "bir saniye", "birak", "等等", "等一下", "等一等", "等下", "待って", "まって", "ちょっと待って",
    "잠깐", "잠깐만", "잠깐만요", "잠시만", "기다려",
];

/// Names of buttons. A list of buttons that begins with `stop` continues with such names.
pub(super) const CONTROLS: &[&str] = &[
    "start", "pause", "play", "resume", "restart", "continue", "go", "next", "previous", "prev", "back", "rewind",
    "record", "skip", "run", "cancel", "abort", "drop", "ready", "weiter", "lecture", "reprendre", "pausa",
    "reproducir", "continuar", "пуск", "старт", "пауза", "开始", "播放", "暂停", "再生", "시작", "재생",
];

/// Phrases that users write in every language.
pub(super) const COMMON: Language = Language {
    stop: &["stop", "stopp", "pause", "pausa", "pauza"],
    around: &["ok", "okay", "please", "thanks", "claude", "codex", "gemini", "agent"],
};

/// Words for `no` that may precede a stop if a comma follows. Without the comma, the word may negate the phrase.
pub(super) const NOES: &[&str] = &[
    "no", "nein", "nee", "non", "nao", "nie", "ne", "nem", "ei", "nej", "nei", "nu", "нет", "ні", "hayir", "οχι", "不", "不行",
    "いや", "いいえ", "아니", "아니요", "لا", "नहीं", "khong", "tidak",
];

/// All supported languages.
pub(super) const LANGUAGES: [Language; 24] = [
    west::ENGLISH, west::GERMAN, west::FRENCH, west::SPANISH, west::PORTUGUESE, west::ITALIAN, west::DUTCH,
    west::SCANDINAVIAN, east::FINNISH, east::POLISH, east::CZECH, east::HUNGARIAN, east::ROMANIAN, east::RUSSIAN,
    east::UKRAINIAN, east::GREEK, east::TURKISH, far::CHINESE, far::JAPANESE, far::KOREAN, far::VIETNAMESE,
    far::INDONESIAN, far::ARABIC, far::HINDI,
];
