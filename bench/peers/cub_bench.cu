/* CUB on the GPU, for comparison with bench_primitive and bench_sort: microseconds of reductions, prefix sums and sorts
 * of N elements. Build: nvcc -O3 -arch=native -o cub_bench cub_bench.cu; run: cub_bench [N...] */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <vector>

#define MUST(call)                                                                   \
    do {                                                                             \
        cudaError_t e_ = (call);                                                     \
        if (e_ != cudaSuccess) {                                                     \
            fprintf(stderr, "cub_bench: %s: %s\n", #call, cudaGetErrorString(e_));   \
            exit(4);                                                                 \
        }                                                                            \
    } while (0)

enum { RUNS = 11 };

/* The median of the seconds of run(temp, bytes), after two warm-up runs; prepare() precedes each. */
template <class Run, class Prepare> static double median_us(Run run, Prepare prepare)
{
    size_t bytes = 0;
    void *temp = nullptr;
    MUST(run(nullptr, bytes));
    MUST(cudaMalloc(&temp, bytes));
    cudaEvent_t begin, end;
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    std::vector<float> ms;
    for (int i = 0; i < RUNS + 2; i++) {
        prepare();
        MUST(cudaEventRecord(begin));
        MUST(run(temp, bytes));
        MUST(cudaEventRecord(end));
        MUST(cudaEventSynchronize(end));
        float t;
        MUST(cudaEventElapsedTime(&t, begin, end));
        if (i >= 2)
            ms.push_back(t);
    }
    MUST(cudaFree(temp));
    std::sort(ms.begin(), ms.end());
    return 1e3 * ms[RUNS / 2];
}

static void print_result(const char *what, size_t n, double us)
{
    printf("cub\t%s\t%zu\t%.1f\n", what, n, us);
    fflush(stdout);
}

template <class T> static void reduce_and_scan(const char *type, int n, const T *in, T *out)
{
    char what[64];
    auto nothing = [] {};
    snprintf(what, sizeof what, "reduce %s", type);
    print_result(what, n, median_us([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, in, out, n); }, nothing));
    snprintf(what, sizeof what, "scan %s", type);
    print_result(what, n,
         median_us([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, in, out, n); }, nothing));
}

template <class Key> static void sorts(const char *type, int n, const Key *keys, Key *out, const uint32_t *payload,
                                       uint32_t *payload_out)
{
    char what[64];
    auto nothing = [] {};
    snprintf(what, sizeof what, "sort %s", type);
    print_result(what, n,
         median_us([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, keys, out, n); }, nothing));
    snprintf(what, sizeof what, "sort %s pairs", type);
    print_result(what, n, median_us(
                      [&](void *t, size_t &b) {
                          return cub::DeviceRadixSort::SortPairs(t, b, keys, out, payload, payload_out, n);
                      },
                      nothing));
}

int main(int argc, char **argv)
{
    for (int a = 1; a < std::max(argc, 2); a++) {
        size_t n = argc > 1 ? strtoull(argv[a], nullptr, 10) : 100000000;
        std::vector<uint64_t> words(n);
        uint64_t state = 1;
        for (auto &w : words) {
            state += 0x9E3779B97F4A7C15u;
            uint64_t z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
            w = z ^ (z >> 27);
        }
        void *in, *out;
        uint32_t *payload, *payload_out;
        MUST(cudaMalloc(&in, 8 * n));
        MUST(cudaMalloc(&out, 8 * n));
        MUST(cudaMalloc(&payload, 4 * n));
        MUST(cudaMalloc(&payload_out, 4 * n));
        MUST(cudaMemcpy(in, words.data(), 8 * n, cudaMemcpyHostToDevice));
        MUST(cudaMemset(payload, 0, 4 * n));
        reduce_and_scan<uint32_t>("u32", n, (uint32_t *)in, (uint32_t *)out);
        sorts<uint32_t>("u32", n, (uint32_t *)in, (uint32_t *)out, payload, payload_out);
        sorts<uint64_t>("u64", n, (uint64_t *)in, (uint64_t *)out, payload, payload_out);
        MUST(cudaMemset(in, 0, 8 * n));
        reduce_and_scan<float>("f32", n, (float *)in, (float *)out);
        reduce_and_scan<double>("f64", n, (double *)in, (double *)out);
        MUST(cudaFree(in));
        MUST(cudaFree(out));
        MUST(cudaFree(payload));
        MUST(cudaFree(payload_out));
    }
    return 0;
}
