# Makes a manual page, in man(7), from the output of `vksolve COMMAND --help`. Requires -v page (vksolve-solve), -v what (the
# line of its NAME), -v version, -v date (1984-12-31) and -v see (other pages, separated by blanks).

BEGIN {
    COLUMN = 27 # of clients/command/shared/options.c: where the text beside options begins
    filled = 1
    print ".TH " toupper(page) " 1 \"" date "\" \"vksolve " version "\" \"vksolve\""
    print ".nh\n.ad l\n.SH NAME\n" safe(page) " \\- " safe(what)
}

# Escapes a text, so that nothing in it is a request or an escape.
function safe(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

# "-b, --rhs FILE": words that are typed literally are bold, placeholders are slanted.
function marked(text,    count, word, i, line) {
    count = split(text, word, " ")
    for (i = 1; i <= count; i++)
        line = line (i > 1 ? " " : "") (word[i] ~ /^([a-z0-9]+|-.*)$/ ? "\\fB" : "\\fI") safe(word[i]) "\\fR"
    gsub(/\|/, "|\\:", line) # allows a line break there
    return line
}

# Switches filling of lines on or off.
function fill(wanted) {
    if (filled != wanted)
        print wanted ? ".fi" : ".nf"
    filled = wanted
}

function head(title) {
    fill(1)
    print ".SH " title
    part = title
}

# A line of a list: the term, then the explanation, after two blanks, at COLUMN, or on the next line.
function item(line,    at) {
    at = match(line, /[^ ]  /) ? RSTART + 1 : substr(line, COLUMN, 1) == " " ? COLUMN : length(line) + 1
    print ".TP\n" marked(substr(line, 1, at - 1))
    beside = match(substr(line, at), /[^ ]/) ? at + RSTART - 2 : 0
    if (beside)
        print safe(substr(line, beside + 1))
    in_list = 0
}

# A further line of an explanation. If it is indented more than the text `beside` the term, it belongs to a list.
function explain(line,    depth) {
    match(line, /^ */)
    depth = RLENGTH
    beside = beside ? beside : depth
    if (depth > beside || in_list)
        print ".br"
    in_list = depth > beside
    print safe(substr(line, depth + 1))
}

/^usage: / {
    head("SYNOPSIS")
    print marked(substr($0, 8))
    head("DESCRIPTION")
    next
}
/^(commands|options|environment|exit codes|examples?):$/ {
    head(/^exit/ ? "EXIT STATUS" : /^example/ ? "EXAMPLES" : toupper(substr($0, 1, length($0) - 1)))
    next
}
/^$/ {
    paragraph = part == "DESCRIPTION"
    next
}
part == "DESCRIPTION" {
    indented = /^ /
    if (paragraph && started++)
        print ".PP"
    fill(!indented)
    print (indented ? "    " : "") safe($0)
    paragraph = 0
    next
}
part == "EXAMPLES" {
    fill(0)
    print safe($0)
    next
}
/^  [^ ]/ || /^      --/ {
    item($0)
    next
}
{ explain($0) }

END {
    head("SEE ALSO")
    count = split(see, word, " ")
    for (i = 1; i <= count; i++)
        print ".BR " safe(word[i]) " (1)" (i < count ? "," : "")
}
