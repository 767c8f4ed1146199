/* Every build of the twins has one function named by twin(), which reports what it was compiled for. */
#pragma once
#define JOIN(a, b, c) a##_##b##_##c
#define JOINED(a, b, c) JOIN(a, b, c)
#define TWIN(name) JOINED(name, SCALAR, ISA)

/* Prints the kernels and the twins. */
void launch_show(void);
