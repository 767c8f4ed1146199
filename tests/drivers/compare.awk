# compare.awk KEPT NEW: says what is worse in the new table of pipelines (table.awk) than in the kept one: a pipeline that
# fails or is no longer made, fewer waves, more spills or scratch; on a device as a whole, fewer pipelines or more that fail.
# Ends with "counts BETTER WORSE".

BEGIN {
    FS = "\t"
}
FNR == 1 {
    table++
    columns = 0
}
/^# device/ {
    next
}
/^# / {
    device = substr($1, 3)
    made[table, device] = $2
    failed[table, device] = $3
    most[table, device] = $6
    if (table == 1)
        driver[device] = $8
    else if (driver[device] != "" && driver[device] != $8)
        print "the kept table is of another driver: " driver[device] "; here: " $8
    if (table == 2 && !(device in driver)) {
        print "the kept table has no " device
        worse++
    }
    next
}
/^kernel/ {
    for (i = 3; i <= NF; i++)
        name[i] = $i
    next
}
{
    rows[$1 " " $2] = 1
    for (i = 3; i <= NF; i++)
        cell[table, $1 " " $2, name[i]] = $i
    next
}

# The cell. A line that is left out has "." or "-": what the other table has, if that is one of them.
function text_of(table, row, device,    other) {
    other = 3 - table
    if ((table, row, device) in cell)
        return cell[table, row, device]
    return (other, row, device) in cell && cell[other, row, device] == "-" ? "-" : "."
}

# Into one value of each kind: `waves`, `spills`, `scratch`, and `failed`, which is "" for a pipeline that is there.
function take(to, table, row, device,    text, part, count) {
    text = text_of(table, row, device)
    count = split(text, part, "/")
    to["failed"] = text == "failed" ? text : text == "-" ? "not made" : ""
    to["waves"] = text == "." ? most[table, device] : part[1]
    to["spills"] = count == 3 ? part[2] : 0
    to["scratch"] = count == 3 ? part[3] : 0
}
function words(of) {
    return of["failed"] != "" ? of["failed"] : of["waves"] " waves, " of["spills"] " spills, " of["scratch"] " bytes of scratch"
}
END {
    for (row in rows)
        for (i in name) {
            if (!(name[i] in driver) || !((2, name[i]) in made))
                continue
            take(old, 1, row, name[i])
            take(now, 2, row, name[i])
            if (old["failed"] != "" || now["failed"] != "")
                step = (now["failed"] != "") - (old["failed"] != "")
            else if (now["waves"] < old["waves"] || now["spills"] > old["spills"] || now["scratch"] > old["scratch"])
                step = 1
            else
                step = -(now["waves"] > old["waves"] || now["spills"] < old["spills"] || now["scratch"] < old["scratch"])
            worse += step > 0
            better += step < 0
            if (step > 0)
                print "worse on " name[i] ": " row ": " words(now) "; the table has " words(old)
        }
    for (device in driver)
        if (made[2, device] + 0 < made[1, device] + 0 || failed[2, device] + 0 > failed[1, device] + 0) {
            worse++
            print "worse on " device ": " made[2, device] + 0 " pipelines made, " failed[2, device] + 0 " failed; the table has " \
                made[1, device] + 0 " and " failed[1, device] + 0
        }
    print "counts", better + 0, worse + 0
}
