/* cuBLAS and cuSOLVER on the GPU, for comparison with bench_dense: milliseconds of C = A B, of a solve with one right-hand
 * side (getrf, getrs), of an inverse (getrf, getrs with the identity) and of the inverses of many small blocks
 * (matinvBatched). Build: nvcc -O3 -std=c++17 -arch=native -o cusolver_bench cusolver_bench.cu -lcusolver -lcublas; run:
 * cusolver_bench [--precision f64|f32] [--tensor] WHAT:SIZE ... as in cusolver_bench gemm:4096 solve:4096 invert:4096
 * batched:16:100000 (blocks of 16, 100,000 of them; up to 32).
 *
 * A time is the median of events around the calls, after one that warms up: what is restored before each run is not in it.
 * GFLOP/s count as bench_dense does, 2 n^3 for gemm and invert and n^3 for solve, whatever the work of the algorithm: its own
 * is 2/3 n^3 for a solve. Without --tensor, cuBLAS gets CUBLAS_PEDANTIC_MATH, which keeps f32 off TF32; in f64 tensor
 * cores compute in f64, and are used where cuBLAS likes. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <string>
#include <vector>

enum { RUNS = 5 };

#define MUST(call)                                                                              \
    do {                                                                                        \
        int status_ = (int)(call);                                                              \
        if (status_ != 0) {                                                                     \
            fprintf(stderr, "cusolver_bench: %s: %d (line %d)\n", #call, status_, __LINE__);    \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)

template <class T> struct calls;

template <> struct calls<double> {
    static constexpr const char *name = "f64";
    static constexpr auto gemm = cublasDgemm;
    static constexpr auto room = cusolverDnDgetrf_bufferSize;
    static constexpr auto getrf = cusolverDnDgetrf;
    static constexpr auto getrs = cusolverDnDgetrs;
    static constexpr auto invert = cublasDmatinvBatched;
};

template <> struct calls<float> {
    static constexpr const char *name = "f32";
    static constexpr auto gemm = cublasSgemm;
    static constexpr auto room = cusolverDnSgetrf_bufferSize;
    static constexpr auto getrf = cusolverDnSgetrf;
    static constexpr auto getrs = cusolverDnSgetrs;
    static constexpr auto invert = cublasSmatinvBatched;
};

/* splitmix64, from -1 to 1, as bench_dense fills its matrices. */
static double next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)(int64_t)(z ^ (z >> 31)) * 0x1p-63;
}

template <class T> struct array {
    T *at = nullptr;
    size_t count;

    explicit array(size_t n) : count(n) { MUST(cudaMalloc(&at, std::max<size_t>(n, 1) * sizeof(T))); }
    ~array() { cudaFree(at); }
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    void put(const std::vector<T> &v) { MUST(cudaMemcpy(at, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void copy(const array &from) { MUST(cudaMemcpy(at, from.at, count * sizeof(T), cudaMemcpyDeviceToDevice)); }
};

template <class T> static std::vector<T> random(size_t count)
{
    uint64_t state = 1;
    std::vector<T> v(count);
    for (T &x : v)
        x = (T)next(&state);
    return v;
}

/* The median of milliseconds of `work`, each time after `before`. */
template <class Before, class Work> static double median(cudaStream_t stream, Before before, Work work)
{
    std::vector<double> ms;
    cudaEvent_t begin, end;
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    for (int run = -1; run < RUNS; run++) {
        float elapsed;
        before();
        MUST(cudaDeviceSynchronize());
        MUST(cudaEventRecord(begin, stream));
        work();
        MUST(cudaEventRecord(end, stream));
        MUST(cudaEventSynchronize(end));
        MUST(cudaEventElapsedTime(&elapsed, begin, end));
        if (run >= 0)
            ms.push_back(elapsed);
    }
    MUST(cudaEventDestroy(begin));
    MUST(cudaEventDestroy(end));
    std::sort(ms.begin(), ms.end());
    return ms[RUNS / 2];
}

static void print(const char *what, const char *precision, int n, double ms, double work)
{
    printf("%s\t%s\t%d\t%.4f\t%.1f\n", what, precision, n, ms, 1e-6 * work / ms);
    fflush(stdout);
}

struct library {
    cublasHandle_t blas;
    cusolverDnHandle_t solver;
    cudaStream_t stream;
};

template <class T> static void gemm(const library &l, int n)
{
    size_t count = (size_t)n * n;
    array<T> A(count), B(count), C(count);
    T one = 1, zero = 0;
    A.put(random<T>(count));
    B.copy(A);
    double ms = median(
        l.stream, [] {},
        [&] { MUST(calls<T>::gemm(l.blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A.at, n, B.at, n, &zero, C.at, n)); });
    print("gemm", calls<T>::name, n, ms, 2.0 * n * n * n);
}

/* getrf and getrs with m right-hand sides: one, or the identity, which gives the inverse. */
template <class T> static void solve(const library &l, int n, bool invert)
{
    size_t count = (size_t)n * n;
    int m = invert ? n : 1, room = 0, info = -1;
    array<T> A(count), LU(count), B((size_t)n * m), X((size_t)n * m);
    array<int> pivots(n), listed(1);
    std::vector<T> b((size_t)n * m, 0);
    for (int i = 0; i < n; i++)
        b[invert ? (size_t)i * n + i : i] = 1;
    A.put(random<T>(count));
    B.put(b);
    MUST(calls<T>::room(l.solver, n, n, LU.at, n, &room));
    array<T> work(room);
    double ms = median(
        l.stream,
        [&] {
            LU.copy(A);
            X.copy(B);
        },
        [&] {
            MUST(calls<T>::getrf(l.solver, n, n, LU.at, n, work.at, pivots.at, listed.at));
            MUST(calls<T>::getrs(l.solver, CUBLAS_OP_N, n, m, LU.at, n, pivots.at, X.at, n, listed.at));
        });
    MUST(cudaMemcpy(&info, listed.at, sizeof info, cudaMemcpyDeviceToHost));
    MUST(info);
    print(invert ? "invert" : "solve", calls<T>::name, n, ms, (invert ? 2.0 : 1.0) * n * n * n);
}

template <class T> static void batched(const library &l, int n, int blocks)
{
    size_t count = (size_t)n * n * blocks;
    array<T> A(count), X(count);
    array<const T *> from(blocks);
    array<T *> to(blocks);
    array<int> listed(blocks);
    std::vector<const T *> a(blocks);
    std::vector<T *> x(blocks);
    for (int k = 0; k < blocks; k++) {
        a[k] = A.at + (size_t)k * n * n;
        x[k] = X.at + (size_t)k * n * n;
    }
    A.put(random<T>(count));
    from.put(a);
    to.put(x);
    double ms = median(
        l.stream, [] {},
        [&] { MUST(calls<T>::invert(l.blas, n, from.at, n, to.at, n, listed.at, blocks)); });
    print("batched", calls<T>::name, n, ms, 2.0 * n * n * n * blocks);
}

template <class T> static bool run(const library &l, const char *text)
{
    int n = 0, blocks = 0;
    if (sscanf(text, "gemm:%d", &n) == 1 && n > 0)
        gemm<T>(l, n);
    else if (sscanf(text, "solve:%d", &n) == 1 && n > 0)
        solve<T>(l, n, false);
    else if (sscanf(text, "invert:%d", &n) == 1 && n > 0)
        solve<T>(l, n, true);
    else if (sscanf(text, "batched:%d:%d", &n, &blocks) == 2 && n > 0 && n <= 32 && blocks > 0)
        batched<T>(l, n, blocks);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    bool f32 = false, tensor = false;
    library l;
    MUST(cudaStreamCreate(&l.stream));
    MUST(cublasCreate(&l.blas));
    MUST(cublasSetStream(l.blas, l.stream));
    MUST(cusolverDnCreate(&l.solver));
    MUST(cusolverDnSetStream(l.solver, l.stream));
    printf("what\tprecision\tn\tms\tGFLOP/s\n");
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--tensor"))
            tensor = true;
        else if (!strcmp(argv[i], "--precision") && i + 1 < argc)
            f32 = !strcmp(argv[++i], "f32");
        else {
            MUST(cublasSetMathMode(l.blas, tensor ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_PEDANTIC_MATH));
            if (!(f32 ? run<float>(l, argv[i]) : run<double>(l, argv[i]))) {
                fprintf(stderr, "cusolver_bench: %s is not WHAT:SIZE\n", argv[i]);
                return 1;
            }
        }
    }
    return 0;
}
