//! The forms in which test libraries state an expected value.

use super::{none, one};

// P-5
#[test]
fn the_forms_of_each_library_are_known() {
    let j = "t.test.js";
    for line in [
        "expect(list).toHaveLength(3);", "expect(map).to.have.lengthOf(3);", "add(1, 2).should.equal(3);",
        "if (add(1, 2) !== 3) throw new Error('no');", "if (add(1, 2) !== 3) process.exit(1);",
    ] {
        one(j, line, "`3` to `4`");
    }
    for line in ["await expect(page).toHaveTitle('Shop');", "await expect(page.locator('h1')).toHaveText('Shop');"] {
        one(j, line, "`'Shop'` to `'Zhop'`");
    }
    for line in [
        "TEST_ASSERT_EQUAL_INT(3, add(1, 2));", "assert_int_equal(add(1, 2), 3);", "CU_ASSERT_EQUAL(add(1, 2), 3);",
        "cr_assert_eq(add(1, 2), 3);", "QCOMPARE(add(1, 2), 3);",
    ] {
        one("t.c", &format!("void test_add(void) {{ {line} }}"), "`3` to `4`");
    }
    one("a_test.go", "func TestA(t *testing.T) {\n\tExpect(Add(1, 2)).To(Equal(3))\n}\n", "`3` to `4`");
    one(
        "tests/a.rs",
        "#[test]\nfn a() {\n    cmd().assert().success().stdout(\"abc\\n\");\n}\n",
        "`\"abc\\n\"` to `\"zbc\\n\"`",
    );
    one("tests/a.rs", "#[test]\nfn a() {\n    cmd().assert().code(2);\n}\n", "`2` to `3`");
    for line in [
        "raise 'no' unless add(1, 2) == 3", "abort 'no' if add(1, 2) != 3", "unless add(1, 2) == 3\n  abort 'no'\nend",
        "add(1, 2).must_equal 3", "assert_response 3", "assert_response(3)",
    ] {
        one("t_test.rb", line, "`3` to `4`");
    }
    for line in ["$response->assertStatus(3);", "if (add(1, 2) !== 3) throw new Exception('no');"] {
        one("t.php", &format!("<?php\n{line}\n"), "`3` to `4`");
    }
    let exits = "if (add(1, 2) != 3) { System.err.println(\"no\"); System.exit(1); }";
    for line in [exits, "if (add(1, 2) != 3) throw new AssertionError(\"no\");"] {
        one("T.java", &format!("class T {{ public static void main(String[] a) {{ {line} }} }}"), "`3` to `4`");
    }
}

// P-5
#[test]
fn what_only_looks_like_these_forms_expects_nothing() {
    none("t.test.js", "expect(() => { if (f() !== 3) g(); }).toThrow();");
    none("t.test.js", "expect(3).toBe(3);");
    none("a_test.go", "func TestA(t *testing.T) {\n\tExpect(Add(1, 2)).ToNot(Equal(3))\n}\n");
    for line in
        ["TEST_ASSERT_NOT_EQUAL(3, add(1, 2));", "assert_memory_equal(add(1, 2), 3);", "assert_less_equal(f(), 3);"]
    {
        none("t.c", &format!("void test_add(void) {{ {line} }}"));
    }
    for line in ["raise 'no' unless add(1, 2) != 3", "puts 'no' unless add(1, 2) == 3", "raise 'no' if add(1, 2) == 3"]
    {
        none("t_test.rb", line);
    }
}
