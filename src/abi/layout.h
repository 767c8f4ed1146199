/* The structs of callers that were compiled with older headers.
 *
 * A struct grows only at its end, so an older one is the beginning of today's. But if it holds another struct
 * by value, the members behind that move when it grows, and so do the elements of an array of structs. A
 * layout says where the struct ended in older versions, and which structs it holds. */
#ifndef VKS_ABI_LAYOUT_H
#define VKS_ABI_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum { HEADER_0_1 = 100 }; /* VKS_HEADER of 0.1.0, the oldest version */

/* In headers before this one the struct ended here. */
struct layout_end {
    uint32_t before;
    size_t end;
};

/* `count` structs, one after the other, from the offset `at`. */
struct layout_part {
    const struct layout *of;
    size_t at, count;
};

/* Offsets are those of today's struct. The alignment of a struct is the same in all versions. Both lists end
 * with zeros. */
struct layout {
    size_t size, alignment;
    size_t end;                 /* of the last member; padding may follow */
    struct layout_end older[8]; /* the oldest first */
    struct layout_part parts[4];
};

#define END(type, member) (offsetof(type, member) + sizeof((type *)NULL)->member)
#define BEFORE(header, type, member) \
    {                                \
        header, END(type, member)    \
    }
#define PART(type, member, inner, count)               \
    {                                                  \
        &layout_##inner, offsetof(type, member), count \
    }

/* The size of the struct in that version, which is also the distance of two elements of an array. */
size_t layout_stride(const struct layout *l, uint32_t header);

/* Today's form of a struct that a call reads: the caller's own if its version is the same, otherwise *ours,
 * with zeros in the members that the caller does not know. NULL stays NULL. */
const void *layout_in(const struct layout *l, uint32_t header, const void *theirs, void *ours);

/* The same for a struct that a call fills in. layout_out then writes the caller's. */
void *layout_room(const struct layout *l, uint32_t header, void *theirs, void *ours);
void layout_out(const struct layout *l, uint32_t header, const void *ours, void *theirs);

#endif
