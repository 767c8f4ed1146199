/* Corrupt files in place of the pipeline cache: fuzz_cache --help
 *
 * Checks that a device opens, a product has the same bits as without a cache, and nothing remains beside the
 * file. A file that is ignored because it is damaged must be replaced by a good one. */
#include "findings.h"
#include "random.h"
#include "system.h"
#include "tests/support/gpu_name.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char help[] = "usage: fuzz_cache [--seconds N] SEED COUNT\n"
                           "Opens lavapipe with COUNT poisoned pipeline caches, of seeds from SEED on.\n"
                           "  --seconds   no more of them after that time\n";

enum { N = 300, SEEN = 65536, OWN_HEADER = 24, BOUND_SECONDS = 60 };

static char folder[] = "/tmp/vksolve-cache-XXXXXX", path[512];
static unsigned char good[SEEN];
static size_t good_bytes;
static double right[N];

/* Counts the files in the folder; if there is one, finds its path. */
static int look(void)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            count++;
        }
    closedir(d);
    return count;
}

/* y = A x on lavapipe, with the cache in the folder. */
static void multiply(double y[N])
{
    static uint32_t row[N + 1], col[N];
    static double val[N], x[N];
    char message[1024];
    OWNED_BY(context_end) vks_context *c = NULL;
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *vx = NULL, *vy = NULL;
    vks_context_options o = {
        .device = gpu_name(), .cache_folder = folder, .message = message, .message_size = sizeof message};
    for (uint32_t i = 0; i < N; i++) {
        row[i + 1] = i + 1;
        col[i] = N - 1 - i;
        val[i] = 1.0 / (i + 1);
        x[i] = i + 0.1;
    }
    memset(y, 0, N * sizeof *y);
    if (vks_context_create(&o, &c)) {
        finding("lavapipe does not open: %s", message);
        return;
    }
    if (vks_matrix_from_csr(c, N, N, row, col, val, NULL, &A) || vks_vector_create(c, N, VKS_F64, &vx) ||
        vks_vector_create(c, N, VKS_F64, &vy) || vks_vector_write(vx, 0, N, VKS_F64, x) ||
        vks_spmv(A, vx, vy) || vks_vector_read(vy, 0, N, VKS_F64, y))
        finding("a product: %s", vks_context_message(c));
}

static void put(const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
        cannot_go_on("%s cannot be written", path);
}

static bool is_good(void)
{
    unsigned char now[SEEN];
    FILE *f = fopen(path, "rb");
    size_t size = f ? fread(now, 1, sizeof now, f) : 0;
    if (f)
        fclose(f);
    return size == good_bytes && !memcmp(now, good, size);
}

/* Seals a file as src/device/vulkan/cache.c does: length, and FNV-1a, of the bytes after its header. */
static void seal(unsigned char *file, size_t size)
{
    uint64_t bytes = size - OWN_HEADER, sum = 14695981039346656037u;
    for (size_t i = OWN_HEADER; i < size; i++)
        sum = (sum ^ file[i]) * 1099511628211u;
    memcpy(file + 8, &bytes, sizeof bytes);
    memcpy(file + 16, &sum, sizeof sum);
}

/* The corruptions: each writes something to the free path, and returns whether it must be replaced. */

static bool cut_off(struct random *r)
{
    put(good, random_below(r, (uint32_t)good_bytes));
    return true;
}

static bool flip_bits(struct random *r)
{
    unsigned char file[SEEN];
    memcpy(file, good, good_bytes);
    file[random_below(r, (uint32_t)good_bytes)] ^= (unsigned char)(1u << random_below(r, 8));
    for (uint32_t k = random_below(r, 8); k; k--)
        file[random_below(r, (uint32_t)good_bytes)] ^= 0x10;
    if (!memcmp(file, good, good_bytes))
        file[0] ^= 1;
    put(file, good_bytes);
    return true;
}

/* Sealed correctly, but Vulkan's header is wrong: its length, version, vendor, device or UUID. */
static bool be_of_another_device(struct random *r)
{
    unsigned char file[SEEN];
    memcpy(file, good, good_bytes);
    file[OWN_HEADER + 4 + random_below(r, 28)] ^= (unsigned char)(1 + random_below(r, 255));
    seal(file, good_bytes);
    put(file, good_bytes);
    return true;
}

static bool say_a_wrong_length(struct random *r)
{
    static const uint32_t lengths[] = {0, 1, 31, 0x7fffffff, UINT32_MAX};
    unsigned char file[SEEN];
    memcpy(file, good, good_bytes);
    uint32_t length = ONE_OF(r, lengths);
    memcpy(file + OWN_HEADER, &length, sizeof length);
    seal(file, good_bytes);
    put(file, good_bytes);
    return true;
}

static bool grow_garbage(struct random *r)
{
    unsigned char file[SEEN];
    size_t size = good_bytes + random_below(r, 3000);
    memcpy(file, good, good_bytes);
    for (size_t i = good_bytes; i < size; i++)
        file[i] = (unsigned char)random_bits(r);
    seal(file, size);
    put(file, size);
    return false; /* it looks valid for this device, and the driver may take it or not */
}

static bool be_garbage(struct random *r)
{
    unsigned char file[4096];
    size_t size = random_below(r, sizeof file);
    for (size_t i = 0; i < size; i++)
        file[i] = (unsigned char)random_bits(r);
    put(file, size);
    return true;
}

static bool be_huge(struct random *r)
{
    unsigned char file[SEEN];
    uint64_t bytes = (UINT64_C(1) << (27 + random_below(r, 12))) - OWN_HEADER;
    memcpy(file, good, good_bytes);
    if (one_in(r, 2))
        memcpy(file + 8, &bytes, sizeof bytes);
    put(file, good_bytes);
    if (truncate(path, (off_t)(bytes + OWN_HEADER)))
        put(good, 3);
    return true;
}

static bool be_a_folder(struct random *r)
{
    (void)r;
    return mkdir(path, 0700) != 0; /* a folder stays */
}

static bool be_a_pipe(struct random *r)
{
    (void)r;
    return mkfifo(path, 0600) == 0;
}

static bool be_a_link(struct random *r)
{
    static const char *const targets[] = {"/dev/zero", "/dev/null", "/no/such/file", "/etc/passwd", "/"};
    return symlink(one_in(r, 3) ? path : ONE_OF(r, targets), path) == 0;
}

static bool be_unreadable(struct random *r)
{
    put(good, random_below(r, (uint32_t)good_bytes));
    return chmod(path, 0) == 0;
}

static const struct poison {
    const char *name;
    bool (*put)(struct random *);
} poisons[] = {
    {"cut off", cut_off},
    {"with bits turned over", flip_bits},
    {"of another device", be_of_another_device},
    {"with a wrong length", say_a_wrong_length},
    {"with garbage at its end", grow_garbage},
    {"that is garbage", be_garbage},
    {"that is huge", be_huge},
    {"that is a folder", be_a_folder},
    {"that is a pipe", be_a_pipe},
    {"that is a link", be_a_link},
    {"that cannot be read", be_unreadable},
};

static void poison(uint64_t seed)
{
    double y[N];
    struct random r = random_from(seed);
    const struct poison *p = &ONE_OF(&r, poisons);
    findings_seed(seed, BOUND_SECONDS);
    remove(path);
    bool is_replaced = p->put(&r);
    multiply(y);
    if (memcmp(y, right, sizeof y) != 0)
        finding("with a cache %s a product has other bits", p->name);
    if (look() != 1)
        finding("a cache %s leaves %d files", p->name, look());
    if (is_replaced && !is_good())
        finding("a cache %s is not replaced by a good one", p->name);
}

int main(int argc, char **argv)
{
    double seconds = 1e9;
    int i = 1;
    if (argc > 2 && !strcmp(argv[1], "--seconds")) {
        seconds = atof(argv[2]);
        i = 3;
    }
    if (argc - i != 2) {
        fputs(help, stderr);
        return 2;
    }
    uint64_t seed = strtoull(argv[i], NULL, 10), count = strtoull(argv[i + 1], NULL, 10), done = 0;
    findings_begin(argc, argv, i);
    if (!mkdtemp(folder))
        cannot_go_on("no folder in /tmp");
    multiply(right);
    FILE *f = look() == 1 ? fopen(path, "rb") : NULL;
    good_bytes = f ? fread(good, 1, sizeof good / 2, f) : 0;
    if (f)
        fclose(f);
    if (good_bytes <= OWN_HEADER + 32 - 1)
        cannot_go_on("no cache is written");
    for (time_t end = time(NULL) + (time_t)seconds; done < count && time(NULL) <= end; done++)
        poison(seed + done);
    char remove_all[64];
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", folder);
    printf("fuzz_cache: %" PRIu64 " caches from seed %" PRIu64 ", %lu findings\n", done, seed,
           findings_count());
    return system(remove_all) || findings_count() != 0;
}
