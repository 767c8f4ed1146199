#!/bin/sh
# pages.sh VKSOLVE FOLDER: the manual pages of the command, vksolve.1 and one for each subcommand, from its own --help.
set -eu
vksolve=$1 folder=$2
here=$(dirname "$0")
version=$("$vksolve" --version)
version=${version#vksolve }
date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date -r "$vksolve" +%s)}" +%Y-%m-%d)
list=$("$vksolve" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1 \2/p' | grep -v '^help \|^version ')

# all of them but $1
others() {
    { echo vksolve && echo "$list" | sed 's/^\([a-z]*\) .*/vksolve-\1/'; } | grep -vx "$1" | tr '\n' ' '
}

page() { # NAME WHAT COMMAND...
    name=$1 what=$2
    shift 2
    "$@" >"$folder/help"
    awk -v page="$name" -v what="$what" -v version="$version" -v date="$date" -v see="$(others "$name")" -f "$here/page.awk" \
        "$folder/help" >"$folder/$name.1"
}

rm -rf "$folder"
mkdir -p "$folder"
page vksolve "solve large sparse linear systems on Vulkan GPUs and on the CPU" "$vksolve" --help
echo "$list" | while read -r command what; do
    page "vksolve-$command" "$what" "$vksolve" "$command" --help
done
rm "$folder/help"
