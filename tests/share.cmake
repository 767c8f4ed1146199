# How ./run test shares the tests between its two builds, and what it leaves to ./run test-device.
#
#   vks_tests_share(<suite> <source>)  sets `runs` to whether the suite runs in this build, and `share` to its environment
#
# A suite runs under the sanitizers, but for its tests of bits, which run in the release build.

set(VKS_TESTS_SHARE all CACHE STRING "all; or what ./run test runs in this build: release, or sanitizers")
if(NOT VKS_TESTS_SHARE MATCHES "^(all|release|sanitizers)$")
    message(FATAL_ERROR "VKS_TESTS_SHARE is '${VKS_TESTS_SHARE}': must be all, release or sanitizers")
endif()

# Tests of bits, by parts of their names: they compare devices, threads and instruction sets.
set(tests_of_bits same_bits equal_bits bits_of_one_that_is_made_again bits_of_a_new_set_up any_number_of_threads with_any_threads
    on_host_and_gpu on_lavapipe on_a_gpu any_device every_device for_every_shape_and_size in_a_long_time)

# Suites that run in the release build alone: programs, the order of sums, time, large systems, kernels that only lavapipe runs.
set(suites_in_release
    amg_singular amg_solve assembly batches block_jacobi blocks_multiply bsr cancel choose cli cli_amg cli_dense cli_formats cli_method
    cli_mixed cli_nodes cli_plot cli_precond cli_reorder cli_solve cli_sort cli_spmv cli_spy convert coo format
    gauss_jordan_bits gauss_jordan_lapack hot jacobi kernels_bsr kernels_coded kernels_dot kernels_large kernels_slices
    kernels_solver kernels_sparse lanes long_rows mixed mixed_algebra multiply multiply_options operator operator_gpu operator_solver
    pairs_solve parity precond primitive_scan_once product_then refinement shared_values slices
    solver_bits solver_endings sort sort_segments spmv_measure spmv_rows statistics timing together vks_solver vulkan_split)

# Other suites run in both builds if they have tests that the sanitizers' build lacks: of failing memory and of large arrays.
set(lacking_tests "failing_memory[.]h|support/large[.]h|__SANITIZE_ADDRESS__")

# Lavapipe takes most of the time. The tests for both devices in these suites run on the host alone, and these tests not at
# all, unless VKSOLVE_TEST_DEVICE names a device.
set(suites_on_host
    algebra algebra_values amg_hierarchy amg_keep_memory amg_nodes_values amg_range amg_solve amg_unsymmetric amg_values assembly
    auto batch batch_bicgstab batch_direct batch_ends batches block block_jacobi blocks blocks_multiply bsr cancel chebyshev
    chebyshev_bound choose coded convert coo cycles dense direct direct_kept fixed_point fsai fsai_refuse gauss_jordan ilut ilut_solve jacobi kept long_rows lsmr lsmr_calls
    lsmr_paper minres mixed mixed_algebra multigrid_modes multigrid_tentative multiply multiply_options multiply_refuse no_solution
    norms not_singular null_space operator_solver precond precond_apply primitive_histogram primitive_reduce product_then refined
    refinement refinement_endings richardson saddle scaled shared_values solver solver_endings spmv_transpose transpose
    vector_algebra vks_solver)
set(tests_on_device
    begins_with_what_is_best_by_its_solves_on_every_device
    cg_solves_elasticity_with_each_kind_with_equal_bits
    does_not_break_down_on_a_few_rows_or_elements
    every_format_holds_and_multiplies_as_with_f64_on_lavapipe
    conjugate_gradients_.*have_the_defined_bits_a(t|bove)_524288_unknowns
    gives_the_same_bits_on_lavapipe.*
    gives_the_same_bits_where_three_groups_stride_over_all_rows
    has_the_same_bits_on_all_devices_at_the_edges_of_squads_and_groups
    host_and_gpu_give_the_same_bits_in_f32
    of_every_height_and_sigma_are_csr_again_and_multiply_as_csr_on_lavapipe
    of_every_shape_have_products_of_many_lanes_with_the_bits_of_csr
    products_have_the_bits_of_csr_for_each_two_values_of_constants_on_a_gpu
    products_have_the_bits_of_csr_for_every_size_and_lane_count
    solvers_and_applications_follow_a_matrix_whose_arrays_move
    sums_have_the_defined_bits_(around_4194304|above_16777216)_elements)

list(JOIN tests_of_bits "|" tests_of_bits)
list(JOIN tests_on_device "|" tests_on_device)
foreach(suite IN LISTS suites_in_release suites_on_host)
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/test_${suite}.c")
        message(FATAL_ERROR "tests/share.cmake names a suite that does not exist: ${suite}")
    endif()
endforeach()

function(vks_tests_share suite source)
    string(REPLACE "test_" "" name "${suite}")
    file(READ "${source}" text)
    set(runs TRUE)
    set(share "VKS_TESTS_ON_DEVICE=^(${tests_on_device})$")
    if(name IN_LIST suites_on_host)
        list(APPEND share VKS_TESTS_ON_HOST=1)
    endif()
    if(name IN_LIST suites_in_release)
        if(VKS_TESTS_SHARE STREQUAL sanitizers)
            set(runs FALSE)
        endif()
    elseif(VKS_TESTS_SHARE STREQUAL sanitizers)
        list(APPEND share "VKS_TESTS_LEFT_OUT=${tests_of_bits}")
    elseif(VKS_TESTS_SHARE STREQUAL release AND NOT text MATCHES "${lacking_tests}")
        list(APPEND share "VKS_TESTS_ALONE=${tests_of_bits}")
        if(NOT text MATCHES "\n *(Test[A-Za-z]*|TEST_BY)\\([^)]*(${tests_of_bits})")
            set(runs FALSE)
        endif()
    endif()
    set(runs ${runs} PARENT_SCOPE)
    set(share "${share}" PARENT_SCOPE)
endfunction()
