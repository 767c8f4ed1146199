/* vks_mutant(k): whether the mutant k runs, which VKSOLVE_MUTANT names when the process starts. Notes in the
 * file VKSOLVE_MUTANTS_REACHED, if it is set, that the place was reached. Included before feature macros: so
 * without headers. */
#ifndef VKS_MUTANT_H
#define VKS_MUTANT_H

/* One for each program and shared library. */
#define VKS_MUTANT_SHARED __attribute__((weak, visibility("hidden")))

char *vks_mutant_getenv(const char *) __asm__("getenv");
int vks_mutant_atoi(const char *) __asm__("atoi");
int vks_mutant_open(const char *, int, ...) __asm__("open");
void *vks_mutant_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
int vks_mutant_close(int) __asm__("close");

VKS_MUTANT_SHARED int vks_mutant_chosen;
VKS_MUTANT_SHARED short vks_mutants_nowhere[VKS_MUTANTS];
VKS_MUTANT_SHARED short *vks_mutants_reached;

VKS_MUTANT_SHARED __attribute__((constructor)) void vks_mutant_choose(void)
{
    if (vks_mutants_reached) /* by the constructor of another object */
        return;
    vks_mutants_reached = vks_mutants_nowhere;
    const char *mutant = vks_mutant_getenv("VKSOLVE_MUTANT");
    const char *path = vks_mutant_getenv("VKSOLVE_MUTANTS_REACHED");
    vks_mutant_chosen = mutant ? vks_mutant_atoi(mutant) : 0;
    if (!path)
        return;
    enum { READ_WRITE = 2, PROTECTION = 3, SHARED = 1 };
    int file = vks_mutant_open(path, READ_WRITE);
    void *map = vks_mutant_mmap(0, sizeof vks_mutants_nowhere, PROTECTION, SHARED, file, 0);
    if (map != (void *)-1)
        vks_mutants_reached = map;
    vks_mutant_close(file);
}

#define vks_mutant(k) (vks_mutants_reached[k] = 1, vks_mutant_chosen == (k))

#endif
