# For suites in shell: the Vulkan device of all tests, as gpu_name.h has it.
gpu_name=${VKSOLVE_TEST_DEVICE:-llvmpipe}
