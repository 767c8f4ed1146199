# The numbers of tests that passed, failed and were skipped in the log of a Criterion suite (--verbose), and whether its
# time ran out. A suite that ends otherwise before its tests do counts as a failed test.

/^\[PASS\]/ {
    passed++
}
/^\[FAIL\]/ {
    failed++
}
/^\[SKIP\]/ {
    skipped++
}
/Synthesis: Tested:/ {
    ended = 1
}
/^ends with 124$/ {
    ran_out = 1
}
END {
    print passed + 0, failed + !(ended || ran_out), skipped + 0, ran_out + 0
}
