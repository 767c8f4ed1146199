# The table of a chart from figures.csv: microseconds per iteration of the model problems in section small over their
# unknowns, vksolve on each device and the best of the peers, parted by tabs. Wants figures.awk.
$at["section"] == "small" && $at["matrix"] ~ /^poisson2d/ {
    n = $at["rows"] + 0
    if (!(n in seen)) {
        seen[n] = 1
        place[++places] = n
    }
    line = $at["side"] == "vksolve" ? "vksolve, " $at["device"] : $at["side"] ", " $at["device"]
    if (!(line in is_line)) {
        is_line[line] = 1
        name[++lines] = line
        ours[line] = $at["side"] == "vksolve"
    }
    us[line FS n, ++rounds[line FS n]] = $at["us"] + 0
}

function best_peer(n,    l, m, best) {
    for (l = 1; l <= lines; l++)
        if (!ours[name[l]] && (name[l] FS n) in rounds) {
            m = median(us, name[l] FS n, rounds[name[l] FS n])
            if (!best || m < best)
                best = m
        }
    return best ? best : "-"
}

END {
    if (!places)
        exit
    text = "unknowns"
    for (l = 1; l <= lines; l++)
        if (ours[name[l]])
            text = text "\t" name[l]
        else
            peers = 1
    print text (peers ? "\tbest of the peers" : "")
    for (p = 1; p <= places; p++) { # sizes are measured in ascending order
        n = place[p]
        text = n
        for (l = 1; l <= lines; l++)
            if (ours[name[l]])
                text = text "\t" ((name[l] FS n) in rounds ? median(us, name[l] FS n, rounds[name[l] FS n]) : "-")
        print text (peers ? "\t" best_peer(n) : "")
    }
}
