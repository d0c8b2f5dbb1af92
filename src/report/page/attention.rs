//! The section "Look at these first".

use maud::{Markup, html};

use super::text::inline;
use crate::report::attention::Notice;

pub(super) fn section(notices: &[Notice]) -> Markup {
    html! {
        @if !notices.is_empty() {
            section #attention {
                h2 { "Look at these first" }
                @for notice in notices {
                    div.care.bad-edge[notice.is_bad] {
                        p {
                            strong {
                                span class=(if notice.is_bad { "bad" } else { "warn" }) {
                                    (notice.label) @if notice.goal.is_some() { ":" }
                                }
                                @if let Some((subject, ..)) = &notice.goal { " " bdi { (subject) } }
                            }
                            @if let Some((_, name, anchor)) = &notice.goal {
                                " " a.id href={ "#" (anchor) } { bdi { (name) } }
                            }
                        }
                        @for sentence in &notice.sentences { p.wrap { bdi { (inline(sentence)) } } }
                        @if let Some(command) = &notice.command { p { code { (command) } } }
                    }
                }
            }
        }
    }
}
