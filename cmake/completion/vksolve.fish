# Completion of vksolve in fish. It depends only on the layout of --help, which it reads each time.

function __vksolve_commands
    vksolve --help | string replace -rf '^  ((?!vksolve)[a-z]+) +(.*)' '$1\t$2'
end

# The values of the option before the cursor, or the options of the subcommand.
function __vksolve_words
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l help (vksolve $words[2] --help 2>/dev/null); or return
    set -l before $words[-1]
    set -l start ''
    if string match -qr -- '^--[a-z-]+=' $token # --option=value
        set before (string replace -r '=.*' '' -- $token)
        set start $before=
    end
    if test "$words[2..]" = help
        __vksolve_commands
        return
    end
    set -l option (string escape --style=regex -- $before)
    set -l argument (string replace -rf "^ {2,6}(?:-., )?$option(?:, --[a-z-]+)? ([^ ]+).*" '$1' -- $help)
    if string match -q -- '*|*' "$argument"
        string split '|' -- $argument | string match -rv '^[A-Z]' | string replace -r -- '^' $start
    else if test -z "$argument"
        string replace -rf '^ {2,6}(?:-., )?(--[a-z-]+)(?: .*|$)' '$1' -- $help
        string match -q -- '* KIND *' $help[1]; and string replace -rf '^  ([a-z0-9]+): (.*)' '$1\t$2' -- $help
    end
end

complete -c vksolve -f -n 'test (count (commandline -opc)) -eq 1' -a '(__vksolve_commands)'
complete -c vksolve -n 'test (count (commandline -opc)) -gt 1' -a '(__vksolve_words)'
