//! The languages of Eastern Europe, Greek, Turkish, Finnish.

use super::Language;

pub(super) const POLISH: Language = Language {
    stop: &[
        "moment", "stoj", "zatrzymaj sie", "zatrzymaj", "przestan", "przestancie", "przerwij", "przerwij prace",
        "wystarczy", "dosc", "dosyc", "starczy", "czekaj", "poczekaj", "zaczekaj", "chwila", "chwileczke",
        "nie kontynuuj", "nie idz dalej", "nie rob nic", "nic nie rob", "nie rob nic wiecej", "nic wiecej nie rob",
        "nie rob juz nic", "nic juz nie rob", "niczego nie dotykaj", "nie dotykaj niczego", "nie zmieniaj niczego",
        "niczego nie zmieniaj", "nic nie zmieniaj", "nic wiecej nie zmieniaj", "zostaw", "zostaw to", "zostaw tak",
        "zostaw jak jest", "zostaw tak jak jest", "przejmuje", "ja przejmuje", "ja to przejmuje", "przejmuje to",
        "dokoncze sam", "sam dokoncze", "sama dokoncze", "dokoncze sama", "dalej zrobie sam", "reszte zrobie sam",
        "reszte zrobie sama", "to wszystko", "to tyle", "anuluj", "koniec", "koniec pracy", "przerwa",
    ],
    around: &[
        "prosze", "teraz", "juz", "tu", "tutaj", "na razie", "na dzis", "na dzisiaj", "na teraz", "dzieki",
        "dziekuje", "dobra", "dobrze", "natychmiast", "od razu", "wszystko", "mozesz", "stad", "i",
    ],
};

pub(super) const RUSSIAN: Language = Language {
    stop: &[
        "стоп", "стой", "стойте", "остановись", "остановитесь", "остановите", "останови", "остановить", "остановимся",
        "прекрати", "прекратите", "прекращай", "перестань", "перестаньте", "хватит", "довольно", "достаточно",
        "подожди", "подождите", "погоди", "погодите", "жди", "минуту", "секунду", "пауза", "не продолжай",
        "не продолжайте", "дальше не надо", "не надо дальше", "ничего не делай", "ничего больше не делай",
        "больше ничего не делай", "ничего не делайте", "больше ничего не делайте", "ничего не трогай",
        "ничего больше не трогай", "больше ничего не трогай", "ничего не меняй", "больше ничего не меняй",
        "ничего больше не меняй", "оставь", "оставь как есть", "оставь это", "дальше я сам", "дальше я сама",
        "дальше сам", "дальше сама", "я сам", "я сама", "я сам доделаю", "я сама доделаю", "доделаю сам",
        "остальное я сам", "остальное сделаю сам", "я продолжу сам", "я продолжу сама", "я возьму это на себя",
        "я займусь этим", "я займусь остальным", "на этом все", "это все", "все на сегодня", "на сегодня все",
        "отмена", "отбой", "закончили", "заканчивай", "замри", "брось",
    ],
    around: &[
        "пожалуйста", "сейчас", "сейчас же", "немедленно", "тут", "здесь", "там", "пока", "пока что", "на сегодня",
        "на сейчас", "спасибо", "нет", "ок", "окей", "хорошо", "так", "ну", "а", "и", "все", "уже", "давай", "можешь",
        "работу",
    ],
};

pub(super) const UKRAINIAN: Language = Language {
    stop: &[
        "стоп", "перестань", "пауза", "стій", "стійте", "зупинись", "зупиніться", "зупини", "зупини все", "припини",
        "припиніть", "досить", "годі", "вистачить", "зачекай", "зачекайте", "почекай", "чекай", "хвилинку",
        "не продовжуй", "не продовжуйте", "нічого не роби", "більше нічого не роби", "нічого більше не роби",
        "нічого не чіпай", "більше нічого не чіпай", "нічого не змінюй", "більше нічого не змінюй", "залиш",
        "залиш як є", "залиш так", "далі я сам", "далі я сама", "решту зроблю сам", "решту зроблю сама",
        "я візьму це на себе", "я продовжу сам", "я продовжу сама", "це все", "на сьогодні все", "на цьому все",
        "скасуй", "скасувати", "відбій",
    ],
    around: &[
        "будь ласка", "зараз", "негайно", "тут", "поки", "поки що", "на сьогодні", "дякую", "ні", "добре", "гаразд",
        "і", "вже", "роботу",
    ],
};

pub(super) const CZECH: Language = Language {
    stop: &[
        "moment", "stuj", "zastav", "zastav se", "zastavte", "prestan", "prestante", "dost", "staci", "to staci",
        "pockej", "pockejte", "nepokracuj", "nic nedelej", "nic dalsiho nedelej", "nic jineho nedelej",
        "na nic nesahej", "nic nemen", "nech to", "nech to byt", "nech to tak", "prevezmu to", "ja to prevezmu",
        "zbytek udelam sam", "zbytek udelam sama", "udelam to sam", "to je vse", "to je vsechno", "zrus to",
        "prerus to", "zastav praci",
    ],
    around: &[
        "prosim", "ted", "hned", "okamzite", "tady", "zatim", "pro dnesek", "diky", "dekuji", "ne", "uz", "odsud",
        "vsechno",
    ],
};

pub(super) const HUNGARIAN: Language = Language {
    stop: &[
        "allj", "allj meg", "alljon meg", "hagyd abba", "eleg", "eleg volt", "varj", "ne folytasd",
        "ne csinalj semmit", "ne csinalj tobbet", "ne csinalj mast", "ne csinalj semmi mast", "ne nyulj semmihez",
        "ne valtoztass semmit", "hagyd", "hagyd igy", "hagyd ugy", "atveszem", "innen atveszem",
        "innentol en csinalom", "a tobbit en csinalom", "ennyi", "ez minden", "szunet", "megse",
    ],
    around: &[
        "kerlek", "most", "azonnal", "itt", "egyelore", "mara", "koszonom", "koszi", "jo", "rendben",
    ],
};

pub(super) const ROMANIAN: Language = Language {
    stop: &[
        "opreste", "opreste te", "opriti va", "opreste tot", "ajunge", "destul", "asteapta", "nu continua",
        "nu mai continua", "nu face nimic", "nu mai face nimic", "nu face nimic altceva", "nu atinge nimic",
        "nu schimba nimic", "nu mai schimba nimic", "lasa asa", "las o asa", "lasa", "preiau eu", "preiau de aici",
        "ma ocup eu", "continui eu", "restul il fac eu", "asta e tot", "atat", "anuleaza",
    ],
    around: &[
        "te rog", "va rog", "acum", "imediat", "aici", "deocamdata", "pentru azi", "multumesc", "mersi", "bine",
        "de aici",
    ],
};

pub(super) const FINNISH: Language = Language {
    stop: &[
        "seis", "lopeta", "lopettakaa", "pysahdy", "odota", "riittaa", "se riittaa", "ala jatka", "ala tee mitaan",
        "ala tee enempaa", "ala tee muuta", "ala koske mihinkaan", "jata se", "jata se siihen", "jata nain",
        "mina jatkan", "jatkan itse", "mina hoidan loput", "teen loput itse", "siina kaikki", "tauko", "keskeyta",
        "peruuta",
    ],
    around: &[
        "kiitos", "nyt", "heti", "tahan", "talla eraa", "talle paivalle", "ole hyva", "tasta",
    ],
};

pub(super) const GREEK: Language = Language {
    stop: &[
        "σταματα", "σταματηστε", "σταματησε", "στοπ", "φτανει", "αρκετα", "αρκει", "περιμενε", "μη συνεχισεις",
        "μην συνεχισεις", "μη συνεχιζεις", "μην κανεις τιποτα", "μην κανεις τιποτα αλλο", "μην αγγιξεις τιποτα",
        "μην αλλαξεις τιποτα", "ασε το", "αστο", "αστο ετσι", "ασε το ετσι", "αναλαμβανω εγω", "συνεχιζω εγω",
        "τα υπολοιπα θα τα κανω εγω", "αυτα ειναι ολα", "αυτο ειναι ολο", "παυση", "ακυρο", "διακοπη",
    ],
    around: &[
        "παρακαλω", "τωρα", "αμεσως", "εδω", "εκει", "προς το παρον", "για σημερα", "ευχαριστω", "οχι", "ενταξει",
        "απο εδω",
    ],
};

pub(super) const TURKISH: Language = Language {
    stop: &[
        "dur", "durun", "durdur", "durdurun", "yeter", "bu kadar", "bekle", "bekleyin", "bir dakika", "bir saniye",
        "devam etme", "devam etmeyin", "hicbir sey yapma", "baska bir sey yapma", "baska hicbir sey yapma",
        "hicbir seye dokunma", "baska bir seye dokunma", "hicbir seyi degistirme", "baska bir sey degistirme", "birak",
        "oyle birak", "boyle birak", "oldugu gibi birak", "ben devraliyorum", "devraliyorum", "ben devam ederim",
        "ben devam edecegim", "gerisini ben yaparim", "gerisini ben yapacagim", "gerisi bende", "hepsi bu",
        "hepsi bu kadar", "iptal", "iptal et", "kes", "kes sunu", "ara ver", "mola",
    ],
    around: &[
        "lutfen", "simdi", "hemen", "burada", "simdilik", "bugunluk", "tesekkurler", "tesekkur ederim", "sagol",
        "hayir", "tamam", "artik", "orada", "ve", "su an", "su anda", "buradan", "isi",
    ],
};
