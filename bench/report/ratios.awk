# The table of a chart from figures.csv: how many times as long as vksolve the peers take, parted by tabs. Wants
# figures.awk and -v section -v device -v precision.
$at["section"] == section && $at["device"] == device && $at["precision"] == precision && $at["chosen"] == 1 {
    where = $at["matrix"] (section == "cg" ? ", " $at["preconditioner"] : "")
    side = $at["side"]
    if (!(where in seen)) {
        seen[where] = 1
        place[++places] = where
    }
    if (side != "vksolve" && !(side in is_side)) {
        is_side[side] = 1
        name[++sides] = side
    }
    us[side FS where, ++rounds[side FS where]] = $at["us"] + 0
}

END {
    if (!sides)
        exit
    text = "matrix"
    for (s = 1; s <= sides; s++)
        text = text "\t" name[s]
    print text
    for (p = 1; p <= places; p++) {
        text = place[p]
        ours = "vksolve" FS place[p]
        for (s = 1; s <= sides; s++) {
            theirs = name[s] FS place[p]
            text = text "\t" ((ours in rounds) && (theirs in rounds) ? \
                median(us, theirs, rounds[theirs]) / median(us, ours, rounds[ours]) : "-")
        }
        print text
    }
}
