# Counts the tests in ctest's JUnit file, for ./run: "passed failed skipped...", the last by name. A Criterion suite counts
# as the tests in it, a test of any other kind as one; one that did not run counts as failed unless it was skipped.

/<testcase / {
    ran_well = /status="run"/
    name = $0
    sub(/.*<testcase name="/, "", name)
    sub(/".*/, "", name)
    was_skipped = 0
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
/<skipped message="SKIP_RETURN_CODE/ {
    was_skipped = 1
}
/<\/testcase>/ {
    if (was_skipped) {
        skipped = skipped " " name
        next
    }
    if (ran_well && !suite)
        passed++
    if (!ran_well && failed == before)
        failed++
}
END {
    print passed + 0, failed + 0 skipped
}
