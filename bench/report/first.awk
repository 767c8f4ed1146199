# What comes before the iterations: a table of Markdown from figures.csv, the first solve in a context that is opened for
# it, and a later one of the same matrix, uploaded again. The detail is their seconds, one after the other. Wants
# columns.awk and -v device.
$at["section"] == "first" && $at["device"] == device {
    if (!lines++)
        print "| matrix | precision | preconditioner | format | open | first: matrix | set-up | iterations " \
            "| later: matrix | set-up | iterations |\n|---|---|---|---|---|---|---|---|---|---|---|"
    text = "| " $at["matrix"] " | " $at["precision"] " | " $at["preconditioner"] " | " $at["format"] " |"
    stages = split($at["detail"], seconds, " ")
    for (i = 1; i <= stages; i++)
        text = text " " short(1e3 * seconds[i]) " |"
    print text
}
