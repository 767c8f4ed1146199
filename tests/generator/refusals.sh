#!/bin/sh
# Gives the generator one bad kernel after another: it must name what is wrong and write nothing.
set -u
generator=$1 glslc=$2 tree=$3 work=$4

. "$(dirname "$0")/check.sh"

# begin WHAT [SCALARS SUBGROUPS]: an empty case, of these variants. Starting glslc takes long: most cases have one.
begin() {
    step "$1"
    scalars=${2:-F64} subgroups=${3:-0}
    rm -rf "$work/spv" "$work/out"
    mkdir -p "$work/spv" "$work/out"
    printf 'subgroups %s\n' "$subgroups" >"$work/manifest"
    for scalar in $scalars; do
        echo "scalar $scalar $scalar" >>"$work/manifest"
    done
}
# compile_as VARIANT PATH MACRO...: the shader of this case.
compile_as() {
    out=$work/spv/$1/$(basename "$2").comp.spv path=$2
    mkdir -p "$(dirname "$out")"
    shift 2
    "$glslc" -std=460 -fshader-stage=compute --target-env=vulkan1.2 -O0 -I "$tree/shaders" "$@" -o "$out" \
        "$work/shader.comp" 2>"$work/log" || stop "glslc fails on $path"
}
# compile PATH: the shader on standard input, in all variants of this case.
compile() {
    { echo '#include "kernel.glsl"' && cat; } >"$work/shader.comp"
    for scalar in $scalars; do
        for subgroup in $subgroups; do
            compile_as "$scalar.s$subgroup" "$1" -DREAL=${scalar#F} -DSUBGROUP=$subgroup
        done
    done
}
# kernel PATH MEMBERS [LAYOUT]: a shader with its twin that does nothing with these ARGS.
kernel() {
    echo "layout(${3:-local_size_x = 64}) in; ARGS { $2 }; void main() { }" | compile "$1"
    printf 'shader %s\ntwin %s\n' "$1" "$1" >>"$work/manifest"
}
# refused LINES: the generator says exactly this, exits with 1 and leaves the folder as it was.
refused() {
    before=$(ls -l --time-style=full-iso "$work/out")
    "$generator" "$work/manifest" "$work/spv" "$work/out" >"$work/said" 2>&1
    expect 1 $? "exit status"
    expect "$1" "$(sed "s|$work/||g" "$work/said")" "what it says"
    expect "$before" "$(ls -l --time-style=full-iso "$work/out")" "the output folder"
}
accepted() {
    "$generator" "$work/manifest" "$work/spv" "$work/out" >"$work/log" 2>&1 || stop "refused"
}

only='ARGS holds only buffer addresses and uints'
for member in 'float|a float' 'double|a double' 'int|an int' 'uint64_t|a 64-bit integer' 'uvec2|a vector' \
    'mat2|a matrix' 'pair|a struct' 'float16_t|a half'; do
    begin "a member that is ${member#*|}"
    echo "#extension GL_EXT_shader_explicit_arithmetic_types : require
        struct pair { uint first; uint second; };
        ARGS { reals x; ${member%|*} odd; uint n; }; layout(local_size_x = 64) in; void main() { }" | compile vector/bad
    printf 'shader vector/bad\ntwin vector/bad\n' >>"$work/manifest"
    refused "shaders/vector/bad.comp: member \"odd\" is ${member#*|}: $only"
done

begin "arrays" "F32 F64" "0 1"
kernel vector/bad 'uint many[4]; reals all[2]; uint n;'
refused "shaders/vector/bad.comp: member \"many\" is an array: $only
shaders/vector/bad.comp: member \"all\" is an array: $only"

begin "a real, which is two things" "F32 F64" "0 1"
kernel vector/bad 'real scale;'
refused "shaders/vector/bad.comp: member \"scale\" is a float: $only
shaders/vector/bad.comp: member \"scale\" is a double: $only"

begin "no ARGS"
echo 'layout(local_size_x = 64) in; void main() { }' | compile vector/bad
printf 'shader vector/bad\ntwin vector/bad\n' >>"$work/manifest"
refused 'shaders/vector/bad.comp: has no ARGS block, or more than one'

begin "ARGS of 128 bytes"
kernel vector/good 'reals a, b, c, d, e, f, g, h, i, j, k, l, m, n, o; uint p, q;'
accepted
begin "ARGS of 132 bytes"
kernel vector/bad 'reals a, b, c, d, e, f, g, h, i, j, k, l, m, n, o; uint p, q, r;'
refused 'shaders/vector/bad.comp: ARGS takes 132 bytes of at most 128'
begin "ARGS of more members than fit"
kernel vector/bad "$(i=0; while [ $i -lt 40 ]; do printf 'uint u%d; ' $i; i=$((i + 1)); done)"
refused 'shaders/vector/bad.comp: ARGS takes 160 bytes of at most 128'

begin "types of kernels' own" "F32 F64" "0 1"
for name in good fine; do
    echo 'layout(buffer_reference, scalar, buffer_reference_align = 4) buffer states { uint at[]; };
        layout(local_size_x = 64) in; ARGS { states s; reals x; }; void main() { }' | compile vector/$name
    printf 'shader vector/%s\ntwin vector/%s\n' $name $name >>"$work/manifest"
done
accepted
expect "#ifdef REAL
typedef struct states *states;
#else
typedef struct opaque_states *states;
#endif" "$(sed -n '/^#ifdef REAL/,/^#endif/p' "$work/out/kernels.h")" "the types, each once"

begin "a guard" "F32 F64"
echo 'layout(buffer_reference, scalar, buffer_reference_align = 4) buffer guard { uint word; };
    layout(local_size_x = 64) in; ARGS { reals x; guard g; }; void main() { }' | compile vector/guarded
printf 'shader vector/guarded\ntwin vector/guarded\n' >>"$work/manifest"
kernel vector/plain 'reals x;'
accepted
expect "#define ARGUMENTS_guarded(ADDRESS, VALUE) ADDRESS(reals, x)
#define ARGUMENTS_plain(ADDRESS, VALUE) ADDRESS(reals, x)" "$(grep '^#define' "$work/out/arguments.h")" "the arguments without the guard"
expect "8
128" "$(sed -n 's/.*\.guard_at = \([0-9]*\),.*/\1/p' "$work/out/kernels.c")" "where guards are"
expect "0x3
0x1" "$(sed -n 's/.*\.addresses = \(0x[0-9a-f]*\),.*/\1/p' "$work/out/kernels.c")" "where addresses are"
begin "an address that is compared with a number"
echo 'layout(local_size_x = 64) in; ARGS { reals x; u32s y; };
    void main() { if (uvec2(y) != uvec2(0)) x.at[0] = real(1); }' | compile vector/bad
printf 'shader vector/bad\ntwin vector/bad\n' >>"$work/manifest"
refused 'shaders/vector/bad.comp: compares an address with a number: use is_there() of kernel.glsl'
begin "two guards"
echo 'layout(buffer_reference, scalar, buffer_reference_align = 4) buffer guard { uint word; };
    layout(local_size_x = 64) in; ARGS { guard g; guard h; }; void main() { }' | compile vector/bad
printf 'shader vector/bad\ntwin vector/bad\n' >>"$work/manifest"
refused 'shaders/vector/bad.comp: has 2 members of the type guard: the most is 1'

# constants DECLARATIONS [BLOCK]: a kernel that uses the specialisation constants that are declared.
constants() {
    echo "layout(local_size_x = 64) in; ARGS { u32s x; uint n; } ${2:-a}; $1
        void main() { ${2:-a}.x.at[0] = ${3:-uint(lanes)}; }" | compile vector/odd
    printf 'shader vector/odd\ntwin vector/odd\n' >>"$work/manifest"
}
one='shaders/vector/odd.comp: specialisation constant'
begin "specialisation constants" "F32 F64" "0 1"
constants 'CONSTANT(1, wide); CONSTANT(2, lanes);' a 'lanes + wide'
accepted
grep -q 'uint32_t n;' "$work/out/kernels.h" && grep -q 'offsetof(struct odd_args, lanes) == 16' "$work/out/kernels.c" ||
    fail "they are no members behind ARGS"
grep -q '.push_bytes = 12, .*.constants = 2, .constant = {"wide", "lanes", }' "$work/out/kernels.c" ||
    fail "they are not in the table"
begin "a specialisation constant that is no uint"
constants 'layout(constant_id = 1) const float lanes = 0;'
refused "$one \"lanes\" is not a uint"
begin "a specialisation constant too many"
constants 'CONSTANT(9, lanes);'
refused "$one \"lanes\" has the id 9: the most is 8"
begin "a specialisation constant of the id that FUSES has"
constants 'CONSTANT(0, lanes);'
refused "$one \"lanes\" has the id 0, which is that of FUSES"
begin "a specialisation constant without a name"
constants 'CONSTANT(1, lanes);'
bad=$work/spv/F64.s0/odd.comp.spv
spirv-dis --raw-id --no-header "$bad" | grep -v 'OpName .* "lanes"' |
    spirv-as --preserve-numeric-ids --target-env vulkan1.2 -o "$bad" - || fail "spirv-as"
refused "$one 1 has no name: was it compiled with -O?"
begin "ids of specialisation constants with a gap"
constants 'CONSTANT(3, lanes); CONSTANT(1, wide);' a 'lanes + wide'
refused "shaders/vector/odd.comp: no specialisation constant has the id 2, but one has the id 3"
begin "a specialisation constant with the name of a member of ARGS"
constants 'CONSTANT(1, n);' a n
refused "$one \"n\" has the name of a member of ARGS"
begin "variants that disagree about specialisation constants" "F32 F64"
constants '
#if REAL == 64
    CONSTANT(1, lanes);
#else
    CONSTANT(1, wide);
#define lanes wide
#endif
'
refused 'shaders/vector/odd.comp: member "lanes" is not the same with F64.s0 as with F32.s0'

begin "what is a member in one variant and a specialisation constant in another" "F32 F64"
echo 'layout(local_size_x = 64) in;
#if REAL == 64
    ARGS { u32s x; uint n; uint lanes; } a;
    void main() { a.x.at[0] = a.lanes; }
#else
    ARGS { u32s x; uint n; } a; CONSTANT(1, lanes);
    void main() { a.x.at[0] = lanes; }
#endif' | compile vector/odd
printf 'shader vector/odd\ntwin vector/odd\n' >>"$work/manifest"
refused 'shaders/vector/odd.comp: member "lanes" is not the same with F64.s0 as with F32.s0'

# shared_memory PATH WORDS: a kernel with this much of it in an array and a struct.
shared_memory() {
    echo "layout(local_size_x = 64) in; ARGS { uint n; };
        struct two { uvec2 pair; bool flag; };
        shared uint many[$2]; shared two both[2][4]; shared double one;
        void main() { many[n] = both[n][n].flag ? both[n][n].pair.x : uint(one); }" | compile "$1"
    printf 'shader %s\ntwin %s\n' "$1" "$1" >>"$work/manifest"
}
begin "16 KiB of shared memory"
shared_memory vector/good $((4096 - 24 - 2))
accepted
begin "a word more of shared memory"
shared_memory vector/bad $((4096 - 24 - 1))
refused 'shaders/vector/bad.comp: takes 16388 bytes of shared memory of at most 16384'

begin "a member that is not where C has it"
kernel vector/bad 'reals x; layout(offset = 16) uint n;'
refused 'shaders/vector/bad.comp: member "n" is at offset 16, where C has it at 8: declare ARGS scalar'

begin "descriptors"
echo 'layout(local_size_x = 64) in; ARGS { uint n; };
    layout(binding = 0) buffer store { uint at[]; } kept;
    layout(binding = 1) uniform sampler2D picture;
    layout(binding = 2) uniform settings { uint at; } set;
    void main() { kept.at[0] = set.at + uint(texture(picture, vec2(0)).x); }' | compile vector/bad
printf 'shader vector/bad\ntwin vector/bad\n' >>"$work/manifest"
none='and there are no descriptor sets: give its address in ARGS'
refused "shaders/vector/bad.comp: \"settings\" is a uniform buffer, $none
shaders/vector/bad.comp: \"store\" is a storage buffer, $none
shaders/vector/bad.comp: \"picture\" is a sampled image, $none"

begin "a workgroup of two dimensions"
kernel vector/bad 'uint n;' 'local_size_x = 8, local_size_y = 8'
refused 'shaders/vector/bad.comp: its workgroup is 8 x 8 x 1: expected N x 1 x 1'

begin "two entry points"
kernel vector/bad 'uint n;'
bad=$work/spv/F64.s0/bad.comp.spv
spirv-dis --raw-id --no-header "$bad" | awk '
    /OpEntryPoint/ { print; sub(/%[0-9]+ "main"/, "%901 \"other\"") }
    /= OpFunction / { f = $0 }
    { print }
    END { sub(/%[0-9]+ =/, "%901 =", f); print f "\n%902 = OpLabel\nOpReturn\nOpFunctionEnd" }' |
    spirv-as --preserve-numeric-ids --target-env vulkan1.2 -o "$bad" - || fail "spirv-as"
refused "shaders/vector/bad.comp: must have one entry point, a compute shader's"

begin "variants that disagree" "F32 F64" "0 1"
kernel vector/bad '
#if SUBGROUP
    reals tile;
#else
    sums tile;
#endif
    uint n;
#if REAL == 64
    uint more;
#endif
    ' 'local_size_x = 32 + REAL'
refused 'shaders/vector/bad.comp: member "tile" is not the same with F32.s1 as with F32.s0
shaders/vector/bad.comp: member "more" is not the same with F64.s0 as with F32.s0
shaders/vector/bad.comp: its workgroup is 96 with F64.s0 but 64 with F32.s0
shaders/vector/bad.comp: member "tile" is not the same with F64.s1 as with F32.s0
shaders/vector/bad.comp: its workgroup is 96 with F64.s1 but 64 with F32.s0'

# mixed PATH: the shader of the last case in its mixed variants too.
mixed() {
    for subgroup in $subgroups; do
        compile_as "MIXED.s$subgroup" "$1" -DREAL=64 -DSTORED=32 -DSUBGROUP=$subgroup
    done
    printf 'scalar MIXED F64\nvalues %s\n' "$1" >>"$work/manifest"
}
begin "values in all variants" "F32 F64" "0 1"
kernel sparse/good 'values val; reals x; uint n;'
mixed sparse/good
accepted
begin "values without the line that the build looks for" "F32 F64"
kernel sparse/bad 'reals x; values val; uint n;'
refused 'shaders/sparse/bad.comp: member "val" has the type values, but the build found no line "values val;": expected in the shader or in a file that it includes directly'
begin "mixed variants of what takes no values" "F32 F64"
kernel sparse/bad 'reals x; uint n;'
mixed sparse/bad
refused 'shaders/sparse/bad.comp: the build found a line "values NAME;", but no member of ARGS has the type values'
begin "a mixed variant that is not there" "F32 F64" "0 1"
kernel sparse/bad 'values val; uint n;'
printf 'scalar MIXED F64\nvalues sparse/bad\n' >>"$work/manifest"
refused 'spv/MIXED.s0/bad.comp.spv: No such file or directory
spv/MIXED.s1/bad.comp.spv: No such file or directory'
begin "a mixed variant that disagrees" "F32 F64" "0 1"
kernel sparse/bad '
    values val;
#ifdef STORED
    reals x;
#else
    sums x;
#endif
    uint n;
    ' 'local_size_x = 32
#ifdef STORED
    * 2
#endif
    '
mixed sparse/bad
refused 'shaders/sparse/bad.comp: member "x" is not the same with MIXED.s0 as with F32.s0
shaders/sparse/bad.comp: its workgroup is 64 with MIXED.s0 but 32 with F32.s0
shaders/sparse/bad.comp: member "x" is not the same with MIXED.s1 as with F32.s0
shaders/sparse/bad.comp: its workgroup is 64 with MIXED.s1 but 32 with F32.s0'

begin "names and twins, all reported at once"
kernel vector/good 'uint n;'
kernel vector/spmv-csr 'uint n;'
kernel sparse/good 'uint n;'
kernel stray 'uint n;'
sed -i '/^twin vector\/good$/d' "$work/manifest"
echo 'twin dense/gemv' >>"$work/manifest"
refused 'shaders/vector/good.comp: shaders/sparse/good.comp has the same name
shaders/vector/spmv-csr.comp: "spmv-csr" cannot name a kernel: it is not a C identifier
shaders/stray.comp: expected shaders/<area>/<name>.comp
shaders/vector/good.comp has no twin: expected src/host/vector/good.c
src/host/dense/gemv.c has no shader: expected shaders/dense/gemv.comp'

begin "a kernel that is its own twin"
kernel vector/good 'reals x; number alpha; uint n;'
sed -i 's/^twin/each/' "$work/manifest"
accepted
expect '#define ARGUMENTS_good(ADDRESS, VALUE) ADDRESS(reals, x) VALUE(number, alpha) ADDRESS(uint32_t, n)' \
    "$(grep '^#define' "$work/out/arguments.h")" "its arguments"
begin "a kernel that is its own twin and has another"
kernel vector/bad 'uint n;'
echo 'each vector/bad' >>"$work/manifest"
refused 'shaders/vector/bad.comp includes each.glsl, so it is its own twin: src/host/vector/bad.c is another'

begin "scalar types that are not there"
kernel vector/good 'uint n;'
printf 'scalar F16\nscalar MIXED F16\nscalar F16 F64 F64\n' >>"$work/manifest"
refused 'manifest:5: cannot read "scalar F16"
manifest:6: cannot read "scalar MIXED"
manifest:7: cannot read "scalar F16"'

begin "nothing at all"
refused 'manifest: no kernel found: expected shaders/<area>/<name>.comp'

begin "a good kernel after bad ones" "F32 F64" "0 1"
echo 'layout(local_size_x = 64) in; ARGS { reals x; uint n; };
    real twice(real a) { return a + a; }
    void main() { x.at[n] = twice(x.at[0]); }' | compile vector/good
printf 'shader vector/good\ntwin vector/good\n' >>"$work/manifest"
accepted
expect "arguments.h kernels.c kernels.h" "$(ls "$work/out" | paste -sd ' ' -)" "the files written"

step "a file that is not there, beside good outputs"
good=$work/spv/F64.s1/good.comp.spv
mv "$good" "$work/whole"
refused 'spv/F64.s1/good.comp.spv: No such file or directory'

step "no SPIR-V"
echo 'this is no SPIR-V module' >"$good"
refused 'spv/F64.s1/good.comp.spv: 25 bytes are not a whole number of SPIR-V words'
echo 'this is no SPIR-V, is it?...' | head -c 28 >"$good"
refused "spv/F64.s1/good.comp.spv: not SPIR-V of this machine's byte order"

step "every truncation"
printf 'scalar F64 F64\nsubgroups 1\nshader vector/good\ntwin vector/good\n' >"$work/manifest"
bytes=$(wc -c <"$work/whole")
length=0
while [ "$length" -lt "$bytes" ]; do
    head -c "$length" "$work/whole" >"$good"
    "$generator" "$work/manifest" "$work/spv" "$work/out" >"$work/said" 2>&1
    expect 1 $? "exit status of a file cut at $length bytes"
    grep -q "F64.s1/good.comp.spv: " "$work/said" || fail "cut at $length bytes: does not name the file"
    length=$((length + 4))
done

finish
