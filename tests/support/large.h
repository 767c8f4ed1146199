/* Test(suite, name, LARGE_RUN): many millions of elements, all on the host. Smaller tests cover the same
 * lines with the sanitizers, so their preset omits these: VKS_TESTS_LARGE. */
#ifndef VKS_TESTS_LARGE_H
#define VKS_TESTS_LARGE_H

#ifndef VKS_TESTS_LARGE
#error "defined by tests/CMakeLists.txt: 1 or 0"
#endif

#define LARGE_RUN .disabled = !VKS_TESTS_LARGE

/* The same for tests that only exercise shaders, which the sanitizers do not see. */
#define SHADER_RUN .disabled = !VKS_TESTS_LARGE

#endif
