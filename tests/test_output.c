/* Outputs that cannot be replaced by a rename, and their names. */
#define _GNU_SOURCE /* unshare */
#include "market_files.h"

#include "market/output.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(output, .init = market_enter, .fini = market_leave);

static vks_status put(struct message *m, const char *path, const char *text, size_t size)
{
    struct output o;
    vks_status s = output_open(m, path, &o);
    return s ? s : output_close(m, &o, output_write(m, &o, text, size));
}

static void must_put(const char *path, const char *text)
{
    struct message m = {0};
    cr_assert_eq(put(&m, path, text, strlen(text)), VKS_OK, "%s", m.text);
}

static void expect_text(const char *path, const char *text)
{
    char got[256] = {0};
    FILE *f = fopen(path, "rb");
    cr_assert(f);
    size_t size = fread(got, 1, sizeof got - 1, f);
    fclose(f);
    cr_assert(size == strlen(text) && !memcmp(got, text, size), "%s has \"%s\"", path, got);
}

static ino_t inode(const char *path)
{
    struct stat info;
    cr_assert(!stat(path, &info));
    return info.st_ino;
}

Test(output, a_file_with_two_names_keeps_both)
{
    market_put("a", "something longer", 16);
    cr_assert(!link("a", "b"));
    must_put("a", "new");
    cr_assert_eq(inode("a"), inode("b"));
    expect_text("b", "new");
    cr_assert_eq(market_count_files(), 2);
}

Test(output, a_mounted_file_is_written_in_place)
{
    market_put("host", "something longer", 16);
    market_put("here", "", 0);
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("host", "here", NULL, MS_BIND, NULL))
        cr_skip_test("no right to mount");
    must_put("here", "new");
    cr_assert(!umount("here"));
    expect_text("host", "new");
    expect_text("here", "");
    cr_assert_eq(market_count_files(), 2);
}

Test(output, a_file_in_a_folder_that_is_read_only_is_written_in_place)
{
    cr_assert(!mkdir("folder", 0755) && !chmod(".", 0755));
    market_put("folder/a", "something longer", 16);
    cr_assert(!chmod("folder/a", 0666) && !chmod("folder", 0555));
    cr_assert(geteuid() || !seteuid(65534));
    must_put("folder/a", "new");
    cr_assert(getuid() || !seteuid(0));
    expect_text("folder/a", "new");
    cr_assert(!chmod("folder", 0755) && !remove("folder/a"));
}

/* The content is kept at the place that the message names. */
Test(output, what_cannot_be_copied_is_kept)
{
    struct message m = {0};
    OWNED(char) *text = calloc(1, 4000);
    market_put("host", "old", 3);
    market_put("here", "", 0);
    cr_assert(!mkdir("small", 0755));
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("none", "small", "tmpfs", 0, "size=4k"))
        cr_skip_test("no right to mount");
    market_put("small/a", "old", 3);
    cr_assert(!mount("small/a", "here", NULL, MS_BIND, NULL));
    cr_assert_eq(put(&m, "here", text, 4000), VKS_OK, "%s", m.text); /* a page has room for it */
    OWNED(char) *large = calloc(1, 1 << 16);
    cr_assert_eq(put(&m, "here", large, 1 << 16), VKS_FILE);
    const char *kept =
        strstr(m.text, "here: cannot be written in place: No space left on device; the whole output is in ");
    cr_assert(kept == m.text, "%s", m.text);
    struct stat info;
    cr_assert(!stat(strrchr(m.text, ' ') + 1, &info) && info.st_size == 1 << 16);
    cr_assert(!stat("here", &info) && info.st_size == 4000, "what was there stays");
    cr_assert(!umount("here") && !umount("small"));
}

/* The name of the temporary file for a file in a read-only folder, "" for memory; then `size` bytes are
 * written. */
static vks_status put_from_elsewhere(struct message *m, const char *path, size_t size, char beside[64])
{
    struct output o;
    OWNED(char) *bytes = calloc(1, size);
    uid_t before = geteuid();
    cr_assert(before || !seteuid(65534));
    vks_status s = output_open(m, path, &o);
    snprintf(beside, 64, "%s", o.beside ? o.beside : "");
    if (!s)
        s = output_close(m, &o, output_write(m, &o, bytes, size));
    cr_assert(!seteuid(before));
    return s;
}

Test(output, tmp_is_taken_without_a_usable_tmpdir)
{
    struct message m = {0};
    struct stat info;
    char beside[64];
    cr_assert(!mkdir("folder", 0755) && !chmod(".", 0755) && !setenv("TMPDIR", "/nowhere", 1));
    market_put("folder/a", "old", 3);
    cr_assert(!chmod("folder/a", 0666) && !chmod("folder", 0555));
    cr_expect_eq(put_from_elsewhere(&m, "folder/a", 100, beside), VKS_OK, "%s", m.text);
    cr_expect(!strncmp(beside, "/tmp/vksolve.", 13), "%s", beside);
    cr_expect(!stat("folder/a", &info) && info.st_size == 100);
    cr_assert(!chmod("folder", 0755) && !remove("folder/a"));
}

Test(output, what_is_collected_in_memory_is_lost_where_it_cannot_be_copied)
{
    struct message m = {0};
    struct stat info;
    char beside[64];
    cr_assert(!mkdir("small", 0755) && !chmod(".", 0755) && !setenv("TMPDIR", "/nowhere", 1));
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("none", "small", "tmpfs", 0, "size=4k") || mount("none", "/tmp", "tmpfs", MS_RDONLY, ""))
        cr_skip_test("no right to mount");
    market_put("small/a", "old", 3);
    cr_assert(!chmod("small/a", 0666) && !chmod("small", 0555));
    cr_expect_eq(put_from_elsewhere(&m, "small/a", 4000, beside), VKS_OK, "%s", m.text);
    cr_expect_str_empty(beside);
    cr_expect_eq(put_from_elsewhere(&m, "small/a", 1 << 16, beside), VKS_FILE);
    cr_expect_str_eq(m.text, "small/a: cannot be written in place: No space left on device; the whole output "
                             "was in memory, and is lost");
    cr_expect(!stat("small/a", &info) && info.st_size == 4000);
    cr_assert(!umount("/tmp") && !umount("small"));
}

/* Other users cannot read the new file of a private one before it has the old rights. */
Test(output, a_new_file_is_private_until_it_has_the_rights_of_the_old_one)
{
    struct stat info;
    for (int exists = 0; exists < 2; exists++) {
        struct output o = {.target = strdup("a"), .fd = -1};
        umask(022);
        cr_assert(o.target && place_open(&o, exists) && !fstat(o.fd, &info));
        cr_expect_eq(info.st_mode & 0777, exists ? 0600 : 0644);
        close(o.fd);
        free(o.target);
        free(o.beside);
    }
}

Test(output, permissions_and_owner_stay)
{
    struct stat info;
    market_put("a", "old", 3);
    cr_assert(!chmod("a", 0640));
    bool is_root = !chown("a", 65534, 65534);
    must_put("a", "new");
    cr_assert(!stat("a", &info) && (info.st_mode & 0777) == 0640);
    cr_assert(!is_root || (info.st_uid == 65534 && info.st_gid == 65534));
}

Test(output, the_longest_name)
{
    char name[256] = {0};
    memset(name, 'x', 255);
    must_put(name, "new");
    expect_text(name, "new");
    must_put(name, "newer");
    expect_text(name, "newer");
    cr_assert_eq(market_count_files(), 1);
}

Test(output, a_descriptor_of_this_process_is_no_new_file)
{
    int fd = open("a", O_RDWR | O_CREAT, 0600);
    char path[32];
    cr_assert(fd >= 0 && write(fd, "begin ", 6) == 6);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    must_put(path, "end");
    cr_assert(!symlink(path, "link"));
    must_put("link", "!");
    expect_text("a", "begin end!");
    close(fd);
}

Test(output, beyond_the_limit_there_is_no_signal)
{
    struct message m = {0};
    struct rlimit limit = {.rlim_cur = 1000, .rlim_max = RLIM_INFINITY};
    char text[4000] = {0};
    market_put("a", "old", 3);
    cr_assert(!link("a", "b") && !setrlimit(RLIMIT_FSIZE, &limit));
    cr_assert_eq(put(&m, "a", text, sizeof text), VKS_FILE);
    cr_assert_str_eq(m.text, "a: cannot be written: File too large");
    expect_text("b", "old");
    cr_assert_eq(market_count_files(), 2);
}

Test(output, names_of_other_kinds_are_refused)
{
    static const char *const names[] = {"a.mtx.bz2", "a.xz",  "a.mtx.zst", "a.lz4", "a.mtx.Z",
                                        "a.ZIP",     "a.npy", "a.npz",     "a.mat"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct message m = {0};
        cr_assert_eq(put(&m, names[i], "text", 4), VKS_INVALID_ARGUMENT, "%s", names[i]);
        cr_assert(strstr(m.text, "cannot be written: "), "%s", m.text);
    }
    cr_assert_eq(market_count_files(), 0);
}

Test(output, any_output_named_gz_is_gzip)
{
    static const char *const names[] = {"report.json.gz", "history.csv.GZ"};
    for (int i = 0; i < 2; i++) {
        char bytes[3] = {0};
        must_put(names[i], "{}\n");
        FILE *f = fopen(names[i], "rb");
        cr_assert(f && fread(bytes, 1, 2, f) == 2 && !memcmp(bytes, "\x1F\x8B", 2));
        fclose(f);
    }
}
