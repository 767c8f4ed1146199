/* Small matrices for the tests. The caller frees them with host_csr_free; failures are test failures. */
#ifndef TESTS_SMALL_MATRIX_H
#define TESTS_SMALL_MATRIX_H

#include "entries/host_csr.h"
#include "tests/support/own.h"

/* A pseudo-random number in 0..limit-1; the same sequence in every run. */
uint32_t below(uint32_t limit);

/* The n x n matrix of `count` triplets, which the caller still owns. */
struct host_csr assemble(uint32_t n, size_t count, uint32_t *row, uint32_t *col, double *val);

/* n x n, with `diagonal` and one constant below and above it, zeros stored. */
struct host_csr tridiagonal(uint32_t n, double lower, double diagonal, double upper);

/* 2 nodes x 2 nodes: tridiagonal with 1 off the diagonal; each entry a becomes a block with a on its diagonal
 * and a c off it. */
struct host_csr coupled_pairs(uint32_t nodes, double diagonal, double c);

/* The matrix of `vksolve generate KIND SIZE`. */
struct host_csr model(const char *kind, uint32_t size);

/* P A P^T for a random permutation P. */
struct host_csr shuffle(const struct host_csr *a);

#endif
