# The table of what driver_pipelines prints on several devices, one file each, named after its device. A line of totals for
# each device begins with "#"; then a line for each kernel and precision, a column for each device. The worst of all
# constants counts: waves/spills/scratch, "." for the most waves of the device and none of the others, "-" where no
# pipeline is made, or "failed". Lines without anything else than "." and "-" are left out.

BEGIN {
    FS = "\t"
    OFS = "\t"
}
FNR == 1 {
    device = FILENAME
    sub(/.*\//, "", device)
    sub(/\.tsv$/, "", device)
    names[++devices] = device
    most[device] = 0
}
/^# / {
    title[device] = substr($0, 3)
    next
}
{
    row = $1 "\t" $2
    if (!(row in is_row)) {
        is_row[row] = 1
        rows[++count] = row
    }
    at = row SUBSEP device
}
$4 == "failed" {
    failed[device]++
    has_failed[at] = 1
}
$4 == "made" {
    pipelines[device]++
    if (!(at in waves) || $7 < waves[at])
        waves[at] = $7
    if ($5 > spills[at])
        spills[at] = $5
    if ($6 > scratch[at])
        scratch[at] = $6
    if ($7 > most[device])
        most[device] = $7
    if ($8 > registers[device])
        registers[device] = $8
    spilling[device] += $5 > 0
    scratching[device] += $6 > 0
}
function cell(row, device,    at) {
    at = row SUBSEP device
    if (at in has_failed)
        return "failed"
    if (!(at in waves))
        return "-"
    if (spills[at] + scratch[at] > 0)
        return waves[at] "/" spills[at] + 0 "/" scratch[at] + 0
    return waves[at] == most[device] ? "." : waves[at]
}
END {
    print "# device", "pipelines", "failed", "spill", "have scratch", "most waves", "most registers", "driver"
    for (i = 1; i <= devices; i++) {
        d = names[i]
        print "# " d, pipelines[d] + 0, failed[d] + 0, spilling[d] + 0, scratching[d] + 0, most[d], registers[d] + 0, title[d]
    }
    line = "kernel" OFS "precision"
    for (i = 1; i <= devices; i++)
        line = line OFS names[i]
    print line
    for (r = 1; r <= count; r++) {
        line = rows[r]
        is_plain = 1
        for (i = 1; i <= devices; i++) {
            c = cell(rows[r], names[i])
            is_plain = is_plain && c ~ /^[.-]$/
            line = line OFS c
        }
        if (!is_plain)
            print line
    }
}
