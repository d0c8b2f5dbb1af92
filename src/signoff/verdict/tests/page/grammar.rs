//! A grammar in GBNF, as far as `docs/judges.md` uses it: matches a text against it, and writes texts that match.

use std::collections::BTreeMap;

use proptest::sample::Index;

/// One part of a rule.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Literal(Vec<char>),
    Class { not: bool, ranges: Vec<(char, char)> },
    Rule(String),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Repeat(Box<Node>, usize, usize),
}

/// The rules by name; `root` is the whole grammar.
pub(super) struct Grammar(BTreeMap<String, Node>);

/// More repetitions than any text has.
const MANY: usize = 10_000;

impl Grammar {
    pub(super) fn read(text: &str) -> Self {
        let rule = |line: &str| {
            let (name, body) = line.split_once("::=").unwrap();
            let mut rest: &str = body.trim();
            let node = choice(&mut rest);
            assert_eq!(rest, "", "{line}");
            (name.trim().to_owned(), node)
        };
        Grammar(text.lines().map(rule).collect())
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.ends(&Node::Rule("root".to_owned()), &text, &[0]).contains(&text.len())
    }

    /// Returns the positions at which a node that begins at one of `starts` can end.
    fn ends(&self, node: &Node, text: &[char], starts: &[usize]) -> Vec<usize> {
        let mut ends: Vec<usize> = match node {
            Node::Literal(word) => {
                starts.iter().filter(|at| text[**at..].starts_with(word)).map(|at| at + word.len()).collect()
            }
            Node::Class { not, ranges } => {
                let fits = |c: &char| ranges.iter().any(|(from, to)| from <= c && c <= to) != *not;
                starts.iter().filter(|at| text.get(**at).is_some_and(fits)).map(|at| at + 1).collect()
            }
            Node::Rule(name) => self.ends(&self.0[name], text, starts),
            Node::Sequence(nodes) => nodes.iter().fold(starts.to_vec(), |starts, node| self.ends(node, text, &starts)),
            Node::Choice(nodes) => nodes.iter().flat_map(|node| self.ends(node, text, starts)).collect(),
            Node::Repeat(node, least, most) => {
                let (mut ends, mut at) = (Vec::new(), starts.to_vec());
                for count in 0..=*most {
                    if count >= *least {
                        ends.extend(&at);
                    }
                    at = self.ends(node, text, &at);
                    if at.is_empty() {
                        break;
                    }
                }
                ends
            }
        };
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Writes one text of a node; `choices` make the choices.
    pub(super) fn write(&self, node: &Node, choices: &mut impl Iterator<Item = Index>, out: &mut String) {
        let mut pick = |count: usize| choices.next().unwrap().index(count);
        match node {
            Node::Literal(word) => out.extend(word),
            Node::Class { not: true, .. } => {
                out.push(['a', 'Z', '7', ' ', '"', ':', ';', '-', '`', 'é', '…'][pick(11)])
            }
            Node::Class { ranges, .. } => {
                let (from, to) = ranges[pick(ranges.len())];
                let all: Vec<char> = (from..=to).collect();
                out.push(all[pick(all.len())]);
            }
            Node::Rule(name) => self.write(&self.0[name], choices, out),
            Node::Sequence(nodes) => nodes.iter().for_each(|node| self.write(node, choices, out)),
            Node::Choice(nodes) => {
                let node = &nodes[pick(nodes.len())];
                self.write(node, choices, out);
            }
            Node::Repeat(node, least, most) => {
                let count = least + pick((most - least).min(3) + 1);
                (0..count).for_each(|_| self.write(node, choices, out));
            }
        }
    }
}

fn choice(rest: &mut &str) -> Node {
    let mut all = vec![sequence(rest)];
    while let Some(after) = rest.strip_prefix('|') {
        *rest = after.trim_start();
        all.push(sequence(rest));
    }
    if all.len() == 1 { all.remove(0) } else { Node::Choice(all) }
}

fn sequence(rest: &mut &str) -> Node {
    let mut all = Vec::new();
    while !rest.is_empty() && !rest.starts_with(['|', ')']) {
        let node = atom(rest);
        all.push(repeated(node, rest));
        *rest = rest.trim_start();
    }
    Node::Sequence(all)
}

fn atom(rest: &mut &str) -> Node {
    if let Some(after) = rest.strip_prefix('(') {
        *rest = after.trim_start();
        let node = choice(rest);
        *rest = rest.strip_prefix(')').unwrap();
        return node;
    }
    if let Some(after) = rest.strip_prefix('"') {
        *rest = after;
        let mut word = Vec::new();
        while !rest.starts_with('"') {
            word.push(character(rest));
        }
        *rest = &rest[1..];
        return Node::Literal(word);
    }
    if let Some(after) = rest.strip_prefix('[') {
        let not = after.starts_with('^');
        *rest = &after[usize::from(not)..];
        let mut ranges = Vec::new();
        while !rest.starts_with(']') {
            let from = character(rest);
            let is_range = rest.starts_with('-') && !rest.starts_with("-]");
            let to = if is_range {
                *rest = &rest[1..];
                character(rest)
            } else {
                from
            };
            ranges.push((from, to));
        }
        *rest = &rest[1..];
        return Node::Class { not, ranges };
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    assert!(!name.is_empty(), "{rest}");
    *rest = after;
    Node::Rule(name.to_owned())
}

fn character(rest: &mut &str) -> char {
    let (c, length) = match rest.strip_prefix('\\') {
        None => (rest.chars().next().unwrap(), rest.chars().next().unwrap().len_utf8()),
        Some(after) => match after.chars().next().unwrap() {
            'n' => ('\n', 2),
            'x' => (char::from(u8::from_str_radix(&after[1..3], 16).unwrap()), 4),
            c => (c, 2),
        },
    };
    *rest = &rest[length..];
    c
}

fn repeated(node: Node, rest: &mut &str) -> Node {
    let (least, most, length) = match rest.chars().next() {
        Some('*') => (0, MANY, 1),
        Some('+') => (1, MANY, 1),
        Some('?') => (0, 1, 1),
        Some('{') => {
            let (counts, _) = rest[1..].split_once('}').unwrap();
            let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
            (least.parse().unwrap(), most.parse().unwrap(), counts.len() + 2)
        }
        _ => return node,
    };
    *rest = &rest[length..];
    Node::Repeat(Box::new(node), least, most)
}
