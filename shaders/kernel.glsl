/* The vocabulary of all kernels. A kernel is compiled once with REAL=32 and once with REAL=64, each with
 * SUBGROUP=0 (any device) and SUBGROUP=1 (subgroups are full and 32 or 64 wide); a kernel that takes `values` also
 * with REAL=64 and STORED=32.
 *
 *   scalar_t, scalars, number      an element of a vector or a matrix; addresses of an array and of a single one
 *   real, reals, real_number       the same for a magnitude: a norm, a bound, a weight
 *   guard                          the address of a word: at most one argument, which the recording fills in
 *                                  (rec_guard of src/device/record.h). If stopped(), the kernel changes nothing. It
 *                                  tests this after issuing its first loads
 *   zeros none;                    an argument that verbs omit. A device passes the address of its zeros in place of
 *                                  every null address, so all addresses can be read: some drivers also read in branches
 *                                  that are not taken. A kernel with arguments that may be null takes `none`, has
 *                                  DEFINE_NO_ADDRESS after ARGS, and tests is_there(uvec2(argument))
 *   wide_t, wides                  an element in double precision, and an array of them
 *   stored, values                 an entry of a matrix and an array of them, which may be narrower than scalar_t if
 *                                  all entries survive that; for kernels that compute with them. Kernels that only move
 *                                  entries take scalars, and run in the precision in which entries are stored
 *   ARGS { ... };                  the arguments: addresses and uints only, at most 128 bytes
 *   CONSTANT(1, name);             more arguments, uints that are constants of a pipeline: one pipeline for each
 *                                  combination in use. For facts of a matrix or a solve that select code in an inner
 *                                  loop. Their ids are 1, 2 ... 8
 *   FOR_EACH(i, n)                 i over 0 .. n-1, spread over all invocations, whatever the workgroup count
 *   ME, SQUAD, LANE                this invocation in its workgroup of 256; lane groups are 32 lanes that may exchange
 *                                  registers (if SUBGROUP is 1, by squad_shuffle, subgroupShuffleXor, squad_ballot and
 *                                  squad_sync): ME = 32 SQUAD + LANE
 *
 *   INLINE, STRUCT(name)           begin a function and a struct that are also C (src/host/words.h). Such functions
 *                                  take the arguments that they need from ARGS as parameters
 *
 * Products of elements are in algebra.glsl, sums (in an order that is the same on every device) in sum.glsl, division
 * and square root in exact.glsl, values as pairs of floats in pairs.glsl. */
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require
#if SUBGROUP
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

#if REAL == 64
#define real double
#define REAL_BYTES 8
#else
#define real float
#define REAL_BYTES 4
#endif

/* Today all elements are real: the types are equal, and arrays of both have one name in SPIR-V. */
#define scalar_t real
#define SCALAR_BYTES REAL_BYTES
#define scalars reals
#define scalars_in reals_in
#define real_number number
#define wide_t double
#define wides doubles

#ifndef STORED
#define STORED REAL
#endif
#if STORED == REAL
#define stored scalar_t
#define STORED_BYTES SCALAR_BYTES
#else
#define stored float
#define STORED_BYTES 4
#endif

layout(local_size_x = 256) in;

#define ADDRESS(bytes) layout(buffer_reference, scalar, buffer_reference_align = bytes)
#define FORWARD layout(buffer_reference) /* forward declaration; newer compilers reject other qualifiers */
ADDRESS(4) buffer u32s { uint at[]; };
ADDRESS(REAL_BYTES) buffer reals { real at[]; };
ADDRESS(STORED_BYTES) buffer values { stored at[]; };
ADDRESS(SCALAR_BYTES) buffer number { scalar_t value; };
ADDRESS(8) buffer doubles { double at[]; };
ADDRESS(4) buffer guard { uint word; };
ADDRESS(4) buffer zeros { uint word; };

#define INLINE
#define STRUCT(name) struct name
#define ARGS layout(push_constant, scalar) uniform args
#define CONSTANT(id, name) layout(constant_id = id) const uint name = 0

#if SUBGROUP
layout(constant_id = 0) const bool HALVES = false; /* subgroups are 64 wide, and each half of one is a lane group */

uint squad_of_invocation()
{
    return HALVES ? 2u * gl_SubgroupID + (gl_SubgroupInvocationID >> 5) : gl_SubgroupID;
}

uint lane_of_invocation()
{
    return HALVES ? gl_SubgroupInvocationID & 31u : gl_SubgroupInvocationID;
}

/* The subgroup lane of lane `lane` of this lane group. */
uint in_subgroup(uint lane)
{
    return HALVES ? gl_SubgroupInvocationID & 32u | lane : lane;
}

/* One bit for each lane of the lane group whose condition holds. */
uint squad_ballot(bool so)
{
    uvec4 all = subgroupBallot(so);
    return HALVES && gl_SubgroupInvocationID >= 32u ? all.y : all.x;
}

/* Barrier for the lane group; makes its writes to shared memory visible. If a subgroup has two lane groups, its lanes
 * run in lockstep, and the other group may be elsewhere in the code. */
void squad_sync()
{
    if (HALVES)
        subgroupMemoryBarrierShared();
    else
        subgroupBarrier();
}

#define squad_shuffle(v, lane) subgroupShuffle(v, in_subgroup(lane))
#define SQUAD squad_of_invocation()
#define LANE lane_of_invocation()
#else
#define SQUAD (gl_LocalInvocationIndex >> 5)
#define LANE (gl_LocalInvocationIndex & 31u)
#endif
#define ME (32u * SQUAD + LANE)

#define FOR_EACH(i, n)                                                                                        \
    for (uint i = gl_WorkGroupID.x * 256u + ME; i < (n); i += gl_NumWorkGroups.x * 256u)

bool stopped(guard g)
{
    return g.word != 0u;
}

uvec2 no_address(); /* the address passed for an omitted array */
#define DEFINE_NO_ADDRESS     \
    uvec2 no_address()    \
    {                  \
        return uvec2(none); \
    }

bool is_there(uvec2 address)
{
    return address != no_address();
}

uint groups_of(uint n, uint size)
{
    return n / size + uint(n % size != 0);
}
