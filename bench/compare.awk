# Reads lines "side matrix precision precond iteration_us min max iterations solve_s", parted by tabs, several for each
# where there were several rounds, and prints vksolve beside every other side. "theirs/ours" above 1: vksolve is faster.
# Wants median.awk.
BEGIN { FS = "\t" }

{
    where = $2 FS $3 FS $4
    key = $1 FS where
    if (!((where, "seen") in known)) {
        known[where, "seen"] = 1
        place[++places] = where
    }
    if (!(key in rounds)) {
        if ($1 != "vksolve" && !($1 in is_side)) {
            is_side[$1] = 1
            side[++sides] = $1
        }
        low[key] = $6
        high[key] = $7
    }
    k = ++rounds[key]
    us[key, k] = $5 + 0
    if ($6 + 0 < low[key] + 0) low[key] = $6
    if ($7 + 0 > high[key] + 0) high[key] = $7
    iterations[key] = $8
    seconds[key, k] = $9 + 0
}

function show(key) {
    if (!(key in rounds))
        return "-\t-\t-\t-"
    return sprintf("%.1f\t[%.1f..%.1f]\t%d\t%.4g", median(us, key, rounds[key]), low[key], high[key],
                   iterations[key], median(seconds, key, rounds[key]))
}

END {
    print "matrix\tprecision\tprecond\tours_us\tmin..max\titerations\tsolve_s\tpeer\ttheirs_us\tmin..max\titerations\tsolve_s\ttheirs/ours"
    for (p = 1; p <= places; p++)
        for (s = 1; s <= sides; s++) {
            ours = "vksolve" FS place[p]
            theirs = side[s] FS place[p]
            if (!(theirs in rounds) && sides > 1)
                continue
            ratio = "-"
            if ((ours in rounds) && (theirs in rounds))
                ratio = sprintf("%.2f", median(us, theirs, rounds[theirs]) / median(us, ours, rounds[ours]))
            print place[p] "\t" show(ours) "\t" side[s] "\t" show(theirs) "\t" ratio
        }
}
