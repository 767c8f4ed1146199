/* The sum of a row of A x, A in BSR: see bsr.glsl. */
#include "sparse/bsr.glsl"

struct four_lanes {
    scalar_t l0, l1, l2, l3;
};

/* Up to four consecutive entries of a row, and their elements of x. */
struct four_entries {
    scalar_t v0, v1, v2, v3;
    scalar_t x0, x1, x2, x3;
};

/* Loads the `count` entries that begin at val[at]. */
four_entries entries_at(bsr A, scalars_in x, uint at, uvec4 col, uint count)
{
    bool is1 = count > 1u, is2 = count > 2u, is3 = count > 3u;
    four_entries e;
    e.v0 = A.val.at[at];
    e.v1 = A.val.at[is1 ? at + 32u : at];
    e.v2 = A.val.at[is2 ? at + 64u : at];
    e.v3 = A.val.at[is3 ? at + 96u : at];
    e.x0 = x.at[col.x];
    e.x1 = x.at[is1 ? col.y : col.x];
    e.x2 = x.at[is2 ? col.z : col.x];
    e.x3 = x.at[is3 ? col.w : col.x];
    return e;
}

scalar_t plus(scalar_t sum, scalar_t v, bool is)
{
    return is ? sum + v : sum;
}

/* `count` entries, the first of which belongs to the first of this part's lanes. */
void add(inout four_lanes s, four_entries e, uint count, uint lanes)
{
    bool is1 = count > 1u, is2 = count > 2u, is3 = count > 3u;
    scalar_t t0 = mul(e.v0, e.x0), t1 = mul(e.v1, e.x1), t2 = mul(e.v2, e.x2), t3 = mul(e.v3, e.x3);
    if (lanes == 1u) {
        s.l0 = plus(plus(plus(s.l0 + t0, t1, is1), t2, is2), t3, is3);
    } else if (lanes == 2u) {
        s.l0 = plus(s.l0 + t0, t2, is2);
        s.l1 = plus(plus(s.l1, t1, is1), t3, is3);
    } else {
        s.l0 = s.l0 + t0;
        s.l1 = plus(s.l1, t1, is1);
        s.l2 = plus(s.l2, t2, is2);
        s.l3 = plus(s.l3, t3, is3);
    }
}

/* The first columns of block q and the next one: four entries from a multiple of four on span at most two. */
uvec2 blocks_at(bsr A, bsr_row p, uint q)
{
    uint last = p.blocks - 1u;
    return uvec2(A.first.at[p.block + 32u * min(q, last)], A.first.at[p.block + 32u * min(q + 1u, last)]);
}

uint column(uvec2 two, uint c, uint size)
{
    return c < size ? two.x + c : two.y + (c - size);
}

uvec4 columns(uvec2 two, uint c, uint size)
{
    return uvec4(two.x + c, column(two, c + 1u, size), column(two, c + 2u, size), column(two, c + 3u, size));
}

/* The lanes of one part of a row whose blocks are full. */
four_lanes full_terms(bsr A, scalars_in x, bsr_row p, uint part, uint parts, uint lanes)
{
    four_lanes s = four_lanes(scalar_t(0), scalar_t(0), scalar_t(0), scalar_t(0));
    uint k = 4u * part, q = over(k, A.size), c = k - q * A.size; /* entry k: column c of block q */
    uint step = 4u * parts, far = over(step, A.size), on = step - far * A.size;
    if (k >= p.entries)
        return s;
    uvec2 two = blocks_at(A, p, q);
    for (; k + 3u < p.entries; k += step) {
        four_entries e = entries_at(A, x, p.val + 32u * k, columns(two, c, A.size), 4u);
        q += far;
        c += on;
        if (c >= A.size) {
            c -= A.size;
            q++;
        }
        two = blocks_at(A, p, q);
        add(s, e, 4u, lanes);
    }
    if (k < p.entries) { /* one to three are left */
        uint count = p.entries - k;
        add(s, entries_at(A, x, p.val + 32u * k, columns(two, c, A.size), count), count, lanes);
    }
    return s;
}

uvec4 next_columns(bsr A, bsr_row p, inout bsr_walk w, uint count)
{
    uvec4 col = uvec4(next_column(A, p, w));
    if (count > 1u)
        col.y = next_column(A, p, w);
    if (count > 2u)
        col.z = next_column(A, p, w);
    if (count > 3u)
        col.w = next_column(A, p, w);
    return col;
}

/* The same for blocks with masks: a walk through them gives the columns. */
four_lanes masked_terms(bsr A, scalars_in x, bsr_row p, uint part, uint parts, uint lanes)
{
    four_lanes s = four_lanes(scalar_t(0), scalar_t(0), scalar_t(0), scalar_t(0));
    bsr_walk w = bsr_walk(0u, 0u, 0u);
    uint k = 4u * part, step = 4u * parts;
    if (k >= p.entries)
        return s;
    leave_out(A, p, w, k);
    for (; k < p.entries; k += step) {
        uint count = min(4u, p.entries - k);
        uvec4 col = next_columns(A, p, w, count);
        add(s, entries_at(A, x, p.val + 32u * k, col, count), count, lanes);
        if (k + step < p.entries)
            leave_out(A, p, w, step - 4u);
    }
    return s;
}

shared scalar_t lanes_of_parts[4][256];

/* The strides of the halving tree that join lanes of different parts; the first part gets the result. Part p of row j
 * of this workgroup is invocation p * (256 / parts) + j. Called by the whole workgroup. */
void join_parts(inout four_lanes s, uint part, uint parts)
{
    for (uint stride = parts / 2u; stride > 0u; stride /= 2u) {
        barrier();
        if (part >= stride && part < 2u * stride) {
            lanes_of_parts[0][ME] = s.l0;
            lanes_of_parts[1][ME] = s.l1;
            lanes_of_parts[2][ME] = s.l2;
            lanes_of_parts[3][ME] = s.l3;
        }
        barrier();
        if (part < stride) {
            uint other = ME + stride * (256u / parts);
            s.l0 = s.l0 + lanes_of_parts[0][other];
            s.l1 = s.l1 + lanes_of_parts[1][other];
            s.l2 = s.l2 + lanes_of_parts[2][other];
            s.l3 = s.l3 + lanes_of_parts[3][other];
        }
    }
}

uint parts_of(uint lanes)
{
    return max(1u, lanes / 4u);
}

/* The sum of row p, for its first part. Called by the whole workgroup. */
scalar_t bsr_sum(bsr A, scalars_in x, bsr_row p, uint part, uint lanes)
{
    uint parts = parts_of(lanes);
    four_lanes s;
    if (A.full)
        s = full_terms(A, x, p, part, parts, lanes);
    else
        s = masked_terms(A, x, p, part, parts, lanes);
    join_parts(s, part, parts);
    if (lanes >= 4u) {
        s.l0 = s.l0 + s.l2;
        s.l1 = s.l1 + s.l3;
    }
    return lanes >= 2u ? s.l0 + s.l1 : s.l0;
}
