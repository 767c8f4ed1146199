/* Test(suite, name, LARGE_RUN): of many millions of elements, all on the host. Smaller tests bring the
 * sanitizers and the other compiler to the same lines, so their presets leave these out: VKS_TESTS_LARGE. */
#ifndef VKS_TESTS_LARGE_H
#define VKS_TESTS_LARGE_H

#ifndef VKS_TESTS_LARGE
#error "defined by tests/CMakeLists.txt: 1 or 0"
#endif

#define LARGE_RUN .disabled = !VKS_TESTS_LARGE

/* The same for what shaders alone decide: the sanitizers and the other compiler do not see them. */
#define SHADER_RUN .disabled = !VKS_TESTS_LARGE

#endif
