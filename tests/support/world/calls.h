/* The calls of world.h, which includes this. */
#ifndef VKS_TESTS_WORLD_CALLS_H
#define VKS_TESTS_WORLD_CALLS_H

/* X(call, the least number of operations that it needs) */
#define CALLS(X)             \
    BATCH_CALLS(X)           \
    BLOCKS_CALLS(X)          \
    FORMAT_CALLS(X)          \
    COO_CALLS(X)             \
    MULTIPLY_CALLS(X)        \
    MIXED_CALLS(X)           \
    DENSE_CALLS(X)           \
    SOLVE_CALLS(X)           \
    X(create_vector, 4)      \
    X(write_vector, 3)       \
    X(read_vector, 3)        \
    X(fill_vector, 3)        \
    X(copy_vector, 3)        \
    X(axpy_vector, 3)        \
    X(dot_vectors, 3)        \
    X(norm_of_vector, 3)     \
    X(sum_of_vector, 3)      \
    X(matrix_from_csr, 6)    \
    X(matrix_in_slices, 15)  \
    X(matrix_from_coo, 6)    \
    X(matrix_read, 6)        \
    X(matrix_write, 3)       \
    X(matrix_set_values, 1)  \
    X(matrix_to_csr, 3)      \
    X(multiply, 3)           \
    X(measure_bandwidth, 10) \
    X(test_arithmetic, 8)    \
    X(create_array, 4)       \
    X(write_array, 1)        \
    X(read_array, 1)         \
    X(fill_array, 3)         \
    X(sort_array, 4)         \
    X(sort_pairs, 5)         \
    X(sort_segments, 7)      \
    X(reduce_array, 7)       \
    X(range_of_array, 7)     \
    X(scan_arrays, 16)       \
    X(count_in_bins, 14)     \
    ALGEBRA_CALLS(X)         \
    ASSEMBLY_CALLS(X)

#endif
