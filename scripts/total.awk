# Adds up the TAP lines in ctest's log: failures with what was said about them, skipped tests, and
# the last line "N passed, N failed". Exit 1 when something failed.
#
# A test that ended badly without a "not ok" (a crash, a sanitizer's report, a time-out), or that
# said nothing at all, counts as one failure, and its whole output is shown.

/^[0-9]+\/[0-9]+ Testing: / { name = $3; output = notes = ""; ok = bad = inside = 0; next }
/^Output:$/ { inside = 1; getline; next }
/^<end of output>$/ { inside = 0; next }

inside {
    output = output $0 "\n"
    if ($0 ~ /^# /) {
        notes = notes $0 "\n"
    } else if ($0 ~ /^ok /) {
        ok++
        if (toupper($0) ~ /# SKIP/) skipped = skipped $0 "\n"
        notes = ""
    } else if ($0 ~ /^not ok /) {
        bad++
        printf "%s%s: %s\n", notes, name, $0
        notes = ""
    }
    next
}

/^Test (Passed|Failed)\.$/ { finish($2) }

function finish(verdict) {
    if (bad == 0 && (verdict != "Passed." || ok == 0)) {
        printf "%s# %s ended badly or without a word\n", output, name
        bad = 1
    }
    passed += ok
    failed += bad
}

END {
    printf "%s", skipped
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0
}
