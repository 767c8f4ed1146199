/* Preloaded under the sanitizers: nothing is unloaded, so that at the end LeakSanitizer still knows in which
 * driver memory was allocated, and lsan.supp holds. (On AMD processors Mesa 22.3 keeps a list of cores.) */
int dlclose(void *library)
{
    (void)library;
    return 0;
}
