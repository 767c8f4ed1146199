# The members of the structs in headers, one a line: "vks_solve_options rtol".
{
    text = text $0 " "
}
END {
    gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", text)
    while (match(text, /struct vks_[a-z0-9_]+ \{[^}]*\}/)) {
        body = substr(text, RSTART + 7, RLENGTH - 8)
        text = substr(text, RSTART + RLENGTH)
        name = substr(body, 1, index(body, " ") - 1)
        count = split(substr(body, index(body, "{") + 1), member, ";")
        for (i = 1; i < count; i++)
            tell(name, member[i])
    }
}

function tell(name, declaration, part, parts, k) {
    if (match(declaration, /\(\*[a-z_]+\)/)) {
        print name, substr(declaration, RSTART + 2, RLENGTH - 3)
        return
    }
    gsub(/\[[^]]*\]/, "", declaration)
    parts = split(declaration, part, ",")
    for (k = 1; k <= parts; k++) {
        gsub(/ +$/, "", part[k])
        match(part[k], /[A-Za-z0-9_]+$/)
        print name, substr(part[k], RSTART)
    }
}
