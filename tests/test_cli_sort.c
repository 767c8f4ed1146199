/* vksolve sort, and the reader and writer of its numbers. */
#include "cli.h"
#include "command/sort/numbers.h"

#include <math.h>

TestSuite(cli_sort, .init = make_folder, .fini = remove_folder, .timeout = 120);

Test(cli_sort, sorts_whole_numbers_from_standard_input_and_from_a_file)
{
    expect_output("echo 5 30 4294967295 0 7 30 | $VKSOLVE sort", "0\n7\n30\n30\n4294967295\n");
    expect_output("printf '2\\n\\n9\\t\\r\\n8' | $VKSOLVE sort -", "8\n9\n");
    expect_output("echo 0 | $VKSOLVE sort", "");
    write_text("n", "3\n30\n10\n20\n");
    expect_output("$VKSOLVE sort $FOLDER/n", "10\n20\n30\n");
    expect_output("$VKSOLVE sort $FOLDER/n --device host --method radix", "10\n20\n30\n");
    expect_output("$VKSOLVE sort $FOLDER/n --device $GPU --method bitonic", "10\n20\n30\n");
}

Test(cli_sort, sorts_every_type)
{
    expect_output("echo 3 18446744073709551615 4294967296 1 | $VKSOLVE sort --type u64",
                  "1\n4294967296\n18446744073709551615\n");
    expect_output("echo 7 1e-3 -2 0.1 -0 nan 0 -inf | $VKSOLVE sort --type f64",
                  "-inf\n-2\n-0\n0\n0.001\n0.1\nnan\n");
    expect_output("echo 4 16777217 0.1 -3.4e38 +Infinity | $VKSOLVE sort --type f32",
                  "-3.4e+38\n0.1\n16777216\ninf\n");
    expect_output("echo 2 0.30000000000000004 0.3 | $VKSOLVE sort --type f64", "0.3\n0.30000000000000004\n");
    expect_output("echo 2 -nan 1e-320 | $VKSOLVE sort --type f64 --method radix",
                  "-nan\n9.99988867182683e-321\n");
}

Test(cli_sort, agrees_with_the_systems_sort)
{
    expect("seq 1 30000 | awk '{ print $1 * 7919 % 30011 }' >$FOLDER/v && sort -n $FOLDER/v >$FOLDER/want && "
           "(echo 30000; cat $FOLDER/v) | $VKSOLVE sort -o $FOLDER/got && cmp $FOLDER/want $FOLDER/got && "
           "echo same",
           0, "same");
}

Test(cli_sort, names_the_file_and_the_line_that_are_wrong)
{
    expect("$VKSOLVE sort $FOLDER/none", 1, "none: cannot be opened");
    expect("$VKSOLVE sort $FOLDER", 1, "cannot be read: Is a directory");
    expect("$VKSOLVE sort </dev/null", 1, "stdin:1: the file is empty");
    expect("echo three 1 2 3 | $VKSOLVE sort", 1, "stdin:1: 'three' is not a count");
    expect("echo -1 | $VKSOLVE sort", 1, "stdin:1: '-1' is not a count");
    expect("echo 4278190081 1 | $VKSOLVE sort", 1, "the most is 4278190080");
    write_text("n", "3\n1\n2\nx3\n");
    expect("$VKSOLVE sort $FOLDER/n", 1, "n:4: 'x3' is not a whole number from 0 to 4294967295");
    write_text("n", "3 1 \n\n -2");
    expect("$VKSOLVE sort $FOLDER/n", 1, "n:3: '-2' is not a whole number");
    write_text("n", "3\n1\n2\n");
    expect("$VKSOLVE sort $FOLDER/n", 1, "n:4: the file ends after 2 of 3 numbers");
    write_text("n", "2\n1\n2\n\n3\n");
    expect("$VKSOLVE sort $FOLDER/n", 1, "n:5: '3' follows the 2 numbers");
    expect("printf '1 1\\0002' | $VKSOLVE sort", 1, "stdin:1: '1' is not a whole number");
    expect("(echo 1; head -c 2000 /dev/zero | tr '\\0' 1) | $VKSOLVE sort", 1, "stdin:2: '1111");
    expect("echo 4000000000 1 | $VKSOLVE sort", 1, "ends after 1 of 4000000000 numbers");
}

Test(cli_sort, gives_up_streams_without_numbers)
{
    expect("timeout 60 $VKSOLVE sort /dev/zero", 1,
           "/dev/zero:1: '...', of more than 511 characters, is not a number");
    expect("yes '' | timeout 60 $VKSOLVE sort", 1, "no number in more than 16777216 blanks");
    expect("(echo 1 2; head -c 20000000 /dev/zero | tr '\\0' ' ') | $VKSOLVE sort", 1,
           "stdin:2: no number in more than");
}

Test(cli_sort, checks_numbers_by_their_type)
{
    expect("echo 1 4294967296 | $VKSOLVE sort", 1, "'4294967296' is not a whole number");
    expect("echo 1 18446744073709551616 | $VKSOLVE sort --type u64", 1,
           "'18446744073709551616' is not a whole");
    expect("echo 1 1.5 | $VKSOLVE sort", 1, "'1.5' is not a whole number");
    expect("echo 1 0x10 | $VKSOLVE sort --type f64", 1, "'0x10' is not a number");
    expect("echo 1 1e39 | $VKSOLVE sort --type f32", 1,
           "'1e39' is not a number that a 32-bit float can hold");
    expect("echo 1 1e309 | $VKSOLVE sort --type f64", 1, "a 64-bit float can hold");
    expect("echo 1 1e5e | $VKSOLVE sort --type f64", 1, "'1e5e'");
    expect("echo 1 - | $VKSOLVE sort --type f64", 1, "'-'");
}

Test(cli_sort, writes_the_output_whole_or_not_at_all)
{
    write_text("n", "2\n9\n8\n");
    expect_output("$VKSOLVE sort $FOLDER/n -o $FOLDER/n && cat $FOLDER/n", "8\n9\n");
    write_text("n", "2\n9\n");
    write_text("kept", "as it was\n");
    expect("$VKSOLVE sort $FOLDER/n -o $FOLDER/kept", 1, "ends after");
    expect_output("cat $FOLDER/kept; ls $FOLDER", "as it was\nerr\nkept\nn\nout\n");
    expect("echo 1 1 | $VKSOLVE sort -o $FOLDER/none/x", 1, "cannot be written");
    expect("echo 1 1 | $VKSOLVE sort >/dev/full", 1, "cannot be written");
    expect("echo 1 1 | (cd $FOLDER && ln -s b a && $VKSOLVE sort -o a --json b)", 1, "are the same file");
}

Test(cli_sort, reports_as_json)
{
    expect_parts("echo 3 2 1 3 | $VKSOLVE sort --type f32 -o $FOLDER/s --device host --json -", 0,
                 "\"numbers\": 3", "\"type\": \"f32\"", NULL);
    expect("echo 1 1 | $VKSOLVE sort --json -", 1, "only one of --output and --json");
    expect("echo 1 1 | $VKSOLVE sort -o $FOLDER/a --json $FOLDER/a", 1, "are the same file");
    write_text("n", "1 1");
    expect("$VKSOLVE sort $FOLDER/n --json $FOLDER/n", 1, "would overwrite the numbers");
}

Test(cli_sort, refuses_what_it_does_not_know)
{
    expect("$VKSOLVE sort a b", 1, "unexpected argument 'b'");
    expect("$VKSOLVE sort ''", 1, "is empty");
    expect("$VKSOLVE sort --type i32", 1, "must be u32, u64, f32 or f64");
    expect("$VKSOLVE sort --method quick", 1, "must be auto, bitonic or radix");
    expect("echo 1 1 | $VKSOLVE sort --device none-such", 4, "none-such");
}

Test(cli_sort, floats_are_read_back_as_they_were)
{
    enum { COUNT = 5 };
    const double values[COUNT] = {0.1, 1.0 / 3, 5e-324, -1.7976931348623157e308, 4503599627370497.5};
    char path[256], text[512] = "5\n";
    struct message m = {0};
    struct numbers n = {.type = VKS_TYPE_F64, .count = COUNT, .values = (void *)values}, back;
    in_folder("f", path);
    cr_assert_eq(numbers_write(&m, path, &n), VKS_OK, "%s", m.text);
    char *lines = read_text("f");
    strncat(text, lines, sizeof text - 3);
    free(lines);
    write_text("f", text);
    cr_assert_eq(numbers_read(&m, path, VKS_TYPE_F64, &back), VKS_OK, "%s", m.text);
    cr_expect(back.count == COUNT && !memcmp(back.values, values, sizeof values), "%s", text);
    numbers_free(&back);
}
