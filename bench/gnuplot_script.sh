#!/usr/bin/env bash
# In place of gnuplot, where there is none: keeps each script in $GNUPLOT_SCRIPTS, to be drawn elsewhere.
#   VKSOLVE_GNUPLOT=bench/gnuplot_script.sh GNUPLOT_SCRIPTS=FOLDER vksolve spmv ... --chart spmv.png
#   gnuplot <FOLDER/1.gp >1.png
set -eu
if [ "${1:-}" = --version ]; then
    echo "gnuplot scripts are kept"
    exit
fi
mkdir -p "$GNUPLOT_SCRIPTS"
number=1
while [ -e "$GNUPLOT_SCRIPTS/$number.gp" ]; do
    number=$((number + 1))
done
cat >"$GNUPLOT_SCRIPTS/$number.gp"
printf 'a script was kept\nIEND\256\102\140\202' # what ends as a PNG passes for one
