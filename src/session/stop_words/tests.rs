//! Tests of which messages are a stop.

use super::phrases::{COMMON, CONTROLS, LANGUAGES, Language, OPENERS, WHOLE};
use super::{eats, plain, says_stop};

const STOPS: &[&str] = &[
    // English
    "stop",
    "Stop!",
    "  please stop.",
    "STOP. Explain why you deleted the cache.",
    "STOP — that is the wrong branch",
    "Stop, I want to look first",
    "No! Stop! You are deleting my work.",
    "ok stop",
    "no, stop",
    "wait, stop",
    "WAIT",
    "Wait. I need to check something with the team before we go on.",
    "hold",
    "hold on",
    "Hold off for now.",
    "stop for now",
    "stop the loop",
    "let's stop for today",
    "Can we stop here?",
    "stop working",
    "Please stop and wait for me",
    "stop right there",
    "Stop what you're doing.",
    "that's enough for today",
    "thank you, that's enough",
    "That's all for now.",
    "Thanks, that's all!",
    "no more",
    "quit",
    "never mind",
    "I'll take over",
    "Looks good so far, but the next part is tricky. I’ll take it from here.",
    "let me do it myself",
    "don't do anything else",
    "Don’t continue.",
    "Do not proceed until I say so.",
    "Rename the flag to --dry-run. Don't change anything else.",
    "leave it for now",
    "Leave it at that, thanks.",
    "The tests are green, which is what I wanted to see today. Let's call it a day.",
    "I changed my mind about the whole approach\nstop",
    "halt\n\nthe deployment failed and I have to look at it first",
    // German
    "Stopp!",
    "Hör auf",
    "hoer auf",
    "Bitte hör jetzt auf.",
    "Halt, das ist der falsche Branch",
    "Stopp. Warum hast du die Tests gelöscht?",
    "Das reicht für heute, danke.",
    "Lass gut sein",
    "Ich übernehme ab hier.",
    "Mach nichts mehr",
    // French
    "Arrête !",
    "Arrête-toi, s'il te plaît.",
    "Ça suffit pour aujourd’hui",
    "Je prends le relais.",
    "Ne fais rien d'autre.",
    "C'est tout pour l'instant, merci.",
    // Spanish
    "¡Para!",
    "Detente, por favor",
    "Ya basta",
    "Déjalo así por ahora.",
    "No hagas nada más.",
    "Yo me encargo.",
    // Portuguese
    "Pare agora",
    "Não faça mais nada.",
    "Deixa assim por enquanto",
    "Chega por hoje, obrigado!",
    // Italian
    "Fermati",
    "Basta così, grazie",
    "Ci penso io.",
    "Lascia stare per ora",
    // Dutch
    "Hou op",
    "Stop maar even",
    "Ik neem het over.",
    "Laat het hierbij",
    // Polish
    "Przestań!",
    "Zatrzymaj się, proszę",
    "Wystarczy na dziś.",
    "Nic więcej nie rób.",
    // Russian
    "стоп",
    "Остановись, пожалуйста.",
    "Хватит! Ты удалил не тот файл.",
    "Дальше я сам",
    "Больше ничего не делай.",
    // Ukrainian
    "Зупинись, будь ласка",
    "Досить на сьогодні.",
    "Нічого більше не роби",
    // Turkish
    "Dur!",
    "Yeter artık, teşekkürler",
    "DEVAM ETME",
    "Şimdilik bırak.",
    // Chinese
    "停",
    "停。",
    "先停一下",
    "请停下来！我想先看看。",
    "别继续了",
    "今天就到这里吧，谢谢",
    "剩下的我来做",
    // Japanese
    "ストップ！",
    "ちょっと待ってください。",
    "もうやめてください",
    "今日はここまで。",
    "あとは私がやります",
    // Korean
    "그만!",
    "멈춰 주세요",
    "이제 그만해",
    "나머지는 제가 할게요.",
    "더 이상 아무것도 하지 마",
    // More
    "Sluta nu, tack",
    "Jeg tager over herfra",
    "Lopeta heti!",
    "Zastav se, prosím.",
    "Hagyd abba most",
    "Oprește-te acum, te rog",
    "Σταμάτα τώρα",
    "توقف الآن من فضلك",
    "अभी रुको।",
    "Dừng lại ngay!",
    "Tolong berhenti dulu",
];

const OTHERS: &[&str] = &[
    // English
    "",
    "no",
    "thanks",
    "go on",
    "ok, great!",
    "Stop using mocks in these tests",
    "Stop using mocks in these tests.",
    "Please stop using `unwrap` in the parser.",
    "add a button to stop it",
    "replace the stop button",
    "rename the stop",
    "add a stopwatch",
    "don't stop",
    "do not ever stop",
    "Never stop.",
    "it must not wait",
    "Make the server stop when it gets SIGTERM",
    "The worker does not stop. Find out why.",
    "Could you stop the dev server?",
    "stop the container before you start the migration",
    "Stop words are dropped by the tokenizer",
    "stop: the service must end within 5 s",
    "Stop, pause and play buttons need icons",
    "Add these buttons:\n- play\n- pause\n- stop",
    "Add these buttons:\nplay\npause\nstop",
    "Commands:\n1. start\n2. stop",
    "The log says\n```\nstarting\nstop\n```",
    "> stop\nThat is what I said an hour ago, go on now.",
    "wait for the CI to finish",
    "Wait, the test in cache.rs is wrong: fix that first",
    "hold on, use tabs instead of spaces",
    "hold the lock while you write",
    "pause the video when the tab is hidden",
    "cancel the request after 5 seconds",
    "abort the transaction on error",
    "enough tests for the parser, now the printer",
    "Is 4 GB enough?",
    "Good enough. Now do the next goal.",
    "That's it! Now the next one.",
    "leave it to the garbage collector",
    "I'll take over the review of the parser, you do the printer",
    "no more than 80 columns",
    "no more mocks",
    "quit with exit code 2 on bad input",
    "use the halt instruction",
    "Never mind, use the old API",
    "I got this:\n```\nerror: expected `;`\n```",
    "Don't change anything else in the lexer than the table",
    "Write a function that_stops.",
    "stop_words.rs needs a table",
    "/goal stop the flaky tests",
    "Add a test that a loop can\nstop early and\nresume",
    // German
    "Füge einen Stopp-Knopf hinzu",
    "Hör nicht auf",
    "Hör auf die Events und schreibe sie ins Log",
    "Halt die Verbindung offen",
    "Der Dienst darf nicht warten.",
    "Lass es uns mit Redis versuchen",
    "Mach weiter",
    // French
    "Arrête d'utiliser des mocks dans ces tests",
    "Ajoute un bouton pour arrêter",
    "N'arrête pas",
    "Attends la fin de la CI avant de publier",
    "Continue",
    // Spanish
    "Para el servidor antes de migrar",
    "Para cada archivo, añade una prueba",
    "No pares",
    "Añade un botón de parar",
    "Deja de usar mocks",
    "Espera 5 segundos entre reintentos",
    // Portuguese
    "Pare de usar mocks nesses testes",
    "Para cada teste, crie um fixture",
    "Não pare",
    "Adicione um botão de parar",
    // Italian
    "Smetti di usare i mock in questi test",
    "Aggiungi un pulsante per fermare il timer",
    "Non fermarti",
    "Basta aggiungere una riga al file",
    // Dutch
    "Stop met het gebruiken van mocks",
    "Voeg een stopknop toe",
    "Niet stoppen",
    "Wacht tot de build klaar is",
    // Polish
    "Przestań używać mocków w tych testach",
    "Dodaj przycisk stop",
    "Nie przestawaj",
    "Poczekaj na CI",
    // Russian
    "Перестань использовать моки в тестах",
    "Добавь кнопку стоп",
    "Не останавливайся",
    "Останови сервер перед миграцией",
    "Подожди, тест неправильный, исправь его",
    // Ukrainian
    "Додай кнопку стоп",
    "Не зупиняйся",
    "Зачекай на CI",
    // Turkish
    "Bir durdurma düğmesi ekle",
    "Durma",
    "Sunucuyu durdur",
    // Chinese
    "添加一个停止按钮",
    "不要停",
    "停止使用模拟对象",
    "等一下测试跑完再提交",
    "不停",
    // Japanese
    "停止ボタンを追加して",
    "止めないで",
    "待ってから実行する",
    "モックを使うのをやめて",
    // Korean
    "중지 버튼을 추가해",
    "멈추지 마",
    "목을 그만 써",
    "서버를 멈춰야 하는 경우를 처리해",
    // More
    "Lägg till en stoppknapp",
    "Lisää pysäytysnappi",
    "Nepřestávej",
    "أضف زر توقف",
    "Đừng dừng lại",
    "Jangan berhenti",
];

// INJECTION §4
#[test]
fn a_stop_is_heard_in_the_words_that_people_use() {
    let missed: Vec<_> = STOPS.iter().filter(|text| !says_stop(text)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

// INJECTION §4: `stop using mocks` is not a stop
#[test]
fn an_instruction_that_holds_the_word_is_no_stop() {
    let wrong: Vec<_> = OTHERS.iter().filter(|text| says_stop(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_tables_hold_what_they_promise() {
    assert!(STOPS.len() >= 80 && OTHERS.len() >= 80, "{} {}", STOPS.len(), OTHERS.len());
    assert!(LANGUAGES.len() >= 14);
}

// A message of any length
#[test]
fn each_phrase_is_a_stop_at_either_end_of_a_long_message() {
    let long = "The parser reads the whole file before it looks at the first line of it. ".repeat(10);
    for phrase in LANGUAGES.iter().flat_map(|language| language.stop) {
        for text in [format!("{phrase}. {long}"), format!("{long}{phrase}!"), format!("{long}\n\n{phrase}")] {
            assert!(says_stop(&text), "{phrase}");
        }
        assert!(!says_stop(&format!("Write `{phrase}` on the button that {phrase} has")), "{phrase}");
    }
}

// A phrase that consists of other phrases and filler words is redundant: the shorter list is easier to read.
#[test]
fn no_phrase_is_made_of_others() {
    let mut dead = Vec::new();
    for language in &LANGUAGES {
        for phrase in language.stop {
            let others: Vec<&str> = language.stop.iter().copied().filter(|other| other != phrase).collect();
            if eats(phrase, &[&others, COMMON.stop], language, false) {
                dead.push(*phrase);
            }
        }
    }
    assert!(dead.is_empty(), "{dead:?}");
}

// A phrase that is not in plain form never matches.
#[test]
fn each_phrase_stands_in_its_plain_form() {
    let of = |language: &Language| [language.stop, language.around].concat();
    let all: Vec<&str> = LANGUAGES.iter().flat_map(of).chain([WHOLE, OPENERS, CONTROLS].concat()).collect();
    let wrong: Vec<_> = all.iter().filter(|phrase| plain(phrase) != **phrase).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

// A hook has only a few milliseconds.
#[test]
fn a_hostile_message_costs_no_more_than_its_length() {
    for text in ["stop it ".repeat(100_000), "stop\n".repeat(100_000), "no, ".repeat(100_000), "停止".repeat(100_000)]
    {
        let start = std::time::Instant::now();
        says_stop(&text);
        assert!(start.elapsed().as_secs() < 5, "{}", &text[..8]);
    }
}

// `é` is a filler word (Portuguese, Italian); each of these took hours.
#[test]
fn filler_words_without_end_are_not_all_looked_at() {
    let (one, each) = ("今すぐ".repeat(26), "é。".repeat(1_000_000));
    for text in [&format!("{one}犬"), &each, &format!("犬。{each}"), &format!("{each}犬")] {
        assert!(!says_stop(text));
    }
    assert!(says_stop(&format!("{one}停止")) == says_stop("今すぐ停止") && says_stop("é。é。é。stop"));
}
