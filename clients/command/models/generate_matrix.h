/* Model problems of any size: for `vksolve generate`, the tests and the benchmarks. All are symmetric
 * positive definite, exactly symmetric in floating point, and the same bits on any number of threads.
 *
 * Grids have `size` points a side; point (x, y, z) is number (x size + y) size + z, in two dimensions
 * y size + z. Only unknowns are rows: neighbours on the Dirichlet boundary are left out of the matrix. Values
 * are unscaled (multiply by 1/h^2 for a Laplacian).
 *
 *   kind           rows        entries              stencil
 *   poisson2d      size^2      5 size^2 - 4 size    4, four neighbours -1
 *   poisson3d      size^3      7 size^3 - 6 size^2  6, six neighbours -1
 *   poisson3d27    size^3      (3 size - 2)^3       26, twenty-six neighbours -1
 *   elasticity3d   3 size^3    9 (3 size - 2)^3     3 x 3 blocks over the 27 points
 *   dense          size        size^2               none: all entries
 *
 * elasticity3d: isotropic linear elasticity, Young's modulus 1, Poisson's ratio 0.3, trilinear bricks (8
 * nodes) of side 1, 2 x 2 x 2 Gauss points. The bar has size x (size-1) x (size-1) bricks; its face of nodes
 * x = 0 is clamped and eliminated, which leaves size^3 nodes; node (x, y, z) above is the mesh node (x+1, y,
 * z). Unknown 3 node + c is the displacement along axis c. Entries that cancel to zero are kept: the pattern
 * is the mesh's. Needs size >= 2.
 *
 * dense: Lehmer's matrix, min(i, j) / max(i, j) counted from 1. M. Newman, J. Todd, "The evaluation of matrix
 * inversion programs", J. SIAM 6 (1958).
 *
 * The peer benchmarks (poisson2d:K, poisson3d:K, poisson3d27:K, elasticity:K) have the same rows, columns
 * and, for the Poisson problems, values; their elasticity differs in one thing, a random Young's modulus in
 * [1,2) per brick. */
#ifndef VKS_COMMAND_MODELS_GENERATE_MATRIX_H
#define VKS_COMMAND_MODELS_GENERATE_MATRIX_H

#include "command/shared/coordinates.h"
#include "entries/host_csr.h"

/* X(name, text) */
#define MODEL_PROBLEMS(X)                                                                              \
    X(poisson2d, "5-point Laplacian on a square grid, N x N unknowns")                                 \
    X(poisson3d, "7-point Laplacian on a cubic grid, N x N x N unknowns")                              \
    X(poisson3d27, "27-point Laplacian on a cubic grid, N x N x N unknowns")                           \
    X(elasticity3d, "elasticity of a bar of bricks clamped at one end, 3 unknowns at N x N x N nodes") \
    X(dense, "Lehmer's matrix min(i, j) / max(i, j), N x N, all entries")

/* Generates the model problem `kind`, one of the names above, into *a (owned by the caller; zeroed on
 * failure). VKS_INVALID_ARGUMENT: an unknown kind, size 0, or 1 for elasticity3d; VKS_LIMIT: more than
 * VKS_MAX_ROWS rows or VKS_MAX_ENTRIES entries; VKS_OUT_OF_MEMORY. */
vks_status generate_matrix(struct message *m, const char *kind, uint32_t size, struct host_csr *a);

/* The coordinates of the nodes of elasticity3d in the order of their unknowns, for bricks of side 1: node (x,
 * y, z) is at (x + 1, y, z). The caller owns *c (coordinates_free); it is zeroed on failure. VKS_LIMIT: more
 * rows than generate_matrix allows; VKS_OUT_OF_MEMORY. */
vks_status generate_coordinates(struct message *m, uint32_t size, struct coordinates *c);

/* The 24 x 24 stiffness matrix of one brick of side 1 and Young's modulus 1. Local node 4 x + 2 y + z, with
 * x, y, z in {0, 1}, has the unknowns 3 node + 0, 1, 2. Exactly symmetric. Hughes, The Finite Element Method,
 * Dover 2000, sections 2.8 to 2.10 and 3.5 (B^T D B), 3.8 (Gauss rules). */
void brick_stiffness(double poisson_ratio, double k[24][24]);

#endif
