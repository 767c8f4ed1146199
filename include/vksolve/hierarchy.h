/* vksolve/hierarchy.h -- the levels of multigrid in reports.
 *
 * These structs never grow, because they are members of others. */
#ifndef VKSOLVE_HIERARCHY_H
#define VKSOLVE_HIERARCHY_H

#include <stdint.h>

/* The most levels. */
#define VKS_LARGEST_LEVELS 20u

/* A level of a multigrid hierarchy. */
typedef struct vks_level {
    uint32_t rows, entries; /* of its matrix */
    double seconds;         /* of its set-up */
} vks_level;

/* The levels of a multigrid hierarchy, the finest first. */
typedef struct vks_hierarchy {
    uint32_t levels; /* 0: there is no hierarchy */
    vks_level level[VKS_LARGEST_LEVELS];
    double operator_complexity; /* entries of all levels over those of the finest */
    double grid_complexity;     /* rows of all levels over those of the finest */
    uint64_t expected_bytes;    /* the expected maximum of device memory in the set-up, apart from A */
    uint64_t setup_bytes;       /* the actual maximum */
} vks_hierarchy;

#endif
