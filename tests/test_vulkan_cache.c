/* The pipeline cache on disk. Nothing may fail without it. */
#include "vulkan_device.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/vksolve-test-XXXXXX");
    cr_assert(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(vulkan_cache, .init = make_folder, .fini = remove_folder);

/* Finds the only file in the folder; returns the number of files. */
static int find_file(const char *in, char *path, size_t room)
{
    int count = 0;
    DIR *d = opendir(in);
    if (!d)
        return 0;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.') {
            snprintf(path, room, "%s/%s", in, e->d_name);
            count++;
        }
    closedir(d);
    return count;
}

/* Opens a device with the cache in `in`, runs a kernel on request, and closes it. Returns the bytes that were
 * loaded from the cache. */
static uint64_t use(const char *in, bool kernel)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){.cache_folder = in});
    uint64_t loaded = vulkan_of(d)->cache.loaded;
    if (kernel) {
        struct memory y = new_array(d, MEMORY_DEVICE, 400), one = new_floats(d, 1, 1);
        float got[100];
        struct rec r;
        rec_create(&r, d, PRECISION_F32);
        run(&r, fill, 1, .y = reals_at(y), .value = number_of(one), .n = 100);
        must(rec_run(&r));
        must(device_read(d, &y, 0, got, sizeof got));
        for (int i = 0; i < 100; i++)
            cr_assert_eq(got[i], 1);
        rec_destroy(&r);
        device_release(d, &y);
        device_release(d, &one);
    }
    return loaded;
}

static uint64_t size_of(const char *path)
{
    struct stat s;
    cr_assert_eq(stat(path, &s), 0);
    return (uint64_t)s.st_size;
}

Test(vulkan_cache, a_cache_is_written_once_and_used_by_the_next_device)
{
    char in[128], path[512];
    snprintf(in, sizeof in, "%s/made/for/it", folder);
    cr_expect_eq(use(in, false), 0);
    cr_expect_eq(find_file(in, path, sizeof path), 0, "no pipelines, no file");
    cr_expect_eq(use(in, true), 0);
    cr_assert_eq(find_file(in, path, sizeof path), 1);
    uint64_t bytes = size_of(path);
    struct stat before, after;
    stat(path, &before);
    cr_expect_eq(use(in, true), bytes - 24, "all but our own header");
    stat(path, &after);
    cr_expect_eq(before.st_ino, after.st_ino, "it did not grow, so it is not written again");
    cr_expect_eq(find_file(in, path, sizeof path), 1);
}

/* Rewrites the file with its first `keep` bytes, and with `flip` inverted at `at` (if that is inside). */
static void damage(const char *path, const unsigned char *whole, uint64_t keep, uint64_t at,
                   unsigned char flip)
{
    FILE *f = fopen(path, "wb");
    cr_assert(f);
    for (uint64_t i = 0; i < keep; i++)
        fputc(whole[i] ^ (i == at ? flip : 0), f);
    cr_assert_eq(fclose(f), 0);
}

Test(vulkan_cache, files_that_are_damaged_anywhere_are_ignored_and_replaced)
{
    skip_unless_lavapipe();
    char path[512];
    static unsigned char whole[1 << 20];
    use(folder, true);
    cr_assert_eq(find_file(folder, path, sizeof path), 1);
    uint64_t bytes = size_of(path);
    FILE *f = fopen(path, "rb");
    cr_assert(f && bytes <= sizeof whole);
    cr_assert_eq(fread(whole, 1, bytes, f), bytes);
    fclose(f);

    static const uint64_t cut[] = {0, 1, 23, 24, 40};
    for (int i = 0; i < 5; i++) {
        damage(path, whole, cut[i], UINT64_MAX, 0);
        cr_expect_eq(use(folder, false), 0, "cut to %llu bytes", (unsigned long long)cut[i]);
    }
    for (uint64_t at = 0; at < bytes; at += 1 + bytes / 100) {
        damage(path, whole, bytes, at, 0x81);
        cr_expect_eq(use(folder, false), 0, "byte %llu is wrong", (unsigned long long)at);
    }
    cr_expect_eq(use(folder, true), 0);
    cr_expect_eq(use(folder, false), bytes - 24, "it was replaced");
}

static uint64_t sum_of(const unsigned char *data, uint64_t bytes)
{
    uint64_t sum = 14695981039346656037u;
    for (uint64_t i = 0; i < bytes; i++)
        sum = (sum ^ data[i]) * 1099511628211u;
    return sum;
}

Test(vulkan_cache, well_made_files_of_another_device_or_of_nothing_are_ignored)
{
    char path[512];
    use(folder, true);
    cr_assert_eq(find_file(folder, path, sizeof path), 1);
    for (uint64_t bytes = 0; bytes < 200; bytes += 33) {
        unsigned char file[24 + 200];
        memset(file, 0xff, sizeof file);
        memcpy(file, "vksolve1", 8);
        memcpy(file + 8, &bytes, 8);
        uint64_t sum = sum_of(file + 24, bytes);
        memcpy(file + 16, &sum, 8);
        damage(path, file, 24 + bytes, UINT64_MAX, 0);
        cr_expect_eq(use(folder, false), 0);
    }
}

Test(vulkan_cache, what_is_no_file_is_ignored)
{
    char path[512];
    use(folder, true);
    cr_assert_eq(find_file(folder, path, sizeof path), 1);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(mkfifo(path, 0600), 0);
    cr_expect_eq(use(folder, false), 0, "and it does not hang");
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(mkdir(path, 0700), 0);
    cr_expect_eq(use(folder, true), 0);
    cr_expect_eq(find_file(folder, path, sizeof path), 1, "nothing is left beside it");
}

Test(vulkan_cache, a_folder_that_cannot_be_written_is_fine)
{
    char path[512];
    cr_expect_eq(use("/proc/no/such/place", true), 0);
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *f = fopen(path, "w");
    cr_assert(f);
    fclose(f);
    cr_expect_eq(use(path, true), 0, "a file where the folder should be");
    cr_expect_eq(size_of(path), 0);
}

static void open_by_environment(bool use_kernel)
{
    struct device_options o = {.name = gpu_index()};
    OWNED_BY(device_end) struct device *d = NULL;
    must(device_vulkan_create(&message, &o, &d));
    VkPipeline pipeline;
    if (use_kernel)
        must(vulkan_pipeline(vulkan_of(d), KERNEL_fill, PRECISION_F32, NULL, &pipeline));
}

Test(vulkan_cache, the_usual_folder_is_that_of_xdg_or_in_the_home_folder)
{
    char in[128], path[512];
    setenv("XDG_CACHE_HOME", folder, 1);
    open_by_environment(true);
    snprintf(in, sizeof in, "%s/vksolve", folder);
    cr_expect_eq(find_file(in, path, sizeof path), 1);

    cr_assert_eq(chdir(folder), 0); /* drivers keep caches there, too, and some accept relative paths */
    setenv("XDG_CACHE_HOME", "relative", 1); /* not allowed, so it counts as unset */
    setenv("HOME", folder, 1);
    open_by_environment(true);
    cr_expect_eq(find_file("relative/vksolve", path, sizeof path), 0);
    snprintf(in, sizeof in, "%s/.cache/vksolve", folder);
    cr_expect_eq(find_file(in, path, sizeof path), 1);

    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    open_by_environment(true);
}

/* Mesa and NVIDIA have their own caches, which are not tested here. */
Test(vulkan_cache, a_limit_of_file_sizes_raises_no_signal)
{
    skip_unless_lavapipe();
    char in[128], path[512];
    struct rlimit limit = {.rlim_cur = 20, .rlim_max = RLIM_INFINITY};
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("__GL_SHADER_DISK_CACHE", "0", 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(in, sizeof in, "%s/vksolve", folder);
    cr_assert(!setrlimit(RLIMIT_FSIZE, &limit));
    open_by_environment(true); /* without the validation layer, which has a cache, too */
    limit.rlim_cur = RLIM_INFINITY;
    cr_assert(!setrlimit(RLIMIT_FSIZE, &limit));
    cr_expect_eq(find_file(in, path, sizeof path), 0, "a part of a cache remains");
}
