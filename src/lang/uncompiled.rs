//! Finds out from the output of a run whether the code failed to parse or compile, so that none of its tests ran.

use std::path::Path;

use super::{TOOLCHAINS, rust};

/// Whether `output` reports that this file, relative to the top, or code that was built with it, does not parse or compile.
pub(crate) fn says_uncompiled(output: &str, file: &Path) -> bool {
    let lines: Vec<&str> = output.lines().collect();
    TOOLCHAINS.iter().any(|toolchain| (toolchain.uncompiled)(&lines, file))
}

/// The same as [`says_uncompiled`] for Rust alone, whose compiler ends with its own line.
pub(crate) fn says_rust_uncompiled(output: &str) -> bool {
    output.lines().any(rust::is_uncompiled)
}

#[cfg(test)]
mod tests {
    use super::*;

    // P-5
    #[test]
    fn code_that_does_not_compile_is_told_from_a_failed_test() {
        for (file, output) in [
            (
                "src/calc.py",
                "  File \"/x/src/calc.py\", line 3\n    return a +\n              ^\nSyntaxError: invalid syntax\n",
            ),
            ("calc.py", "E     File \"/x/calc.py\", line 2\nE       x = 1\nE   IndentationError: unexpected indent\n"),
            (
                "src/lib.rs",
                "error: this number is too big\n --> src/lib.rs:1:1\nerror: could not compile `p` (lib) due to 1 previous error\n",
            ),
            (
                "a/price.go",
                "# example.org/a\n./price.go:3:7: constant 256 overflows byte\nFAIL\texample.org/a [build failed]\n",
            ),
            ("calc.cpp", "calc.cpp:3:5: error: static assertion failed\nmake: *** [Makefile:4: tests] Error 1\n"),
            ("src/Calc.java", "src/Calc.java:4: error: incompatible types: possible lossy conversion\n1 error\n"),
            ("a.ts", "b.ts(3,5): error TS2367: This comparison appears to be unintentional\n"),
            ("a.ts", "b.ts:3:5 - error TS2367: This comparison appears to be unintentional\n"),
            ("calc.js", "# /x/calc.js:2\n#   return a +;\n#             ^\n# SyntaxError: Unexpected token ';'\n"),
            ("calc.mjs", "file:///x/calc.mjs:2\nreturn a +;\n^\n\nSyntaxError: Unexpected token\n"),
        ] {
            assert!(says_uncompiled(output, Path::new(file)), "{output}");
        }
        for (file, output) in [
            (
                "calc.py",
                "  File \"/x/calc.py\", line 3, in parse\n    raise SyntaxError(text)\nSyntaxError: no number\n",
            ),
            ("calc.py", "  File \"<string>\", line 1\n    1 +\n      ^\nSyntaxError: invalid syntax\n"),
            ("calc.py", "AssertionError: 1 != 2\nSyntaxError: is what it printed\n"),
            ("src/lib.rs", "error[E0308] was expected\nerror: test failed, to rerun pass `--lib`\n"),
            (
                "price.go",
                "--- FAIL: TestOff (0.00s)\n    price_test.go:7: got 100, want 90\nFAIL\texample.org/shop\t0.007s\n",
            ),
            ("calc.c", "[   LINE   ] --- ./tests.c:10: error: Failure!\n"),
            ("Calc.java", "Exception in thread \"main\" java.lang.AssertionError: error: 3\n"),
            ("calc.js", "SyntaxError: Unexpected token in JSON at position 0\n    at JSON.parse (<anonymous>)\n"),
        ] {
            assert!(!says_uncompiled(output, Path::new(file)), "{output}");
        }
    }
}
