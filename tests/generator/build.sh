#!/bin/sh
# Builds the little project of tree/ as vksolve is built, and changes it, to see that what must be rebuilt is, that
# nothing else is, and that what comes out is right.
set -u
kernels_cmake=$1 tree=$2 work=$3 kind=$4 compiler=$5

. "$(dirname "$0")/check.sh"

configure() {
    cmake -S "$work/tree" -B "$work/build" -G "$kind" -DCMAKE_C_COMPILER="$compiler" \
        -DKERNELS_CMAKE="$kernels_cmake" "$@" >"$work/log" 2>&1
}
build() {
    cmake --build "$work/build" >"$work/log" 2>&1
}
show() {
    mkdir -p "$work/code"
    "$work/build/show" "$work/code" >"$work/shown" || fail "show does not run"
}
# The files of the build that are newer than the mark, by their names.
newer() {
    find "$work/build" -newer "$work/mark" -name "$1" | wc -l
}

rm -rf "$work"
mkdir -p "$work"
cp -r "$tree" "$work/tree"

step "the first build"
configure || stop "does not configure"
build || stop "does not build"
show
expect "kernel axpy 48 256 0
kernel spread 24 64 0
kernel weigh 24 32 1" "$(grep '^kernel' "$work/shown")" "the kernels"
expect "twins base f32 32
twins base f64 64
twins base mixed 6432" "$(grep 'twins base' "$work/shown")" "the twins"

step "the embedded code"
for code in "$work"/code/*.spv; do
    spirv-val --target-env vulkan1.2 --scalar-block-layout "$code" || fail "$code is not valid"
    spirv-dis --raw-id --no-header "$code" >"$work/text" || fail "$code cannot be disassembled"
    grep -qE 'Op(Name|MemberName|Source|String|Line)' "$work/text" && fail "$code has debug text"
    # Every arithmetic instruction is decorated, once, and nothing else is: the two lists are one.
    sed -n 's/.*OpDecorate \(%[0-9]*\) NoContraction.*/\1/p' "$work/text" | sort >"$work/decorated"
    arithmetic='F(Negate|Add|Sub|Mul|Div|Rem|Mod)|VectorTimesScalar|MatrixTimesScalar|VectorTimesMatrix'
    arithmetic="$arithmetic|MatrixTimesVector|MatrixTimesMatrix|OuterProduct|Dot"
    sed -nE "s/ *(%[0-9]*) = Op($arithmetic) .*/\1/p" "$work/text" | sort >"$work/arithmetic"
    cmp -s "$work/decorated" "$work/arithmetic" || fail "$code: decorated ids are not the arithmetic ones"
    [ -s "$work/decorated" ] || fail "$code: nothing is decorated"
done
expect 18 "$(ls "$work"/code/*.spv | wc -l)" "the number of variants"
cmp -s "$work/code/spread.1.1.spv" "$work/code/spread.2.1.spv" || fail "mixed is not f64 where nothing is of values"
cmp -s "$work/code/weigh.1.0.spv" "$work/code/weigh.2.0.spv" && fail "mixed is f64 where something is of values"
# axpy and weigh have no subgroup code, so two variants are one module.
expect "modules axpy 2
modules spread 4
modules weigh 3" "$(grep '^modules' "$work/shown")" "the number of modules"

step "a build with nothing to do"
touch "$work/mark"
build || stop "does not build again"
expect 0 "$(newer '*.[cho]')" "files made again"

step "a comment in a shader"
echo '/* more */' >>"$work/tree/shaders/vector/axpy.comp"
build || stop "does not build"
expect 12 "$(newer '*.spv')" "shaders compiled, all of its variants with it"
expect 0 "$(newer '*.[cho]')" "files made again"

step "a change in an included file"
touch "$work/mark"
sed -i 's/coherent //' "$work/tree/shaders/kernel.glsl"
build || stop "does not build"
expect 14 "$(newer '*.spv')" "shaders compiled"
expect 1 "$(newer 'kernels.c')" "tables written"
expect 0 "$(newer 'kernels.h')" "headers written"

step "a new kernel"
sed 's/last/final/g' "$work/tree/shaders/vector/axpy.comp" >"$work/tree/shaders/vector/also.comp"
sed 's/axpy/also/g' "$work/tree/src/host/vector/axpy.c" >"$work/tree/src/host/vector/also.c"
build || stop "does not build"
show
expect "kernel also 48 256 0" "$(grep '^kernel also' "$work/shown")" "the new kernel"

step "a kernel that is its own twin"
cat >"$work/tree/shaders/each.glsl" <<'END'
#ifdef VULKAN
#include "kernel.glsl"
layout(local_size_x = 256) in;
#else
#include "kernels.h"
#include "arguments.h"
#include "launch.h"
#define uint uint32_t
#define ARGS struct declared
#define MEMBER(type, name) type name;
#define main() nothing(void); struct listed { ARGUMENTS(MEMBER, MEMBER) };                   \
    unsigned TWIN(KERNEL_NAME)(const KERNEL_ARGS *a);                                        \
    unsigned TWIN(KERNEL_NAME)(const KERNEL_ARGS *a) { return (unsigned)sizeof(struct listed) + a->n; } \
    static inline void body(void)
#endif
END
cat >"$work/tree/shaders/vector/own.comp" <<'END'
#include "each.glsl"
ARGS {
    number alpha;
    reals x;
    uint n;
};
void main()
{
}
END
build || stop "does not build"
show
expect "kernel own 24 256 0" "$(grep '^kernel own' "$work/shown")" "the kernel"
touch "$work/mark"
sed -i 's/reals x;/u32s x;/' "$work/tree/shaders/vector/own.comp"
build || stop "does not build again"
[ "$(newer 'own.c.o')" -gt 0 ] || fail "the twins are not made again"
rm "$work/tree/shaders/vector/own.comp"

step "a kernel that no longer takes values, and takes them again"
sed -i 's/values val;/reals  val;/' "$work/tree/shaders/sparse/weigh.glsl"
build || stop "does not build"
show
expect "kernel weigh 24 32 0
twins base mixed 0" "$(grep -E '^kernel weigh|twins base mixed' "$work/shown")" "the kernel and the twins"
sed -i 's/reals  val;/values val;/' "$work/tree/shaders/sparse/weigh.glsl"
build || stop "does not build again"
show
expect "kernel weigh 24 32 1
twins base mixed 6432" "$(grep -E '^kernel weigh|twins base mixed' "$work/shown")" "the kernel and the twins"

step "a twin gone"
touch "$work/mark"
rm "$work/tree/src/host/vector/also.c"
build && fail "builds without the twin"
grep -qx 'shaders/vector/also.comp has no twin: expected src/host/vector/also.c' "$work/log" || fail "does not say why"
expect 0 "$(newer 'kernels.[ch]')" "files written"
rm "$work/tree/shaders/vector/also.comp"
build || stop "does not build after the kernel is gone too"
show
expect "" "$(grep also "$work/shown")" "the kernel that is gone"

step "a choice of instruction sets"
configure -DVKS_HOST_ISAS=base || stop "does not configure"
build || stop "does not build"
show
expect "twins base f32 32
twins base f64 64
twins base mixed 6432" "$(grep twins "$work/shown")" "the twins"
configure -DVKS_HOST_ISAS=sse9 && fail "takes a set that there is not"
grep -q '"sse9" is none of base, v3, v4' "$work/log" || fail "does not say why"

finish
