/* vksolve -- sparse linear systems on any GPU, and on the host. This header includes all others except
 * vulkan.h, eigen.h and eigen_rows.h; each is its own manual:
 *
 *     solver.h, kept_solver.h, report.h, plan.h       solves
 *     batch.h                                         many small systems at once
 *     methods.h, precond.h                            their methods and preconditioners
 *     context.h, status.h                             devices and errors
 *     matrix.h, operator.h, reorder.h, statistics.h   sparse matrices: from arrays, files, functions
 *     assembly.h, algebra.h, multiply.h               sparse matrices: from triplets, from matrices
 *     vector.h, vector_algebra.h, transfer.h          vectors
 *     dense.h, gauss_jordan.h, block.h                dense matrices and small blocks
 *     array.h, primitive.h, sort.h                    reductions, prefix sums, histograms, sorts
 *     partners.h, vulkan.h                            several processes; the program's Vulkan device
 *     eigen.h, fortran/vksolve.f90                    C++ with Eigen; Fortran */
#ifndef VKSOLVE_VKSOLVE_H
#define VKSOLVE_VKSOLVE_H

#include "vksolve/algebra.h"
#include "vksolve/array.h"
#include "vksolve/assembly.h"
#include "vksolve/batch.h"
#include "vksolve/block.h"
#include "vksolve/context.h"
#include "vksolve/dense.h"
#include "vksolve/gauss_jordan.h"
#include "vksolve/hierarchy.h"
#include "vksolve/kept_solver.h"
#include "vksolve/matrix.h"
#include "vksolve/methods.h"
#include "vksolve/multiply.h"
#include "vksolve/operator.h"
#include "vksolve/partners.h"
#include "vksolve/plan.h"
#include "vksolve/precond.h"
#include "vksolve/primitive.h"
#include "vksolve/reorder.h"
#include "vksolve/report.h"
#include "vksolve/solver.h"
#include "vksolve/sort.h"
#include "vksolve/statistics.h"
#include "vksolve/status.h"
#include "vksolve/transfer.h"
#include "vksolve/vector.h"
#include "vksolve/vector_algebra.h"
#include "vksolve/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library: "0.3.0", which may be later than VKS_HEADER of vksolve/version.h. */
const char *vks_version(void) VKS_API;

#ifdef __cplusplus
}
#endif

#endif
