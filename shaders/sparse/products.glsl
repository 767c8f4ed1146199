/* The products of a row of A B, in ascending k: a team lists TEAM entries a_ik of the row at a time, with the entries
 * of row k of B for each, and then processes the products in order, however they are distributed over the rows of B. */
#include "sparse/team.glsl"

shared uint product_end[256];   /* number of products up to and including an entry of the list */
shared uint product_shift[256]; /* entry of B minus the product's number (modulo 2^32) */

#define LIST (TEAM * MY_TEAM)

/* Lists `count` entries of B, starting at `begin`, for the entry of A at this position; returns the number of products
 * in the whole list. Called by the whole team, after a barrier since the last list was used. */
uint list_products(uint begin, uint count)
{
    uint end = up_to(count);
    product_end[ME] = end;
    product_shift[ME] = begin - (end - count);
    synchronise();
    return product_end[LIST + TEAM - 1u];
}

/* List index of product p. */
uint place_of(uint p)
{
    uint place = 0;
    [[unroll]] for (uint step = TEAM / 2u; step > 0; step /= 2u)
        place += product_end[LIST + place + step - 1u] <= p ? step : 0;
    return place;
}
