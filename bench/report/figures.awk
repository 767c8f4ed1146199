# What all tables of figures.csv begin with: columns by name, three digits, and medians. Wants -F ,

# The columns of figures.csv by name: $at["us"]. Skips the header, which must come first.
NR == 1 {
    for (i = 1; i <= NF; i++)
        at[$i] = i
    next
}

# Microseconds or bytes with three digits that count.
function short(v) {
    return v == "" ? "" : v + 0 >= 100 ? sprintf("%.0f", v) : sprintf("%.3g", v)
}

# The median of values[key, 1] .. values[key, count].
function median(values, key, count,    sorted, i, j, v) {
    for (i = 1; i <= count; i++) {
        v = values[key, i]
        for (j = i - 1; j > 0 && sorted[j] > v; j--)
            sorted[j + 1] = sorted[j]
        sorted[j + 1] = v
    }
    return (sorted[int((count + 1) / 2)] + sorted[int(count / 2) + 1]) / 2
}
