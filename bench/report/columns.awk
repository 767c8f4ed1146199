# The columns of figures.csv by name: $at["us"]. Skips the header, which must come first. Wants -F ,
NR == 1 {
    for (i = 1; i <= NF; i++)
        at[$i] = i
    next
}

# Microseconds or bytes with three digits that count.
function short(v) {
    return v == "" ? "" : v + 0 >= 100 ? sprintf("%.0f", v) : sprintf("%.3g", v)
}
