/* A triangle mesh of a square plate with a round hole, and the terms of linear finite elements: shared by
 * heat.c and by the PETSc program that it is compared with. */
#ifndef HEAT_MESH_H
#define HEAT_MESH_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Rings of nodes around the hole, from its edge to that of the plate, which is two units wide. */
struct heat_mesh {
    uint32_t rings, around; /* cells */
    uint32_t nodes, triangles;
    double *x, *y;         /* of each node */
    uint32_t (*corner)[3]; /* of each triangle, counterclockwise */
};

static inline uint32_t heat_node(const struct heat_mesh *m, uint32_t ring, uint32_t j)
{
    return ring * m->around + j % m->around;
}

static inline void heat_mesh_free(struct heat_mesh *m)
{
    free(m->x);
    free(m->y);
    free(m->corner);
}

/* Returns 0 if there is no memory. */
static inline int heat_mesh_make(uint32_t rings, struct heat_mesh *m)
{
    const double hole = 0.3, pi = acos(-1);
    *m = (struct heat_mesh){.rings = rings, .around = 4 * rings};
    m->nodes = (rings + 1) * m->around;
    m->triangles = 2 * rings * m->around;
    m->x = malloc(m->nodes * sizeof *m->x);
    m->y = malloc(m->nodes * sizeof *m->y);
    m->corner = malloc(m->triangles * sizeof *m->corner);
    if (!m->x || !m->y || !m->corner)
        return 0;
    for (uint32_t i = 0; i <= rings; i++)
        for (uint32_t j = 0; j < m->around; j++) {
            double angle = 2 * pi * j / m->around, c = cos(angle), s = sin(angle), t = (double)i / rings;
            double edge = 1 / fmax(fabs(c), fabs(s)), radius = hole + (edge - hole) * t;
            m->x[heat_node(m, i, j)] = radius * c;
            m->y[heat_node(m, i, j)] = radius * s;
        }
    uint32_t e = 0;
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t j = 0; j < m->around; j++) {
            uint32_t a = heat_node(m, i, j), b = heat_node(m, i + 1, j);
            uint32_t c = heat_node(m, i + 1, j + 1), d = heat_node(m, i, j + 1);
            uint32_t two[2][3] = {{a, b, c}, {a, c, d}};
            for (int k = 0; k < 2; k++, e++)
                for (int v = 0; v < 3; v++)
                    m->corner[e][v] = two[k][v];
        }
    return 1;
}

/* The area of triangle e, and the integrals of grad u_a . grad u_b over it. */
static inline double heat_stiffness(const struct heat_mesh *m, uint32_t e, double k[3][3])
{
    double x[3], y[3], gx[3], gy[3];
    for (int v = 0; v < 3; v++) {
        x[v] = m->x[m->corner[e][v]];
        y[v] = m->y[m->corner[e][v]];
    }
    double twice = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    for (int v = 0; v < 3; v++) {
        gx[v] = (y[(v + 1) % 3] - y[(v + 2) % 3]) / twice;
        gy[v] = (x[(v + 2) % 3] - x[(v + 1) % 3]) / twice;
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            k[a][b] = twice / 2 * (gx[a] * gx[b] + gy[a] * gy[b]);
    return twice / 2;
}

/* The length of piece j of the hole's edge, from its node j to the next. */
static inline double heat_edge(const struct heat_mesh *m, uint32_t j)
{
    uint32_t a = heat_node(m, 0, j), b = heat_node(m, 0, j + 1);
    return hypot(m->x[a] - m->x[b], m->y[a] - m->y[b]);
}

#endif
