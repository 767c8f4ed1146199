/* Preloaded where memory that is left behind fails a test: nothing is unloaded, so that at the end
 * LeakSanitizer still knows in which driver memory was allocated, and lsan.supp holds. (Mesa 22.3 leaves 128
 * bytes on some processors.) */
int dlclose(void *library)
{
    (void)library;
    return 0;
}
