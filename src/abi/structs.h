/* The public structs, and how they grew.
 *
 * To add a member, put it at the end of the struct, and here as the new .end. If a released version has the
 * struct, add where it ended there: BEFORE(200, ...) is for all headers before 0.2.0. tests/abi/run finds
 * disagreements with the headers. */
#ifndef VKS_ABI_STRUCTS_H
#define VKS_ABI_STRUCTS_H

#include "abi/layout.h"
#include "vksolve/vksolve.h"

/* X(struct, its layout) of those that 0.1.0 has, each after the structs that it holds. Structs that the
 * library passes to functions of the program (vks_progress, vks_operator_view) grow at their ends and need no
 * row. */
#define STRUCTS_OF_0_1(X)                                                                  \
    X(vks_device_info, .end = END(vks_device_info, why_not))                               \
    X(vks_context_options, .end = END(vks_context_options, deferred),                      \
      .older = {BEFORE(200, vks_context_options, message_size)})                           \
    X(vks_selftest, .end = END(vks_selftest, qualifies))                                   \
    X(vks_format_options, .end = END(vks_format_options, lean))                            \
    X(vks_matrix_options, .end = END(vks_matrix_options, unsorted),                        \
      .older = {BEFORE(200, vks_matrix_options, storage)},                                 \
      .parts = {PART(vks_matrix_options, storage, vks_format_options, 1)})                 \
    X(vks_operator, .end = END(vks_operator, bytes))                                       \
    X(vks_cycle, .end = END(vks_cycle, true_residual))                                     \
    X(vks_solve_options, .end = END(vks_solve_options, partners),                          \
      .older = {BEFORE(200, vks_solve_options, cycle_capacity)})                           \
    X(vks_solve_report, .end = END(vks_solve_report, norm_of_b),                           \
      .older = {BEFORE(200, vks_solve_report, together)})                                  \
    X(vks_block_statistics, .end = END(vks_block_statistics, full))                        \
    X(vks_statistics, .end = END(vks_statistics, block),                                   \
      .parts = {PART(vks_statistics, block, vks_block_statistics, VKS_LARGEST_BLOCK + 1)}) \
    X(vks_gauss_jordan_options, .end = END(vks_gauss_jordan_options, no_condition))        \
    X(vks_gauss_jordan_report, .end = END(vks_gauss_jordan_report, seconds))               \
    X(vks_multiply_options, .end = END(vks_multiply_options, drop_below))                  \
    X(vks_block_report, .end = END(vks_block_report, singular_row))                        \
    X(vks_sort_options, .end = END(vks_sort_options, bits))

/* Those that came with 0.2.0. vks_level, vks_hierarchy, vks_attempt, vks_plan_row and vks_partners never
 * grow: they are no parts of what holds them. */
#define STRUCTS_OF_0_2(X)                                            \
    X(vks_level, .end = END(vks_level, seconds))                     \
    X(vks_attempt, .end = END(vks_attempt, precond_options))         \
    X(vks_hierarchy, .end = END(vks_hierarchy, setup_bytes))         \
    X(vks_amg_options, .end = END(vks_amg_options, refresh))         \
    X(vks_precond_options, .end = END(vks_precond_options, user),    \
      .parts = {PART(vks_precond_options, amg, vks_amg_options, 1)}) \
    X(vks_precond_facts, .end = END(vks_precond_facts, steps))       \
    X(vks_partners, .end = END(vks_partners, gather))                \
    X(vks_plan_row, .end = END(vks_plan_row, restart))               \
    X(vks_plan, .end = END(vks_plan, row))

#define STRUCTS(X)    \
    STRUCTS_OF_0_1(X) \
    STRUCTS_OF_0_2(X)

/* Those of vksolve/vulkan.h. vks_vulkan_features never grows: its chain points into it, so it is not copied.
 */
#define STRUCTS_OF_VULKAN(X)                                  \
    X(vks_vulkan_device, .end = END(vks_vulkan_device, user)) \
    X(vks_vulkan_features, .end = END(vks_vulkan_features, extension_count))

/* layout_in, layout_room and layout_out of a struct, with its types. */
#define STRUCT_FUNCTIONS(name, ...)                                                      \
    extern const struct layout layout_##name;                                            \
    static inline const name *name##_in(uint32_t header, const name *theirs, name *ours) \
    {                                                                                    \
        return layout_in(&layout_##name, header, theirs, ours);                          \
    }                                                                                    \
    static inline name *name##_room(uint32_t header, name *theirs, name *ours)           \
    {                                                                                    \
        return layout_room(&layout_##name, header, theirs, ours);                        \
    }                                                                                    \
    static inline void name##_out(uint32_t header, const name *ours, name *theirs)       \
    {                                                                                    \
        layout_out(&layout_##name, header, ours, theirs);                                \
    }

#define STRUCT_LAYOUT(name, ...) \
    const struct layout layout_##name = {.size = sizeof(name), .alignment = _Alignof(name), __VA_ARGS__};

#ifdef VKS_HEADER /* a test compiles the list of 0.1.0 with the headers of 0.1.0 */
STRUCTS(STRUCT_FUNCTIONS)
#endif

#endif
