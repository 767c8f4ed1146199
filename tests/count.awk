# Counts the tests in ctest's JUnit file, for ./run: "passed failed". A Criterion suite counts as the tests in it, a test
# of any other kind as one; one that did not run counts as failed.

/<testcase / {
    ran_well = /status="run"/
    suite = 0
    before = failed
}
/Synthesis: Tested:/ {
    suite = 1
    for (i = 1; i < NF; i++) {
        if ($i == "Passing:")
            passed += $(i + 1)
        if ($i == "Failing:")
            failed += $(i + 1)
    }
}
/<\/testcase>/ {
    if (ran_well && !suite)
        passed++
    if (!ran_well && failed == before)
        failed++
}
END {
    print passed + 0, failed + 0
}
