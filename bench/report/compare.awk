# A table of Markdown from figures.csv: vksolve beside its peers in one section (spmv or cg) on one device. Medians of
# the rounds, extremes of all; in brackets how many times as long as vksolve a peer takes. Wants figures.awk,
# -v section -v device, and -v share_of -v bandwidth_f64 -v bandwidth_f32: the bandwidth in bytes a second, and its name.
$at["section"] == section && $at["device"] == device {
    where = $at["matrix"] FS $at["precision"] FS $at["preconditioner"]
    if (!(where in seen)) {
        seen[where] = 1
        place[++places] = where
        rows[where] = $at["rows"]
        entries[where] = $at["entries"]
    }
    side = $at["side"]
    if (side == "vksolve" && section == "spmv")
        add(side " " $at["format"])
    if (side != "vksolve" || $at["chosen"] == 1)
        add(side)
}

function add(side,    key, k) {
    key = side FS where
    if (!(side in is_side)) {
        is_side[side] = 1
        name[++sides] = side
    }
    k = ++rounds[key]
    us[key, k] = $at["us"] + 0
    seconds[key, k] = $at["seconds"] + 0
    if (k == 1 || $at["us_least"] + 0 < least[key])
        least[key] = $at["us_least"] + 0
    if (k == 1 || $at["us_most"] + 0 > most[key])
        most[key] = $at["us_most"] + 0
    if (k == 1 || us[key, k] < best[key])
        best[key] = us[key, k]
    format[key] = $at["format"]
    iterations[key] = $at["iterations"]
    bytes[key] = $at["bytes"]
}

function is_peer(side) { return side !~ /^vksolve/ }

# Plain C is a yardstick, and no package.
function is_package(side) { return is_peer(side) && side != "omp-c" }

function bandwidth(precision) { return precision == "f32" ? bandwidth_f32 : bandwidth_f64 }

function lesser(a, b) { return a == 0 || b < a ? b : a }

# Notes the ratio of a peer, or of the best of them, for its mean.
function note(what, precision, ratio) {
    logs[what, precision] += log(ratio)
    noted[what, precision]++
}

function cell(side, where, precision,    key, ours, m, ratio) {
    key = side FS where
    ours = "vksolve" FS where
    if (!(key in rounds))
        return "| - "
    m = median(us, key, rounds[key])
    if (!(ours in rounds) || !is_peer(side))
        return "| " short(m) " "
    ratio = m / median(us, ours, rounds[ours])
    note(side, precision, ratio)
    if (is_package(side)) {
        least_peer = lesser(least_peer, m)
        least_best = lesser(least_best, best[key])
        least_seconds = lesser(least_seconds, median(seconds, key, rounds[key]))
    }
    return "| " short(m) " (" sprintf("%.2f", ratio) ") "
}

function ratios(key, precision,    r, text) {
    if (!(key in rounds) || least_peer == 0)
        return "| - | - " (section == "cg" ? "| - " : "")
    r = least_peer / median(us, key, rounds[key])
    note("best", precision, r)
    text = sprintf("| **%.2f** | %.2f ", r, least_best / best[key])
    if (section == "cg")
        text = text sprintf("| %.2f ", least_seconds / median(seconds, key, rounds[key]))
    return text
}

function row(where,    part, key, i, text, m) {
    split(where, part, FS)
    key = "vksolve" FS where
    text = "| " part[1] " | " part[2] " "
    if (section == "cg")
        text = text "| " part[3] " | " iterations[key] " "
    if (key in rounds) {
        m = median(us, key, rounds[key])
        text = text "| " format[key] " | " short(m) " | " short(least[key]) " .. " short(most[key]) " | " \
            sprintf("%.3g", bytes[key] / 1e6) " | " \
            (bandwidth(part[2]) ? sprintf("%.0f %%", 100 * bytes[key] / (m * 1e-6 * bandwidth(part[2]))) : "-") " "
        if (section == "cg")
            text = text sprintf("| %.3g ", median(seconds, key, rounds[key]))
    } else
        text = text "| - | - | - | - | - " (section == "cg" ? "| - " : "")
    least_peer = least_best = least_seconds = 0
    for (i = 1; i <= sides; i++)
        if (name[i] != "vksolve")
            text = text cell(name[i], where, part[2])
    return text ratios(key, part[2]) "|"
}

function means(precision,    i, text) {
    text = "| geometric mean | " precision " " (section == "cg" ? "| | | | | | | | " : "| | | | | ")
    for (i = 1; i <= sides; i++)
        if (name[i] != "vksolve")
            text = text (noted[name[i], precision] ? \
                "| (" sprintf("%.2f", exp(logs[name[i], precision] / noted[name[i], precision])) ") " : "| ")
    return text "| " (noted["best", precision] ? \
        "**" sprintf("%.2f", exp(logs["best", precision] / noted["best", precision])) "**" : "-") " | |" \
        (section == "cg" ? " |" : "")
}

END {
    if (!places)
        exit
    head = "| matrix | precision " (section == "cg" ? "| preconditioner | iterations " : "") \
        "| format | us | extremes | MB | of " share_of " " (section == "cg" ? "| s to solution " : "")
    for (i = 1; i <= sides; i++)
        if (name[i] != "vksolve")
            head = head "| " (is_peer(name[i]) ? name[i] : substr(name[i], 9)) " "
    head = head "| best package / vksolve | best rounds " (section == "cg" ? "| to solution " : "") "|"
    print head
    gsub(/[^|]+/, "---", head)
    print head
    for (p = 1; p <= places; p++) {
        print row(place[p])
        split(place[p], part, FS)
        if (!(part[2] in listed)) {
            listed[part[2]] = 1
            precision[++precisions] = part[2]
        }
    }
    for (p = 1; p <= precisions; p++)
        if (noted["best", precision[p]])
            print means(precision[p])
}
