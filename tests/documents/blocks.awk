# The blocks of code of Markdown files, each to a file of the folder -v into: a line with where it stands, its language ("" for
# an indented one) and why it is not run, parted by tabs, and then its lines.

function begin(language) {
    block = sprintf("%s/%03d", into, ++blocks)
    printf "%s:%d\t%s\t%s\n", FILENAME, FNR, language, reason >block
    reason = ""
}

function end() {
    close(block)
    block = ""
}

FNR == 1 { was_blank = 1 }
fenced && /^```/ {
    end()
    fenced = 0
    next
}
fenced {
    print >block
    next
}
block && !/^    / { end() }
/^```/ {
    begin(substr($0, 4))
    fenced = 1
    next
}
/^    / && (block || was_blank) {
    if (!block)
        begin("")
    print substr($0, 5) >block
    next
}
/^<!-- not run: .* -->$/ {
    reason = substr($0, 15, length($0) - 18)
    was_blank = 1
    next
}
/^$/ {
    was_blank = 1
    next
}
{
    reason = ""
    was_blank = 0
}
