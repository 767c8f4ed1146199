# What an iteration of vksolve is made of: a table of Markdown from figures.csv. Wants columns.awk and -v device.
$at["section"] == "iteration" && $at["device"] == device {
    if (!lines++)
        print "| matrix | precision | preconditioner | format | dispatches | MB | A x alone, us | kernels, us |\n" \
            "|---|---|---|---|---|---|---|---|"
    print "| " $at["matrix"] " | " $at["precision"] " | " $at["preconditioner"] " | " $at["format"] " | " \
        $at["iterations"] " | " sprintf("%.3g", $at["bytes"] / 1e6) " | " $at["us"] " | " $at["detail"] " |"
}
