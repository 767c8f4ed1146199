#pragma once
#define SCALAR_TYPES(X)                     \
    X(F32, f32, float, F32, F32, F32, FLT)  \
    X(F64, f64, double, F64, F64, F64, DBL) \
    X(MIXED, mixed, double, F64, F64, F32, DBL)
enum precision {
#define X(NAME, name, type, element, real, stored, limits) PRECISION_##NAME,
    SCALAR_TYPES(X)
#undef X
};
