//! A person's stop, in the words that people use.

/// Bytes of a message that is looked through: a longer one says more than stop.
const LONGEST: usize = 100;
/// At the beginning or the end of a message.
const STOP: [&str; 13] = [
    "stop",
    "halt",
    "wait",
    "enough",
    "quit",
    "no more",
    "hold on",
    "don't continue",
    "dont continue",
    "do not continue",
    "don't go on",
    "dont go on",
    "do not go on",
];
/// The same where nothing else is said: with more, they are work on something that can be paused.
const ALONE: [&str; 3] = ["pause", "abort", "cancel"];
/// In a script that leaves no space between words.
const UNSPACED: [&str; 3] = ["停", "停止", "停下"];
/// What may stand around it.
const AROUND: [&str; 18] = [
    "ok", "okay", "no", "please", "thanks", "thank", "you", "now", "it", "here", "that", "that's", "just", "hey",
    "let's", "lets", "we", "should",
];
/// Among the two words before it: the end of another sentence.
const OTHERWISE: [&str; 16] = [
    "a",
    "an",
    "the",
    "not",
    "never",
    "non",
    "don't",
    "dont",
    "doesn't",
    "didn't",
    "can't",
    "cannot",
    "won't",
    "shouldn't",
    "mustn't",
    "without",
];

/// Whether a message asks for an end. It may be mistaken for one that only sounds like it: a push that is missed costs less than
/// one that a person did not want.
pub(super) fn says_stop(text: &str) -> bool {
    if text.len() > LONGEST {
        return false;
    }
    let text = text.to_lowercase().replace('\u{2019}', "'");
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    is_alone(&words) || begins(&words) || ends(&words) || is_unspaced(&words)
}

fn is_around(word: &&&str) -> bool {
    AROUND.contains(*word)
}

fn is_alone(words: &[&str]) -> bool {
    let rest: Vec<&str> = words.iter().filter(|word| !is_around(word)).copied().collect();
    ALONE.contains(&rest.join(" ").as_str())
}

fn begins(words: &[&str]) -> bool {
    let from = words.iter().take_while(is_around).count();
    STOP.iter().any(|stop| is_first(words, stop) || is_first(&words[from..], stop))
}

fn is_first(words: &[&str], stop: &str) -> bool {
    let mut words = words.iter();
    stop.split(' ').all(|word| words.next() == Some(&word))
}

fn ends(words: &[&str]) -> bool {
    let after = words.iter().rev().take_while(is_around).count();
    STOP.iter().any(|stop| {
        let mut words = words.iter().rev().skip(after);
        stop.rsplit(' ').all(|word| words.next() == Some(&word)) && !words.take(2).any(|word| OTHERWISE.contains(word))
    })
}

fn is_unspaced(words: &[&str]) -> bool {
    let is_stop = |word: &&&str| !word.contains(['不', '别', '別']);
    let (first, last) = (words.first().filter(is_stop), words.last().filter(is_stop));
    UNSPACED
        .iter()
        .any(|stop| first.is_some_and(|word| word.starts_with(stop)) || last.is_some_and(|word| word.ends_with(stop)))
}
