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
