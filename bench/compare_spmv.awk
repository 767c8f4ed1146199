# Reads the lines of cpu_spmv.sh, several for each matrix and precision where there were several rounds, and prints
# vksolve beside omp_ref. "theirs/ours" above 1: vksolve is faster; of the medians of all rounds, and of each side's best
# round. The share of the triad is that of the best rounds, too. Wants median.awk.
BEGIN { FS = "\t" }

{
    key = $1 FS $2 FS $3
    if ($1 == "vksolve" && !(key in rounds))
        place[++places] = $2 FS $3
    k = ++rounds[key]
    us[key, k] = $4 + 0
    gbs[key, k] = $7 + 0
    if (k == 1 || $4 + 0 < best[key])
        best[key] = $4 + 0
    if (k == 1 || $7 + 0 > most[key])
        most[key] = $7 + 0
    if (k == 1 || $5 + 0 < low[key])
        low[key] = $5 + 0
    if (k == 1 || $6 + 0 > high[key])
        high[key] = $6 + 0
}

function show(key) {
    return sprintf("%.0f\t[%.0f..%.0f]", median(us, key, rounds[key]), low[key], high[key])
}

END {
    print "matrix\tprecision\tours_us\tmin..max\tGB/s\tof triad\ttheirs_us\tmin..max\ttheirs/ours\tbest rounds"
    for (p = 1; p <= places; p++) {
        split(place[p], part, FS)
        ours = "vksolve" FS place[p]
        theirs = "omp_ref" FS place[p]
        stream = "stream" FS "-" FS part[2]
        share = sprintf("%.1f\t%.0f %%", median(gbs, ours, rounds[ours]), 100 * most[ours] / most[stream])
        if (!(theirs in rounds))
            print place[p] "\t" show(ours) "\t" share "\t-\t-\t-\t-"
        else
            print place[p] "\t" show(ours) "\t" share "\t" show(theirs) "\t" \
                sprintf("%.2f\t%.2f", median(us, theirs, rounds[theirs]) / median(us, ours, rounds[ours]), \
                    best[theirs] / best[ours])
    }
}
