//! What is found in sources of each language.

use super::*;
