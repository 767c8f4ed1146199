# Tables of Markdown with a line for each line of figures.csv in a section. Wants figures.awk, -v section and -v device.
$at["section"] != section || $at["device"] != device { next }

# What comes before the iterations: the first solve in a context that is opened for it, and a later one of the same matrix,
# uploaded again. The detail is their seconds, one after the other.
section == "first" {
    if (!lines++)
        print "| matrix | precision | preconditioner | format | open | first: matrix | set-up | iterations " \
            "| later: matrix | set-up | iterations |\n|---|---|---|---|---|---|---|---|---|---|---|"
    text = "| " $at["matrix"] " | " $at["precision"] " | " $at["preconditioner"] " | " $at["format"] " |"
    stages = split($at["detail"], seconds, " ")
    for (i = 1; i <= stages; i++)
        text = text " " short(1e3 * seconds[i]) " |"
    print text
}

# What an iteration of vksolve is made of.
section == "iteration" {
    if (!lines++)
        print "| matrix | precision | preconditioner | format | dispatches | MB | A x alone, us | kernels, us |\n" \
            "|---|---|---|---|---|---|---|---|"
    print "| " $at["matrix"] " | " $at["precision"] " | " $at["preconditioner"] " | " $at["format"] " | " \
        $at["iterations"] " | " sprintf("%.3g", $at["bytes"] / 1e6) " | " $at["us"] " | " $at["detail"] " |"
}
