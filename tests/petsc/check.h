/* Shared by the checks of the plug-in: each is a function that fails by an error of PETSc. */
#ifndef VKS_TESTS_PETSC_CHECK_H
#define VKS_TESTS_PETSC_CHECK_H

#include <petscksp.h>

struct check {
    const char *name;
    PetscErrorCode (*run)(void);
};
/* The last of each has no name. */
extern const struct check vec_checks[], vec_array_checks[], sequence_checks[], mat_checks[],
    mat_type_checks[], mat_partner_checks[], solver_checks[], choice_checks[], kept_checks[], amg_checks[];

#define OURS "aijvksolve"

#define CHECK(condition) PetscCheck(condition, PETSC_COMM_SELF, PETSC_ERR_PLIB, "not true: %s", #condition)

/* A Vec of the type, with `local` elements on each rank except the last one, which has none if there are
 * several; element i has the value `scale` sin(i + phase) + 2. */
PetscErrorCode make_vec(VecType type, PetscInt local, PetscReal scale, PetscReal phase, Vec *v);

/* Checks that the elements of two Vecs of any types differ by at most `tolerance`. */
PetscErrorCode check_equal(Vec a, Vec b, PetscReal tolerance);

/* A matrix of rows x cols elements a rank, with about four entries a row, some in columns of other ranks;
 * `seed` determines the values. */
PetscErrorCode make_mat(MatType type, PetscInt rows, PetscInt cols, PetscInt seed, Mat *M);

/* The same matrix in OURS and MATAIJ. */
PetscErrorCode make_two(PetscInt rows, PetscInt cols, Mat M[2]);
PetscErrorCode destroy_two(Mat M[2]);

/* Checks whether the type of M is "seq" or "mpi" followed by root. */
PetscErrorCode check_type(Mat M, const char *root, PetscBool is);

/* Checks that a and b multiply alike: M x, y + M x, M^T x, y + M^T x. */
PetscErrorCode check_products(Mat a, Mat b);

/* The matrix of a path of n points, 2 (and `more`) on its diagonal, on this process alone. */
PetscErrorCode make_path(MatType type, PetscInt n, PetscReal more, Mat *M);

#define SYSTEM_ROWS 50

/* A KSP for M x = M ones, and its vectors; x is zero. */
struct system {
    Mat M;
    Vec x, b, ones;
    KSP ksp;
    PC pc;
};

/* On this process alone; pc NULL: PETSc's choice. */
PetscErrorCode make_system(struct system *s, MatType mat, KSPType ksp, PCType pc);
PetscErrorCode destroy_system(struct system *s);

/* Solves, and checks the reason; if it is positive, also the solution. */
PetscErrorCode expect(struct system *s, KSPConvergedReason wanted);

#endif
