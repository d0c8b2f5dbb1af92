//! Renders prose as HTML: Markdown through pulldown-cmark, raw HTML as text, links only with listed schemes, images as their alternative text.

use maud::{Escaper, Markup, PreEscaped};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::fmt::Write as _;

/// The prefixes that a link target may have.
const TARGETS: [&str; 4] = ["http://", "https://", "mailto:", "#"];

/// The HTML of some Markdown.
pub(super) fn html(text: &str) -> Markup {
    let mut prose = Prose::default();
    for event in
        Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS)
    {
        prose.put(event);
    }
    PreEscaped(prose.out)
}

#[derive(Default)]
struct Prose {
    out: String,
    /// For each open link, whether its target is allowed.
    links: Vec<bool>,
    is_head: bool,
}

impl Prose {
    fn put(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.out.push_str("<code>");
                self.text(&text);
                self.out.push_str("</code>");
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>"),
            Event::Rule => self.out.push_str("<hr>"),
            Event::TaskListMarker(is_done) => self.out.push_str(if is_done { "[x] " } else { "[ ] " }),
            Event::FootnoteReference(text) => self.text(&format!("[^{text}]")),
        }
    }

    fn text(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = Escaper::new(&mut self.out).write_str(text);
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let html = match tag {
            // The page has its own headings.
            Tag::Heading { .. } => "<h4>",
            Tag::Paragraph | Tag::HtmlBlock => "<p>",
            Tag::BlockQuote(_) => "<blockquote>",
            Tag::CodeBlock(_) => "<pre>",
            Tag::List(None) => "<ul>",
            Tag::List(Some(first)) => {
                self.out.push_str(&format!("<ol start=\"{first}\">"));
                return;
            }
            Tag::Item => "<li>",
            Tag::Emphasis => "<em>",
            Tag::Strong => "<strong>",
            Tag::Strikethrough => "<del>",
            Tag::Table(_) => "<table>",
            Tag::TableHead => {
                self.is_head = true;
                "<tr>"
            }
            Tag::TableRow => "<tr>",
            Tag::TableCell if self.is_head => "<th>",
            Tag::TableCell => "<td>",
            Tag::Link { dest_url, .. } => return self.link(dest_url),
            _ => "",
        };
        self.out.push_str(html);
    }

    fn link(&mut self, target: &str) {
        let lower = target.to_ascii_lowercase();
        let is_allowed = TARGETS.iter().any(|start| lower.starts_with(start));
        self.links.push(is_allowed);
        if is_allowed {
            self.out.push_str("<a rel=\"noopener noreferrer\" href=\"");
            self.text(target);
            self.out.push_str("\">");
        }
    }

    fn link_end(&mut self) {
        if self.links.pop() == Some(true) {
            self.out.push_str("</a>");
        }
    }

    fn end(&mut self, tag: TagEnd) {
        let html = match tag {
            TagEnd::Heading(_) => "</h4>",
            TagEnd::Paragraph | TagEnd::HtmlBlock => "</p>",
            TagEnd::BlockQuote(_) => "</blockquote>",
            TagEnd::CodeBlock => "</pre>",
            TagEnd::List(is_numbered) => {
                if is_numbered {
                    "</ol>"
                } else {
                    "</ul>"
                }
            }
            TagEnd::Item => "</li>",
            TagEnd::Emphasis => "</em>",
            TagEnd::Strong => "</strong>",
            TagEnd::Strikethrough => "</del>",
            TagEnd::Table => "</table>",
            TagEnd::TableHead => {
                self.is_head = false;
                "</tr>"
            }
            TagEnd::TableRow => "</tr>",
            TagEnd::TableCell if self.is_head => "</th>",
            TagEnd::TableCell => "</td>",
            TagEnd::Link => return self.link_end(),
            _ => "",
        };
        self.out.push_str(html);
    }
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn markdown_is_shown_and_html_is_text() {
        for (text, expected) in [
            (
                "**a** `b<` [c](https://d.e/?f&g)",
                "<p><strong>a</strong> <code>b&lt;</code> <a rel=\"noopener noreferrer\" href=\"https://d.e/?f&amp;g\">c</a></p>",
            ),
            ("# h\n\n3. a\n4. b", "<h4>h</h4><ol start=\"3\"><li>a</li><li>b</li></ol>"),
            ("| a |\n| - |\n| b |", "<table><tr><th>a</th></tr><tr><td>b</td></tr></table>"),
            ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
            ("a <img src=x onerror=y> b", "<p>a &lt;img src=x onerror=y&gt; b</p>"),
            ("![alt <b>](https://a/b.png)", "<p>alt &lt;b&gt;</p>"),
            ("```\n</pre><b>\n```", "<pre>&lt;/pre&gt;&lt;b&gt;\n</pre>"),
            (
                "<mailto:a@b.c> [d](#e)",
                "<p><a rel=\"noopener noreferrer\" href=\"mailto:a@b.c\">mailto:a@b.c</a> <a rel=\"noopener noreferrer\" href=\"#e\">d</a></p>",
            ),
        ] {
            assert_eq!(html(text).into_string(), expected, "{text}");
        }
    }

    #[test]
    fn a_link_leads_to_no_other_scheme() {
        for target in [
            "javascript:alert(1)", "JaVaScRiPt:alert(1)", "&#106;avascript:alert(1)", "java&Tab;script:alert(1)",
            "data:text/html,x", "vbscript:x", "file:///etc/passwd", "//evil.example", "/a", "a.html",
            "\u{1}javascript:x", "https:x", "",
        ] {
            let found = html(&format!("[text]({target})\n\n[text]: <{target}>\n\n[text]")).into_string();
            assert!(!found.contains("<a") && found.contains("text"), "{target}: {found}");
        }
    }
}
