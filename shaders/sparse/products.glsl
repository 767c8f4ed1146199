/* The products of a row of A B, in ascending k: a team lists TEAM entries a_ik of the row at a time, with the entries
 * of row k of B that they meet, and then takes the products one by one, however they are spread over the rows of B. */
#include "sparse/team.glsl"

shared uint product_end[256];   /* products up to and with those of an entry of the list */
shared uint product_shift[256]; /* what a product's number is less than its entry of B (modulo 2^32) */

#define LIST (TEAM * MY_TEAM)

/* Lists `count` entries of B from `begin` on as met by the entry of A at this place; returns how many products the
 * whole list has. Called by the whole team, which must have met since it used the last list. */
uint list_products(uint begin, uint count)
{
    uint end = up_to(count);
    product_end[ME] = end;
    product_shift[ME] = begin - (end - count);
    meet();
    return product_end[LIST + TEAM - 1u];
}

/* The place in the list of product p. */
uint place_of(uint p)
{
    uint place = 0;
    [[unroll]] for (uint step = TEAM / 2u; step > 0; step /= 2u)
        place += product_end[LIST + place + step - 1u] <= p ? step : 0;
    return place;
}
