/* The pack of a kernel's modules. tests/generator compares it with the shaders' own code. */
#include "device/kernel.h"
#include "kernels.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS = PRECISIONS * 2 };

/* The modules of a kernel by their place in its pack. */
static uint32_t unpack_all(const struct kernel *k, struct spirv modules[VARIANTS])
{
    uint32_t count = 0;
    for (int i = 0; i < VARIANTS; i++) {
        const struct kernel_code *code = &k->code[i / 2][i % 2];
        if (code->count && code->module == count) {
            cr_assert(kernel_code(k, (enum precision)(i / 2), i % 2, &modules[count]));
            cr_assert_eq(modules[count].count, code->count, "%s", k->name);
            cr_assert_null(spirv_fault(&modules[count]), "%s", k->name);
            count++;
        }
    }
    return count;
}

Test(spirv_pack, modules_that_are_unpacked_and_packed_again_give_the_same_bytes)
{
    for (int k = 0; k < KERNEL_COUNT; k++) {
        struct spirv modules[VARIANTS];
        uint32_t count = unpack_all(&kernels[k], modules), bytes = 0;
        unsigned char *pack = spirv_pack(modules, count, &bytes);
        cr_assert_eq(bytes, kernels[k].pack.count);
        cr_expect_eq(memcmp(pack, kernels[k].pack.byte, bytes), 0, "%s", kernels[k].name);
        for (uint32_t i = 0; i < count; i++)
            free(modules[i].word);
        free(pack);
    }
}

/* Random words after a header, in instructions of one to eight words. */
static struct spirv made_up(uint32_t seed)
{
    uint32_t count = 5 + seed * 7 % 400;
    struct spirv s = {malloc(count * sizeof *s.word), count};
    for (uint32_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        s.word[i] = seed >> (seed >> 27);
    }
    for (uint32_t i = 5, length; i < count; i += length) {
        length = 1 + s.word[i] % 8;
        length = length < count - i ? length : count - i;
        s.word[i] = length << 16 | (s.word[i] & 511);
    }
    return s;
}

Test(spirv_pack, any_words_come_back)
{
    enum { MODULES = 300 };
    struct spirv modules[MODULES], back;
    uint32_t bytes;
    for (uint32_t i = 0; i < MODULES; i++)
        modules[i] = made_up(i + 1);
    unsigned char *pack = spirv_pack(modules, MODULES, &bytes);
    for (uint32_t i = 0; i < MODULES; i += 13) {
        cr_assert(spirv_unpack(&(struct packed){pack, bytes}, i, &back));
        cr_assert_eq(back.count, modules[i].count);
        cr_expect_eq(memcmp(back.word, modules[i].word, back.count * sizeof *back.word), 0, "module %u", i);
        free(back.word);
    }
    cr_expect_not(spirv_unpack(&(struct packed){pack, bytes}, MODULES, &back), "there are no more");
    for (uint32_t i = 0; i < MODULES; i++)
        free(modules[i].word);
    free(pack);
}

Test(spirv_pack, damaged_bytes_are_refused)
{
    const struct packed *pack = &kernels[0].pack;
    unsigned char *bytes = malloc(pack->count);
    struct spirv s;
    for (uint32_t i = 0; i < pack->count; i++) {
        cr_assert_not(spirv_unpack(&(struct packed){pack->byte, i}, 0, &s), "%u bytes", i);
        memcpy(bytes, pack->byte, pack->count);
        bytes[i] ^= 16;
        if (spirv_unpack(&(struct packed){bytes, pack->count}, 0,
                         &s)) /* a bit of zlib's header that it ignores */
            free(s.word);
    }
    free(bytes);
}
