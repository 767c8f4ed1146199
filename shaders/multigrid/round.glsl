/* Rounds in which rows become roots. Two roots are not neighbours, and have no common neighbour. */
#include "hash.glsl"
#include "multigrid/strength.h"

/* The key of an undecided row: the largest in its neighbourhood becomes a root. */
uint key_of(uint i, uint round)
{
    return clamp(hash(i * 2654435761u + round * 0x9E3779B9u), 1u, KEY_ROOT - 1u);
}
