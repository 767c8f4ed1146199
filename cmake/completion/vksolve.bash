# Completion of vksolve in bash, and through _vksolve in zsh. It knows nothing of the command but how --help is laid out,
# and asks that each time; where it has no words, there are files.

# The words that may follow on the command line.
_vksolve_words() { # PROGRAM COMMAND BEFORE WORD PLACE
    local help argument=''
    if [[ $5 == 1 || $2 == help ]]; then
        "$1" --help | sed -nE '/^commands:/,/^$/s/^  ([a-z]+) .*/\1/p'
        [[ $5 != 1 ]] || printf '%s\n' --help --version
        return
    fi
    help=$("$1" "$2" --help 2>/dev/null) || return 0
    [[ $3 != -* ]] || argument=$(sed -nE "/^ {2,6}(-., )?$3(,| )/s/^ *(-., )?--[a-z-]+ ([^ ]+).*/\2/p" <<<"$help")
    if [[ $argument == *'|'* ]]; then
        tr '|' '\n' <<<"$argument" | grep -v '^[A-Z]' # but those that stand for something
    elif [[ ! $argument && $4 == -* ]]; then
        sed -nE 's/^ {2,6}(-., )?(--[a-z-]+)( .*|$)/\2/p' <<<"$help"
    elif [[ $5 == 2 && $help == 'usage: '*' KIND '* ]]; then
        sed -nE '/^options:/q; s/^  ([a-z0-9]+): .*/\1/p' <<<"$help"
    fi
}

_vksolve() {
    local word=${COMP_WORDS[COMP_CWORD]} words
    words=$(_vksolve_words "${COMP_WORDS[0]}" "${COMP_WORDS[1]}" "${COMP_WORDS[COMP_CWORD - 1]}" "$word" "$COMP_CWORD")
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}

complete -o default -F _vksolve vksolve
