#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_buffer_reference_uvec2 : require
#if REAL == 64
#define real double
#else
#define real float
#endif
#ifdef STORED
#define stored float
#else
#define stored real
#endif
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer values { stored at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer u32s { uint at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer reals { real at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) coherent buffer sums { real at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer number { real value; };
#define ARGS layout(push_constant, scalar) uniform args
#define CONSTANT(id, name) layout(constant_id = id) const uint name = 0
