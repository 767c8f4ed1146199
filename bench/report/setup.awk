# What making the matrix costs: a table of Markdown from figures.csv, each format in milliseconds (medians) and in products
# with it. Wants figures.awk and -v device.
$at["device"] == device && ($at["section"] == "setup" || $at["section"] == "spmv") && $at["side"] == "vksolve" {
    where = $at["matrix"] FS $at["precision"]
    if (!(where in seen)) {
        seen[where] = 1
        place[++places] = where
    }
    f = $at["format"]
    key = f FS where
    if ($at["section"] == "spmv") {
        us[key, ++products[key]] = $at["us"] + 0
        if ($at["chosen"] == 1)
            taken[where] = key
        next
    }
    if (!(f in is_format)) {
        is_format[f] = 1
        name[++formats] = f
    }
    ms[key, ++rounds[key]] = 1e3 * $at["seconds"]
}

END {
    if (!places)
        exit
    head = "| matrix | precision "
    for (f = 1; f <= formats; f++)
        head = head "| " name[f] " "
    print head "|"
    gsub(/[^|]+/, "---", head)
    print head "|"
    for (p = 1; p <= places; p++) {
        split(place[p], part, FS)
        text = "| " part[1] " | " part[2] " "
        for (f = 1; f <= formats; f++) {
            key = name[f] FS place[p]
            of = name[f] == "auto" ? taken[place[p]] : key
            if (!(key in rounds)) {
                text = text "| - "
                continue
            }
            m = median(ms, key, rounds[key])
            text = text "| " short(m) (of in products ? sprintf(" (%.0f) ", 1e3 * m / median(us, of, products[of])) : " ")
        }
        print text "|"
    }
}
