# Shared by the scripts here: steps, comparisons, and the count of what went wrong. Needs $work, a folder.
failures=0 current=

step() {
    current=$1
    echo "-- $current"
}
fail() {
    echo "FAILED: $current: $1"
    failures=$((failures + 1))
}
# For a failure that leaves nothing to go on with; shows the log of the last command.
stop() {
    fail "$1"
    cat "$work/log"
    exit 1
}
# expect WANTED GOT WHAT
expect() {
    [ "$1" = "$2" ] || fail "$3: expected
$1
but got
$2"
}
finish() {
    echo "$failures failed"
    [ "$failures" -eq 0 ]
    exit
}
