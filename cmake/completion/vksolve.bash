# Completion of vksolve in bash, and through _vksolve in zsh. It depends only on the layout of --help, which it reads each
# time; if it finds no words, file names are completed.

# The words that may follow on the command line.
_vksolve_words() { # PROGRAM COMMAND BEFORE WORD PLACE
    local help argument=''
    if [[ $5 == 1 || $5$2 == 2help ]]; then
        help=$("$1" --help 2>/dev/null) || return 0
        sed -nE '/^commands:/,/^$/s/^  ([a-z]+) .*/\1/p' <<<"$help"
        [[ $5 != 1 ]] || printf '%s\n' --help --version
        return
    fi
    help=$("$1" "$2" --help 2>/dev/null) || return 0
    [[ ! $3 =~ ^--?[a-z-]+$ ]] || argument=$(sed -nE "/^ {2,6}(-., )?$3(,| )/s/^ *(-., )?--[a-z-]+ ([^ ]+).*/\2/p" <<<"$help")
    if [[ $argument == *'|'* ]]; then
        tr '|' '\n' <<<"$argument" | grep -v '^[A-Z]' # except placeholders
    elif [[ ! $argument && $4 == -* ]]; then
        sed -nE 's/^ {2,6}(-., )?(--[a-z-]+)( .*|$)/\2/p' <<<"$help"
    elif [[ $5 == 2 && $help == 'usage: '*' KIND '* ]]; then
        sed -nE '/^options:/q; s/^  ([a-z0-9]+): .*/\1/p' <<<"$help"
    fi
}

_vksolve() {
    local at=$COMP_CWORD program=${COMP_WORDS[0]/#\~\//$HOME/} words start=''
    local word=${COMP_WORDS[at]} before=${COMP_WORDS[at - 1]}
    if [[ $word == --*=* ]]; then # --option=value is one word in zsh, three in bash
        before=${word%%=*} word=${word#*=}
        start=$before=
    elif [[ $word == = ]]; then
        word=''
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[at - 2]}
    fi
    words=$(_vksolve_words "$program" "${COMP_WORDS[1]}" "$before" "$word" "$at")
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$start$word")
    done < <(compgen -W "$words" -- "$word")
}

complete -o default -F _vksolve vksolve
