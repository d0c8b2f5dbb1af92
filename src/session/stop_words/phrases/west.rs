//! English and the languages of Western and Northern Europe.

use super::Language;

pub(super) const ENGLISH: Language = Language {
    stop: &[
        "stop this", "stop there", "stop all", "stop all work", "stop work", "stop coding", "stop editing",
        "stop doing that", "stop doing this", "stop what you are doing", "stop what youre doing", "stop the loop",
        "stop the agent", "stop the work", "halt", "cease", "freeze", "stand down", "hold", "hold on", "hold off",
        "hold up", "hang on", "wait", "enough", "thats enough", "that is enough", "thats all", "that is all",
        "that will be all", "thatll be all", "thats it for now", "thats it for today", "no more", "no more changes",
        "no further changes", "no more work", "no more edits", "dont continue", "do not continue", "dont go on",
        "do not go on", "dont go any further", "do not go any further", "dont proceed", "do not proceed",
        "dont keep going", "do not keep going", "dont do anything", "do not do anything", "dont do anything else",
        "do not do anything else", "dont do anything more", "do not do anything more", "dont do any more",
        "do not do any more", "do nothing", "do nothing else", "do nothing more", "dont touch anything",
        "do not touch anything", "dont touch anything else", "do not touch anything else", "dont change anything",
        "do not change anything", "dont change anything else", "do not change anything else",
        "dont change anything more", "dont edit anything", "do not edit anything", "dont write anything", "leave it",
        "leave it there", "leave it alone", "leave it at that", "leave it as it is", "leave it as is", "leave it be",
        "leave it like that", "leave it like this", "leave everything as it is", "quit", "cut it out", "knock it off",
        "back off", "ill take over", "i will take over", "im taking over", "i am taking over", "ill take it from here",
        "i will take it from here", "ill do it myself", "i will do it myself", "ill do the rest",
        "ill do the rest myself", "i will do the rest", "i will do the rest myself", "ill finish it myself",
        "ill finish this myself", "ill finish the rest", "ill handle it", "ill handle the rest", "ill handle this",
        "ill continue myself", "ill take care of it", "ill take care of the rest", "let me take over", "let me do it",
        "let me do it myself", "let me handle it", "let me handle this", "let me take it from here",
        "ive got it from here", "i got it from here", "my turn", "were done here", "were done for now",
        "were done for today", "we are done here", "we are done for now", "we are done for today", "you can stop",
        "you may stop", "you should stop", "you need to stop", "time to stop", "i want you to stop",
        "i need you to stop", "i told you to stop", "call it a day", "call it a night", "take a break", "abort",
        "cancel", "abort mission",
    ],
    around: &[
        "pls", "plz", "thank you", "thx", "no", "nope", "hey", "now", "here", "right here", "right there", "just",
        "so", "and", "then", "well", "alright", "all right", "great", "cool", "perfect", "sorry", "actually", "oh",
        "oops", "whoa", "lets", "let us", "we", "should", "can we", "could we", "can you", "could you", "would you",
        "will you", "i said", "i think", "for now", "for today", "for tonight", "for the moment",
        "for the time being", "for a moment", "for a second", "for a sec", "for a minute", "for a bit", "for me",
        "a moment", "a second", "a sec", "a minute", "a bit", "today", "tonight", "immediately", "at once",
        "right now", "right away", "already", "everything", "it", "that", "working", "until i say so",
        "until i tell you", "until i am back", "until im back", "until i get back", "until i come back",
        "until further notice", "until tomorrow", "till tomorrow", "and wait", "from here", "again", "guys", "man",
        "dude",
    ],
};

pub(super) const GERMAN: Language = Language {
    stop: &[
        "halt", "halt an", "anhalten", "hor auf", "hoer auf", "hor sofort auf", "hor bitte auf", "hor jetzt auf",
        "hor mal auf", "hort auf", "horen sie auf", "aufhoren", "aufhoeren", "schluss", "es reicht", "das reicht",
        "reicht", "das genugt", "genug", "warte", "wart", "warten sie", "moment", "einen moment", "mach nicht weiter",
        "machen sie nicht weiter", "nicht weiter", "nicht weitermachen", "nicht fortfahren", "mach nichts mehr",
        "mach nichts weiter", "mach sonst nichts", "mach nichts anderes", "tu nichts", "tu nichts mehr",
        "tu sonst nichts", "nichts mehr machen", "nichts mehr andern", "ander nichts mehr", "andere nichts mehr",
        "andere sonst nichts", "fass nichts an", "fass nichts mehr an", "lass es", "lass gut sein", "lass es gut sein",
        "lass es so", "lass es dabei", "lass das", "lass sein", "lass es sein", "ich ubernehme", "ich uebernehme",
        "ich ubernehme ab hier", "ab hier ubernehme ich", "ich mache weiter", "ich mach weiter",
        "ich mache selbst weiter", "ich mache allein weiter", "ich mache den rest", "ich mache den rest selbst",
        "ich mach den rest", "den rest mache ich", "den rest mache ich selbst", "ich mach das selbst",
        "ich mache das selbst", "ich mache es selbst", "das wars", "das war alles", "das ist alles", "das ware alles",
        "mehr nicht", "mach pause", "mach eine pause", "machen wir schluss", "wir machen schluss", "feierabend",
        "abbrechen", "brich ab", "brich das ab", "abbruch", "aus", "finger weg",
    ],
    around: &[
        "bitte", "jetzt", "sofort", "mal", "erst mal", "erstmal", "hier", "da", "danke", "nein", "nee", "doch",
        "endlich", "fur heute", "fur jetzt", "furs erste", "fuers erste", "im moment", "kurz", "also", "und", "dann",
        "komm", "lass uns", "damit", "vorerst", "einfach", "alles", "kannst du", "konntest du", "du kannst",
        "bis ich wieder da bin", "und warte",
    ],
};

pub(super) const FRENCH: Language = Language {
    stop: &[
        "arrete", "arretez", "arrete toi", "arretez vous", "arrete tout", "arretez tout", "arretons", "arretons nous",
        "on arrete", "on sarrete", "arrete ca", "arrete de travailler", "halte", "stoppe", "stoppez", "ca suffit",
        "cela suffit", "cest assez", "cest suffisant", "assez", "suffit", "attends", "attendez", "une minute",
        "un instant", "un moment", "fais une pause", "ne continue pas", "ne continuez pas", "ne fais rien",
        "ne fais plus rien", "ne fais rien dautre", "ne faites rien dautre", "ne faites plus rien",
        "ne touche a rien", "ne touche plus a rien", "ne touche a rien dautre", "ne change rien",
        "ne change rien dautre", "ne change plus rien", "ne modifie rien", "ne modifie rien dautre",
        "ne modifie plus rien", "laisse", "laisse tomber", "laisse ca", "laisse comme ca", "laisse moi faire",
        "je prends le relais", "je prends la suite", "je reprends la main", "je men occupe", "je men charge",
        "je continue moi meme", "je finis moi meme", "je termine moi meme", "je ferai le reste", "cest tout",
        "ce sera tout", "rien dautre", "annule", "annulez",
    ],
    around: &[
        "sil te plait", "sil vous plait", "stp", "svp", "maintenant", "la", "ici", "pour linstant", "pour le moment",
        "pour aujourdhui", "merci", "non", "bon", "tout de suite", "immediatement", "daccord", "donc", "alors", "et",
        "tu peux", "vous pouvez", "on peut", "peux tu", "un peu", "a partir dici",
    ],
};

pub(super) const SPANISH: Language = Language {
    stop: &[
        "para", "paren", "parad", "parate", "para todo", "para de trabajar", "detente", "detengase", "deten",
        "deten todo", "alto", "basta", "ya esta bien", "suficiente", "es suficiente", "espera", "espere", "esperate",
        "un momento", "no sigas", "no siga", "no continues", "no hagas nada", "no hagas nada mas", "no hagas mas nada",
        "no hagas mas", "no toques nada", "no toques nada mas", "no cambies nada", "no cambies nada mas",
        "no modifiques nada", "no modifiques nada mas", "dejalo", "dejalo asi", "dejalo estar", "dejalo como esta",
        "dejemoslo", "yo me encargo", "me encargo yo", "yo sigo", "sigo yo", "yo continuo", "continuo yo",
        "lo hago yo", "yo hago el resto", "eso es todo", "es todo", "nada mas", "haz una pausa", "cancela", "aborta",
        "hasta aqui", "parar",
    ],
    around: &[
        "por favor", "porfa", "ya", "ahora", "ahora mismo", "por ahora", "por hoy", "de momento", "por el momento",
        "aqui", "ahi", "gracias", "vale", "bueno", "pues", "y", "inmediatamente", "puedes", "podemos", "desde aqui",
    ],
};

pub(super) const PORTUGUESE: Language = Language {
    stop: &[
        "para", "parar", "espera", "espere", "basta", "cancela", "pare", "parem", "para com isso", "pare com isso",
        "pare de trabalhar", "vamos parar", "chega", "aguarde", "aguenta ai", "um momento", "nao continue",
        "nao continua", "nao prossiga", "nao faca nada", "nao faca mais nada", "nao faz mais nada",
        "nao facas mais nada", "nao mexa em nada", "nao mexa em mais nada", "nao mude nada", "nao mude mais nada",
        "nao altere mais nada", "deixa", "deixa assim", "deixe assim", "deixa estar", "deixa pra la",
        "deixa como esta", "deixe como esta", "eu assumo", "eu continuo", "deixa comigo", "eu faco o resto",
        "eu termino", "isso e tudo", "so isso", "e tudo", "e so", "cancele", "aborte",
    ],
    around: &[
        "agora", "ai", "aqui", "ja", "por enquanto", "por agora", "por hoje", "obrigado", "obrigada", "ta",
        "imediatamente", "tudo", "daqui", "a partir daqui", "pode", "podemos", "e", "por favor",
    ],
};

pub(super) const ITALIAN: Language = Language {
    stop: &[
        "basta", "fermati", "fermatevi", "si fermi", "ferma", "ferma tutto", "fermo", "fermi", "fermiamoci",
        "basta cosi", "alt", "smettila", "smetti", "smetti di lavorare", "smettetela", "aspetta", "aspetti",
        "aspettate", "attendi", "un attimo", "non continuare", "non andare avanti", "non proseguire",
        "non fare nulla", "non fare niente", "non fare altro", "non fare nientaltro", "non fare piu nulla",
        "non fare piu niente", "non toccare nulla", "non toccare niente", "non toccare altro", "non cambiare nulla",
        "non cambiare altro", "non modificare nulla", "non modificare altro", "lascia stare", "lascia perdere",
        "lascia cosi", "lascialo cosi", "lascia tutto cosi", "ci penso io", "me ne occupo io", "continuo io",
        "faccio io", "finisco io", "al resto ci penso io", "il resto lo faccio io", "e tutto", "questo e tutto",
        "sufficiente", "annulla", "interrompi", "interrompi tutto", "facciamo una pausa",
    ],
    around: &[
        "per favore", "per piacere", "adesso", "ora", "subito", "qui", "li", "per ora", "per oggi", "per il momento",
        "grazie", "va bene", "allora", "immediatamente", "puoi", "possiamo", "da qui", "da qui in poi", "no",
    ],
};

pub(super) const DUTCH: Language = Language {
    stop: &[
        "halt", "stop ermee", "stop met werken", "hou op", "houd op", "hou maar op", "hou ermee op", "ophouden",
        "stoppen", "wacht", "genoeg", "zo is het genoeg", "dat is genoeg", "het is genoeg", "ga niet verder",
        "ga niet door", "niet verder", "niet verdergaan", "niet doorgaan", "doe niets", "doe niets meer",
        "doe verder niets", "doe niets anders", "doe niks", "doe niks meer", "doe verder niks", "verander niets",
        "verander niets meer", "verander verder niets", "raak niets aan", "laat maar", "laat het", "laat het zo",
        "laat het hierbij", "laat het daarbij", "ik neem het over", "ik neem over", "ik neem het hier over",
        "ik ga zelf verder", "ik doe de rest", "ik doe de rest zelf", "ik doe het zelf", "dat is alles", "dat was het",
        "dat was alles", "pauze", "annuleer", "kap ermee",
    ],
    around: &[
        "alsjeblieft", "aub", "nu", "hier", "even", "maar", "voor nu", "voor vandaag", "voorlopig", "bedankt",
        "dank je", "nee", "meteen", "direct", "onmiddellijk", "eens", "kun je", "laten we", "en", "en wacht",
    ],
};

pub(super) const SCANDINAVIAN: Language = Language {
    stop: &[
        "stoppa", "stop med det", "sluta", "hold op", "vanta", "vent", "det racker", "det er nok", "nog", "nok",
        "fortsatt inte", "fortsaet ikke", "ikke fortsaet", "fortsett ikke", "ikke fortsett", "gor inget mer",
        "gor ingenting", "gor inget annat", "gor ikke mere", "gor ikke andet", "ikke gjor mer", "ikke gjor noe mer",
        "ror ingenting", "ror inget", "ror ikke noget", "lat det vara", "lad det vaere", "la det vaere",
        "lad det ligge", "jag tar over", "jeg tager over", "jeg tar over", "jag gor resten", "jeg gor resten",
        "jeg gjor resten", "det var allt", "det var alt", "det er alt", "paus", "avbryt", "afbryd",
    ],
    around: &[
        "nu", "tack", "tak", "takk", "snalla", "vaer sa snill", "har", "her", "for idag", "for i dag", "for nu", "for na",
        "na", "for tillfallet", "nej", "nei", "genast", "straks", "med en gang", "harifran", "herfra",
    ],
};
