/* Kinds of entries, shared by kernels, twins, verbs and tests. A kind is an entry's distance from its row's
 * diagonal, and the bits of its value. In a matrix with few kinds an entry is stored as a code, the number of
 * its kind, from 1 on.
 *
 * Kinds are found by a hash table with open addressing. A slot is two words: a mark, 0 while it is free, and
 * the code. A kind has a home, where the search begins, and a mark, which identifies it: two kinds with the
 * same mark are extremely unlikely, and are detected when entries are stored. */
#define KINDS_MOST 65535u
#define KINDS_OF_A_BYTE 255u
#define KIND_SLOTS_EACH 2u /* minimum number of slots for each possible kind */
#define KIND_SLOTS_LEAST 64u
#define KIND_PROBES 128u /* most slots that are searched for a kind */

/* Home and mark are computed from seeds, the words of a kind in order, and a final step: A. Appleby's
 * MurmurHash3, with its constants. */
#define KIND_HOME 0x9E3779B9u
#define KIND_MARK 0x7F4A7C15u
#define KIND_HOME_TAKES(h, word) (h = ((h) ^ (word)) * 0x85EBCA6Bu, h ^= (h) >> 15)
#define KIND_MARK_TAKES(h, word) (h = ((h) ^ (word)) * 0xCC9E2D51u, h ^= (h) >> 13)
#define KIND_ENDS(h) (h *= 0xC2B2AE35u, h ^= (h) >> 16)
