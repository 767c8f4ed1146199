/* A layer between a device and its operations, for the tests only:
 *
 *   - each array gets a guard zone before and after it. The zones and the fresh array hold words that are
 * found nowhere else and are NaNs in every precision. So a kernel that reads outside its arrays, or reads
 * unwritten elements, gives NaNs; one that writes outside them is found by guards_check and at the array's
 * release;
 *   - the k-th operation that can fail fails on demand, like that of an exhausted or lost device. */
#ifndef VKS_TESTS_INTERPOSE_H
#define VKS_TESTS_INTERPOSE_H

#include "device/record.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 256 };

/* An array as its user sees it, and the larger one that contains it. */
struct guarded_block {
    struct guarded_block *next;
    struct memory outer;
    uint64_t address, bytes;
    const char *what;
    bool imported; /* imported memory has no guards */
    unsigned char before[GUARD], after[GUARD];
};

struct interposed {
    struct interposed *next;
    struct device *device;
    const struct device_ops *real;
    struct guarded_block *blocks;
    uint32_t live;             /* arrays */
    uint32_t calls, fail_call; /* the fail_call-th call fails; 0 for none */
    uint32_t injected;         /* failures so far */
    vks_status status;         /* of the injected failure */
    uint32_t submissions, reads, waits, allocations, *destroyed;
};

static struct interposed *interposed_devices;

static inline struct interposed *interposed_of(const struct device *d)
{
    struct interposed *i = interposed_devices;
    while (i && i->device != d)
        i = i->next;
    cr_assert_not_null(i);
    return i;
}

/* A word that no other array holds. */
static inline uint32_t guard_word(void)
{
    static uint32_t serial;
    return 0xFFF00001u | (serial++ * 2 & 0xFFFFFu);
}

static inline void guard_fill(void *to, uint64_t bytes)
{
    unsigned char *p = to;
    for (; bytes >= 4; p += 4, bytes -= 4) {
        uint32_t word = guard_word();
        memcpy(p, &word, 4);
    }
    uint32_t word = guard_word();
    memcpy(p, &word, bytes);
}

/* Counts a call; true if it must fail. The failure is then reported as the device would. */
static inline bool injected(struct interposed *i, vks_status status, const char *operation)
{
    if (++i->calls != i->fail_call)
        return false;
    i->injected++;
    i->status = status;
    set_message(i->device->message, "injected failure of call %u (%s)", i->calls, operation);
    return true;
}

/* The block that contains the memory, which may be a part of it. */
static inline struct guarded_block *block_of(struct interposed *i, const struct memory *m)
{
    struct guarded_block *b = i->blocks;
    while (b && (m->address < b->address || m->address - b->address > b->bytes))
        b = b->next;
    cr_assert_not_null(b, "a transfer or release of memory that is not allocated");
    return b;
}

static inline void block_transfer(struct interposed *i, struct guarded_block *b, uint64_t offset, void *data,
                                  uint64_t bytes, bool write)
{
    vks_status s = VKS_OK;
    if (b->outer.mapped && write)
        memcpy((char *)b->outer.mapped + offset, data, bytes);
    else if (b->outer.mapped)
        memcpy(data, (char *)b->outer.mapped + offset, bytes);
    else if (write)
        s = i->real->write(i->device, &b->outer, offset, data, bytes);
    else
        s = i->real->read(i->device, &b->outer, offset, data, bytes);
    cr_assert_eq(s, VKS_OK, "%s: %s", b->what, i->device->message->text);
}

/* GUARD if there is none. */
static inline int first_difference(const unsigned char *a, const unsigned char *b)
{
    int k = 0;
    while (k < GUARD && a[k] == b[k])
        k++;
    return k;
}

static inline void block_check(struct interposed *i, struct guarded_block *b)
{
    unsigned char now[GUARD];
    if (b->imported)
        return;
    block_transfer(i, b, 0, now, GUARD, false);
    int k = first_difference(now, b->before);
    cr_assert_eq(k, GUARD, "a write %d bytes before the beginning of \"%s\" (%llu bytes)", GUARD - k, b->what,
                 (unsigned long long)b->bytes);
    block_transfer(i, b, GUARD + b->bytes, now, GUARD, false);
    k = first_difference(now, b->after);
    cr_assert_eq(k, GUARD, "a write %d bytes beyond the end of \"%s\" (%llu bytes)", k, b->what,
                 (unsigned long long)b->bytes);
}

/* Fails the test if a kernel has written outside its arrays. No work may be running. */
static inline void guards_check(const struct device *d)
{
    struct interposed *i = interposed_of(d);
    for (struct guarded_block *b = i->blocks; b; b = b->next)
        block_check(i, b);
}

/* FNV-1a over all arrays of the device except those called `except`. No work may be running. */
static inline uint64_t arrays_hash(const struct device *d, const char *except)
{
    struct interposed *i = interposed_of(d);
    uint64_t h = 0xCBF29CE484222325u;
    for (struct guarded_block *b = i->blocks; b; b = b->next) {
        unsigned char *content = malloc(b->bytes + 1);
        cr_assert_not_null(content);
        block_transfer(i, b, b->imported ? 0 : GUARD, content, b->bytes, false);
        for (uint64_t k = 0; k < b->bytes && strcmp(b->what, except); k++)
            h = (h ^ content[k]) * 0x100000001B3u;
        free(content);
    }
    return h;
}

static vks_status guarded_allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                                   struct memory *out)
{
    struct interposed *i = interposed_of(d);
    i->allocations++;
    if (injected(i, VKS_DEVICE_MEMORY, "allocate"))
        return VKS_DEVICE_MEMORY;
    struct guarded_block *b = calloc(1, sizeof *b);
    unsigned char *fresh = malloc(bytes + 2 * GUARD);
    cr_assert(b && fresh);
    vks_status s = i->real->allocate(d, kind, bytes + 2 * GUARD, what, &b->outer);
    if (s) {
        free(b);
        free(fresh);
        return s;
    }
    guard_fill(fresh, bytes + 2 * GUARD);
    memcpy(b->before, fresh, GUARD);
    memcpy(b->after, fresh + GUARD + bytes, GUARD);
    *out = (struct memory){b->outer.address + GUARD, bytes,
                           b->outer.mapped ? (char *)b->outer.mapped + GUARD : NULL, b};
    b->what = what;
    b->bytes = bytes;
    b->address = out->address;
    block_transfer(i, b, 0, fresh, bytes + 2 * GUARD, true);
    free(fresh);
    b->next = i->blocks;
    i->blocks = b;
    i->live++;
    return VKS_OK;
}

static void guarded_release(struct device *d, struct memory *m)
{
    struct interposed *i = interposed_of(d);
    struct guarded_block *b = block_of(i, m), **link = &i->blocks;
    cr_assert_eq(m->address, b->address, "a release of a part of \"%s\"", b->what);
    block_check(i, b);
    while (*link != b)
        link = &(*link)->next;
    *link = b->next;
    i->real->release(d, &b->outer);
    i->live--;
    free(b);
}

/* Has no guards, since the pages are the caller's. A device without anything to release is not recorded. */
static vks_status tracked_import(struct device *d, void *host, uint64_t bytes, struct memory *out)
{
    struct interposed *i = interposed_of(d);
    if (injected(i, VKS_DEVICE_LOST, "import"))
        return VKS_DEVICE_LOST;
    struct guarded_block *b = calloc(1, sizeof *b);
    cr_assert_not_null(b);
    vks_status s = i->real->import(d, host, bytes, &b->outer);
    *out = b->outer;
    if (s || !out->handle) {
        free(b);
        return s;
    }
    out->handle = b;
    *b = (struct guarded_block){.next = i->blocks,
                                .outer = b->outer,
                                .address = out->address,
                                .bytes = bytes,
                                .what = "imported pages",
                                .imported = true};
    i->blocks = b;
    i->live++;
    return VKS_OK;
}

static vks_status guarded_write(struct device *d, struct memory *m, uint64_t offset, const void *from,
                                uint64_t bytes)
{
    struct interposed *i = interposed_of(d);
    if (injected(i, VKS_DEVICE_LOST, "write"))
        return VKS_DEVICE_LOST;
    struct guarded_block *b = block_of(i, m);
    return i->real->write(d, &b->outer, m->address - b->address + offset + GUARD, from, bytes);
}

static vks_status guarded_read(struct device *d, const struct memory *m, uint64_t offset, void *to,
                               uint64_t bytes)
{
    struct interposed *i = interposed_of(d);
    i->reads++;
    if (injected(i, VKS_DEVICE_LOST, "read"))
        return VKS_DEVICE_LOST;
    struct guarded_block *b = block_of(i, m);
    return i->real->read(d, &b->outer, m->address - b->address + offset + GUARD, to, bytes);
}

static vks_status counted_prepare(struct rec *r)
{
    struct interposed *i = interposed_of(r->device);
    return injected(i, VKS_OUT_OF_MEMORY, "prepare") ? VKS_OUT_OF_MEMORY : i->real->prepare(r);
}

static vks_status counted_submit(struct rec *r, uint64_t *ticket)
{
    struct interposed *i = interposed_of(r->device);
    i->submissions++;
    return injected(i, VKS_DEVICE_LOST, "submit") ? VKS_DEVICE_LOST : i->real->submit(r, ticket);
}

/* Submitted work has completed even if the wait is made to fail. */
static vks_status counted_wait(struct device *d, uint64_t ticket, double seconds)
{
    struct interposed *i = interposed_of(d);
    i->waits++;
    vks_status s = i->real->wait(d, ticket, seconds);
    return injected(i, VKS_TIMEOUT, "wait") ? VKS_TIMEOUT : s;
}

static vks_status passed_times(struct rec *r, double *seconds)
{
    return interposed_of(r->device)->real->times(r, seconds);
}

static vks_status passed_span(struct rec *r, double *seconds)
{
    return interposed_of(r->device)->real->span(r, seconds);
}

static void passed_discard(struct rec *r)
{
    interposed_of(r->device)->real->discard(r);
}

static void passed_forget(struct device *d, struct program *p)
{
    interposed_of(d)->real->forget(d, p);
}

static void passed_want(struct device *d, enum kernel_id kernel, enum precision precision, const void *args)
{
    const struct interposed *i = interposed_of(d);
    if (i->real->want)
        i->real->want(d, kernel, precision, args);
}

static void checked_destroy(struct device *d)
{
    struct interposed *i = interposed_of(d), **link = &interposed_devices;
    cr_expect_eq(i->live, 0, "%u arrays were not released, the last one is \"%s\"", i->live,
                 i->blocks ? i->blocks->what : "");
    cr_expect_eq(device_vulkan_messages(d), 0, "the validation layer printed messages");
    while (*link != i)
        link = &(*link)->next;
    *link = i->next;
    d->ops = i->real;
    ++*i->destroyed;
    free(i);
    device_destroy(d);
}

static const struct device_ops interposing_ops = {
    checked_destroy, guarded_allocate, guarded_release, guarded_write,  guarded_read,
    counted_prepare, counted_submit,   counted_wait,    passed_times,   passed_span,
    passed_discard,  passed_forget,    passed_want,     tracked_import, NULL};

/* The number of devices destroyed while interposed. */
static uint32_t destroyed_devices;

/* Puts guards around later allocations on the device. */
static inline void interpose(struct device *d)
{
    struct interposed *i = calloc(1, sizeof *i);
    cr_assert_not_null(i);
    *i = (struct interposed){
        .next = interposed_devices, .device = d, .real = d->ops, .destroyed = &destroyed_devices};
    interposed_devices = i;
    d->ops = &interposing_ops;
}

#endif
