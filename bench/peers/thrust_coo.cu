/* Thrust on the GPU, for comparison with bench_assembly: the same triplets become CSR, by sort_by_key (a row
 * and column in 64 bits, f64 values), reduce_by_key and lower_bound. Each step is checked and timed alike: by
 * events, which include Thrust's allocations, and by the clock of the host. "cached" keeps Thrust's temporary
 * memory between calls, as a program in a loop would. Thrust cannot keep the order, so new values repeat all
 * steps.
 *
 * Build: nvcc -O3 -std=c++17 -arch=sm_90 -o thrust_coo thrust_coo.cu; run: thrust_coo [--in-order] [N...] */
#include "../coo_input.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <map>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <vector>

#define MUST(call)                                                                    \
    do {                                                                              \
        cudaError_t e_ = (call);                                                      \
        if (e_ != cudaSuccess) {                                                      \
            fprintf(stderr, "thrust_coo: %s: %s\n", #call, cudaGetErrorString(e_));   \
            exit(4);                                                                  \
        }                                                                             \
    } while (0)

enum { RUNS = 5 };

/* Keeps the memory that Thrust has freed, and reuses it for the same size. */
class cache {
public:
    typedef char value_type;

    ~cache()
    {
        for (auto &block : idle)
            cudaFree(block.second);
    }

    char *allocate(std::ptrdiff_t bytes)
    {
        char *p = nullptr;
        auto found = idle.find(bytes);
        if (found != idle.end()) {
            p = found->second;
            idle.erase(found);
        } else {
            MUST(cudaMalloc(&p, bytes));
        }
        size_of[p] = bytes;
        return p;
    }

    void deallocate(char *p, size_t)
    {
        idle.emplace(size_of[p], p);
        size_of.erase(p);
    }

private:
    std::multimap<std::ptrdiff_t, char *> idle;
    std::map<char *, std::ptrdiff_t> size_of;
};

struct make_key {
    __host__ __device__ uint64_t operator()(uint32_t row, uint32_t col) const
    {
        return (uint64_t)row << 32 | col;
    }
};

struct column_of {
    __host__ __device__ uint32_t operator()(uint64_t key) const
    {
        return (uint32_t)key;
    }
};

struct first_key {
    __host__ __device__ uint64_t operator()(uint32_t row) const
    {
        return (uint64_t)row << 32;
    }
};

__global__ void make_triplets(coo_input in, uint32_t *row, uint32_t *col, double *val)
{
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < in.n; i += step)
        coo_triplet(&in, (uint32_t)i, &row[i], &col[i], &val[i]);
}

__global__ void count_wrong(coo_input in, const uint32_t *row, const uint32_t *col, const double *val,
                            unsigned long long *wrong)
{
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < in.rows; i += step) {
        uint32_t columns[COO_ENTRIES];
        double values[COO_ENTRIES];
        coo_row(&in, (uint32_t)i, 0, columns, values);
        bool good = row[i] == COO_ENTRIES * i && row[i + 1] == COO_ENTRIES * (i + 1);
        for (uint32_t k = 0; k < COO_ENTRIES; k++)
            good = good && columns[k] == col[COO_ENTRIES * i + k] && values[k] == val[COO_ENTRIES * i + k];
        if (!good)
            atomicAdd(wrong, 1ull);
    }
}

/* The triplets; copies to be sorted; the matrix. */
struct arrays {
    thrust::device_vector<uint32_t> row, col;
    thrust::device_vector<double> val;
    thrust::device_vector<uint64_t> key, kept;
    thrust::device_vector<double> sorted, sum;
    thrust::device_vector<uint32_t> offset, column;
    size_t entries;

    explicit arrays(const coo_input &in)
        : row(in.n), col(in.n), val(in.n), key(in.n), kept(in.n), sorted(in.n), sum(in.n),
          offset((size_t)in.rows + 1), column(in.n), entries(0)
    {
    }
};

template <class Policy> static void assemble(const Policy &policy, const coo_input &in, arrays &a)
{
    thrust::transform(policy, a.row.begin(), a.row.end(), a.col.begin(), a.key.begin(), make_key());
    thrust::copy(policy, a.val.begin(), a.val.end(), a.sorted.begin());
    thrust::sort_by_key(policy, a.key.begin(), a.key.end(), a.sorted.begin());
    auto end = thrust::reduce_by_key(policy, a.key.begin(), a.key.end(), a.sorted.begin(), a.kept.begin(),
                                     a.sum.begin());
    a.entries = (size_t)(end.first - a.kept.begin());
    thrust::transform(policy, a.kept.begin(), end.first, a.column.begin(), column_of());
    auto firsts = thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0), first_key());
    thrust::lower_bound(policy, a.kept.begin(), end.first, firsts, firsts + ((ptrdiff_t)in.rows + 1),
                        a.offset.begin());
}

static bool right(const coo_input &in, const arrays &a)
{
    thrust::device_vector<unsigned long long> wrong(1, 0ull);
    count_wrong<<<1024, 256>>>(in, thrust::raw_pointer_cast(a.offset.data()),
                               thrust::raw_pointer_cast(a.column.data()), thrust::raw_pointer_cast(a.sum.data()),
                               thrust::raw_pointer_cast(wrong.data()));
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());
    return a.entries == (size_t)COO_ENTRIES * in.rows && wrong[0] == 0;
}

/* Milliseconds of a call by events and by the host's clock: medians and minima, after a warm-up call. */
template <class Policy>
static void time_calls(const Policy &policy, const char *name, const coo_input &in, arrays &a)
{
    cudaEvent_t begin, end;
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    std::vector<double> device, call;
    for (int i = -1; i < RUNS; i++) {
        MUST(cudaDeviceSynchronize());
        auto begun = std::chrono::steady_clock::now();
        MUST(cudaEventRecord(begin));
        assemble(policy, in, a);
        MUST(cudaEventRecord(end));
        MUST(cudaEventSynchronize(end));
        std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - begun;
        float ms = 0;
        MUST(cudaEventElapsedTime(&ms, begin, end));
        if (i >= 0) {
            device.push_back(ms);
            call.push_back(wall.count());
        }
    }
    std::sort(device.begin(), device.end());
    std::sort(call.begin(), call.end());
    double median = device[RUNS / 2];
    printf("%s\tcreate and matrix\t%s\tradix\t%u\t%.4f\t%.4f\t%.4f\t%.4f\t%s\n", name,
           in.mixed ? "mixed" : "in order", in.n, median, device[0], call[RUNS / 2], 1e-6 * in.n / median,
           right(in, a) ? "right" : "WRONG");
    fflush(stdout);
    MUST(cudaEventDestroy(begin));
    MUST(cudaEventDestroy(end));
}

static void run_size(const char *n, bool in_order)
{
    unsigned long long triplets = strtoull(n, nullptr, 10);
    if (triplets < COO_LEAST || triplets > 0x7FFFFFFF) {
        fprintf(stderr, "thrust_coo: %s triplets: from %d to %d\n", n, (int)COO_LEAST, 0x7FFFFFFF);
        exit(1);
    }
    coo_input in = coo_input_of((uint32_t)triplets, !in_order);
    arrays a(in);
    make_triplets<<<4096, 256>>>(in, thrust::raw_pointer_cast(a.row.data()), thrust::raw_pointer_cast(a.col.data()),
                                 thrust::raw_pointer_cast(a.val.data()));
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());
    time_calls(thrust::device, "thrust", in, a);
    cache memory;
    time_calls(thrust::cuda::par(memory), "thrust, cached", in, a);
}

int main(int argc, char **argv)
{
    static const char *const defaults[] = {"1000000", "10000000", "100000000"};
    int first = 1;
    bool in_order = argc > 1 && !strcmp(argv[1], "--in-order");
    first += in_order;
    printf("library\tstep\torder\tway\tn\tdevice_ms\tdevice_ms_min\tcall_ms\tgtriplets_s\tresult\n");
    for (int k = first; k < argc; k++)
        run_size(argv[k], in_order);
    for (int k = 0; first == argc && k < 3; k++)
        run_size(defaults[k], in_order);
    return 0;
}
