# The crossover: a table of Markdown from figures.csv, a line for each small system, its devices and peers side by side.
# Medians of the rounds, microseconds per iteration. Wants figures.awk.
$at["section"] == "small" {
    where = sprintf("%10d", $at["rows"]) FS $at["matrix"]
    side = $at["device"] (($at["side"] == "vksolve") ? "" : " " $at["side"])
    key = side FS where
    if (!(where in seen)) {
        seen[where] = 1
        place[++places] = where
    }
    if (!(side in is_side)) {
        is_side[side] = 1
        name[++sides] = side
    }
    us[key, ++rounds[key]] = $at["us"] + 0
}

$at["section"] == "choice" {
    choice[sprintf("%10d", $at["rows"]) FS $at["matrix"]] = $at["format"] ": " $at["detail"]
}

function sort_places(    i, j, p) {
    for (i = 2; i <= places; i++) {
        p = place[i]
        for (j = i - 1; j > 0 && place[j] > p; j--)
            place[j + 1] = place[j]
        place[j + 1] = p
    }
}

END {
    if (!places)
        exit
    sort_places()
    head = "| unknowns | matrix "
    for (s = 1; s <= sides; s++)
        head = head "| " name[s] " "
    head = head "| --device auto |"
    print head
    gsub(/[^|]+/, "---", head)
    print head
    for (p = 1; p <= places; p++) {
        split(place[p], part, FS)
        text = "| " part[1] + 0 " | " part[2] " "
        for (s = 1; s <= sides; s++) {
            key = name[s] FS place[p]
            text = text "| " (key in rounds ? short(median(us, key, rounds[key])) : "-") " "
        }
        print text "| " choice[place[p]] " |"
    }
}
