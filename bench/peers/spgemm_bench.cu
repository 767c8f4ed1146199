/* cuSPARSE on the GPU, for comparison: milliseconds of C = A A in CSR with 32-bit indices, by each of its
 * algorithms. Build: nvcc -O3 -std=c++17 -arch=native -I FOLDER -o spgemm_bench spgemm_bench.cu -lcusparse,
 * where FOLDER has gp_inputs.h with the generators; run: spgemm_bench [INPUT...], as in spgemm_bench
 * poisson3d:128 powerlaw:131072:8
 *
 * A time is the median of whole products: all calls of cuSPARSE, and the wait for the device. "malloc"
 * includes the cudaMalloc of every buffer and of C, and the cudaFree of every buffer; "kept" includes
 * neither. Each algorithm runs in its own process, so that its effects on the device do not reach the next
 * one. */
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "gp_inputs.h"

enum { RUNS = 5, BUFFERS = 8, SECONDS = 150 /* that an algorithm may take on one input */ };
static const double slow = 4; /* seconds: no repeats then */

struct failure {
    std::string text;
};

static void must(cudaError_t e, const char *what)
{
    if (e == cudaErrorMemoryAllocation)
        throw failure{"insufficient (cudaMalloc)"};
    if (e != cudaSuccess)
        throw failure{std::string(what) + ": " + cudaGetErrorString(e)};
}

static void must(cusparseStatus_t s, const char *what)
{
    if (s == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES)
        throw failure{"insufficient"};
    if (s != CUSPARSE_STATUS_SUCCESS)
        throw failure{std::string(what) + ": " + cusparseGetErrorName(s)};
}
#define MUST(call) must(call, #call)

static double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* The buffers of a product, by number. Kept buffers that are large enough are reused. */
struct buffers {
    bool kept = false;
    void *at[BUFFERS] = {};
    size_t bytes[BUFFERS] = {};

    template <class T> T *get(int i, size_t count)
    {
        size_t want = std::max<size_t>(count * sizeof(T), 16);
        if (!kept || bytes[i] < want) {
            drop(i);
            MUST(cudaMalloc(&at[i], want));
            bytes[i] = want;
        }
        return (T *)at[i];
    }
    void drop(int i)
    {
        if (at[i])
            MUST(cudaFree(at[i]));
        at[i] = nullptr;
        bytes[i] = 0;
    }
    /* Frees what a product no longer needs. */
    void done(int i)
    {
        if (!kept)
            drop(i);
    }
};
enum { C_ROW = 5, C_COL, C_VAL }; /* buffers; those before are the workspace */

template <class T> struct product {
    cusparseHandle_t handle = nullptr;
    cusparseSpMatDescr_t A = nullptr, B = nullptr, C = nullptr;
    cusparseSpGEMMDescr_t d = nullptr;
    buffers b;
    int64_t n = 0, nnz = 0;
    const cudaDataType type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const T one = 1, zero = 0;

    explicit product(const gp::Csr &a) : n(a.n)
    {
        int *row, *col;
        T *val;
        std::vector<T> values(a.val.data(), a.val.data() + a.nnz);
        MUST(cusparseCreate(&handle));
        MUST(cudaMalloc(&row, 4 * (a.n + 1)));
        MUST(cudaMalloc(&col, std::max<size_t>(4 * a.nnz, 16)));
        MUST(cudaMalloc(&val, std::max<size_t>(sizeof(T) * a.nnz, 16)));
        MUST(cudaMemcpy(row, a.ptr.data(), 4 * (a.n + 1), cudaMemcpyHostToDevice));
        MUST(cudaMemcpy(col, a.col.data(), 4 * a.nnz, cudaMemcpyHostToDevice));
        MUST(cudaMemcpy(val, values.data(), sizeof(T) * a.nnz, cudaMemcpyHostToDevice));
        for (cusparseSpMatDescr_t *m : {&A, &B})
            MUST(cusparseCreateCsr(m, n, n, a.nnz, row, col, val, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_BASE_ZERO, type));
    }

    void begin()
    {
        int *row = b.get<int>(C_ROW, n + 1);
        MUST(cusparseCreateCsr(&C, n, n, 0, row, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, type));
        MUST(cusparseSpGEMM_createDescr(&d));
    }

    /* Memory for the entries of C, once their number is known. */
    void room()
    {
        int64_t rows, cols;
        MUST(cusparseSpMatGetSize(C, &rows, &cols, &nnz));
        int *row = (int *)b.at[C_ROW], *col = b.get<int>(C_COL, nnz);
        T *val = b.get<T>(C_VAL, nnz);
        MUST(cusparseCsrSetPointers(C, row, col, val));
    }

    void end()
    {
        MUST(cudaDeviceSynchronize());
        for (int i = 0; i < C_ROW; i++)
            b.done(i);
        MUST(cusparseSpGEMM_destroyDescr(d));
        MUST(cusparseDestroySpMat(C));
    }

    void plain(cusparseSpGEMMAlg_t alg)
    {
        size_t bytes = 0, most = 0;
        begin();
        MUST(cusparseSpGEMM_workEstimation(handle, op, op, &one, A, B, &zero, C, type, alg, d, &bytes,
                                           nullptr));
        void *first = b.get<char>(0, bytes);
        MUST(
            cusparseSpGEMM_workEstimation(handle, op, op, &one, A, B, &zero, C, type, alg, d, &bytes, first));
        if (alg == CUSPARSE_SPGEMM_ALG2 || alg == CUSPARSE_SPGEMM_ALG3) {
            const float chunk = 0.2f;
            MUST(cusparseSpGEMM_estimateMemory(handle, op, op, &one, A, B, &zero, C, type, alg, d, chunk,
                                               &bytes, nullptr, nullptr));
            void *third = b.get<char>(2, bytes);
            MUST(cusparseSpGEMM_estimateMemory(handle, op, op, &one, A, B, &zero, C, type, alg, d, chunk,
                                               &bytes, third, &most));
            b.done(2);
        } else {
            MUST(cusparseSpGEMM_compute(handle, op, op, &one, A, B, &zero, C, type, alg, d, &most, nullptr));
        }
        void *second = b.get<char>(1, most);
        MUST(cusparseSpGEMM_compute(handle, op, op, &one, A, B, &zero, C, type, alg, d, &most, second));
        room();
        MUST(cusparseSpGEMM_copy(handle, op, op, &one, A, B, &zero, C, type, alg, d));
        end();
    }

    void numeric()
    {
        MUST(cusparseSpGEMMreuse_compute(handle, op, op, &one, A, B, &zero, C, type, CUSPARSE_SPGEMM_DEFAULT,
                                         d));
    }

    /* The structure, then the values; numeric() can run again if end() has not been called. */
    void reuse(bool ends)
    {
        const cusparseSpGEMMAlg_t alg = CUSPARSE_SPGEMM_DEFAULT;
        size_t bytes = 0, bytes2 = 0, bytes3 = 0, bytes4 = 0;
        begin();
        MUST(cusparseSpGEMMreuse_workEstimation(handle, op, op, A, B, C, alg, d, &bytes, nullptr));
        void *first = b.get<char>(0, bytes);
        MUST(cusparseSpGEMMreuse_workEstimation(handle, op, op, A, B, C, alg, d, &bytes, first));
        MUST(cusparseSpGEMMreuse_nnz(handle, op, op, A, B, C, alg, d, &bytes2, nullptr, &bytes3, nullptr,
                                     &bytes4, nullptr));
        void *second = b.get<char>(1, bytes2), *third = b.get<char>(2, bytes3),
             *fourth = b.get<char>(3, bytes4);
        MUST(cusparseSpGEMMreuse_nnz(handle, op, op, A, B, C, alg, d, &bytes2, second, &bytes3, third,
                                     &bytes4, fourth));
        b.done(0);
        b.done(1);
        room();
        size_t bytes5 = 0;
        MUST(cusparseSpGEMMreuse_copy(handle, op, op, A, B, C, alg, d, &bytes5, nullptr));
        void *fifth = b.get<char>(4, bytes5);
        MUST(cusparseSpGEMMreuse_copy(handle, op, op, A, B, C, alg, d, &bytes5, fifth));
        b.done(2);
        numeric();
        if (ends)
            end();
    }

    /* The median of the milliseconds of run(), after a warm-up run. */
    double median_ms(const std::function<void()> &run)
    {
        std::vector<double> ms;
        double first = 0;
        for (int i = 0; i <= RUNS && (i < 2 || first < slow); i++) {
            if (!b.kept) /* those of the previous product */
                for (int k : {C_ROW, C_COL, C_VAL})
                    b.drop(k);
            MUST(cudaDeviceSynchronize());
            double begin = now();
            run();
            MUST(cudaDeviceSynchronize());
            double seconds = now() - begin;
            if (i)
                ms.push_back(1e3 * seconds);
            else
                first = seconds;
        }
        std::sort(ms.begin(), ms.end());
        return ms[ms.size() / 2];
    }

    size_t workspace() const
    {
        size_t sum = 0;
        for (int i = 0; i < C_ROW; i++)
            sum += b.bytes[i];
        return sum;
    }

    /* FNV-1a over the row offsets of C as 32-bit words, and its entries. */
    uint64_t checksum() const
    {
        std::vector<uint32_t> row(n + 1);
        MUST(cudaMemcpy(row.data(), b.at[C_ROW], 4 * (n + 1), cudaMemcpyDeviceToHost));
        uint64_t h = 0xCBF29CE484222325u;
        for (uint32_t w : row)
            h = (h ^ w) * 0x100000001B3u;
        return (h ^ (uint64_t)nnz) * 0x100000001B3u;
    }
};

static const struct {
    const char *name;
    cusparseSpGEMMAlg_t alg;
    bool reuse;
} algorithms[] = {{"ALG1", CUSPARSE_SPGEMM_DEFAULT, false},
                  {"ALG2", CUSPARSE_SPGEMM_ALG2, false},
                  {"ALG3", CUSPARSE_SPGEMM_ALG3, false},
                  {"reuse", CUSPARSE_SPGEMM_DEFAULT, true}};

/* One algorithm on one input. Each figure is reported as soon as it is known. */
template <class T> static void measure(const gp::Csr &a, int k)
{
    const char *type = sizeof(T) == 8 ? "f64" : "f32", *name = algorithms[k].name;
    auto print_result = [&](const char *what, double ms) {
        printf("cusparse\t%s %s %s\t%s\t%.3f ms\n", name, what, type, a.name.c_str(), ms);
        fflush(stdout);
    };
    try {
        product<T> p(a);
        auto run = [&] { algorithms[k].reuse ? p.reuse(true) : p.plain(algorithms[k].alg); };
        print_result("malloc", p.median_ms(run));
        p.b.kept = true;
        print_result("kept", p.median_ms(run));
        printf("result\t%s %s\t%s\tentries %lld\tworkspace %zu bytes\tchecksum %016llx\n", name, type,
               a.name.c_str(), (long long)p.nnz, p.workspace(), (unsigned long long)p.checksum());
        if (algorithms[k].reuse) {
            p.reuse(false);
            print_result("numeric", p.median_ms([&] { p.numeric(); }));
        }
    } catch (const failure &f) {
        printf("cusparse\t%s %s\t%s\t%s\n", name, type, a.name.c_str(), f.text.c_str());
    } catch (const std::exception &e) {
        printf("cusparse\t%s %s\t%s\t%s\n", name, type, a.name.c_str(), e.what());
    }
}

/* In its own process, which may crash. */
static void apart(const char *what, const std::function<void()> &run)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        run();
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        perror("spgemm_bench");
    else if (WIFSIGNALED(status))
        printf("cusparse\t%s\tended by signal %d%s\n", what, WTERMSIG(status),
               WTERMSIG(status) == SIGALRM ? ", out of time" : "");
    fflush(stdout);
}

static void print_device()
{
    cudaDeviceProp p;
    int driver = 0, runtime = 0, major = 0, minor = 0, patch = 0;
    cudaError_t e = cudaGetDeviceProperties(&p, 0);
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    cusparseGetProperty(MAJOR_VERSION, &major);
    cusparseGetProperty(MINOR_VERSION, &minor);
    cusparseGetProperty(PATCH_LEVEL, &patch);
    printf("device\t%s\tdriver %d\truntime %d\tcusparse %d.%d.%d\n", e ? cudaGetErrorString(e) : p.name,
           driver, runtime, major, minor, patch);
}

int main(int argc, char **argv)
{
    std::vector<std::string> inputs(argv + 1, argv + argc);
    if (inputs.empty())
        inputs = {"poisson3d:128", "elasticity:48", "powerlaw:131072:8"};
    apart("device", print_device);
    for (const std::string &input : inputs) {
        gp::Csr a;
        try {
            a = gp::load(input);
        } catch (const std::exception &e) {
            fprintf(stderr, "spgemm_bench: %s: %s\n", input.c_str(), e.what());
            continue;
        }
        int64_t products = 0;
        for (int64_t e = 0; e < a.nnz; e++)
            products += a.ptr[a.col[e] + 1] - a.ptr[a.col[e]];
        printf("input\t%s\tn %lld\tentries %lld\tproducts %lld\n", a.name.c_str(), (long long)a.n,
               (long long)a.nnz, (long long)products);
        for (int k = 0; k < 4; k++) {
            apart((a.name + " " + algorithms[k].name + " f64").c_str(), [&] { measure<double>(a, k); });
            apart((a.name + " " + algorithms[k].name + " f32").c_str(), [&] { measure<float>(a, k); });
        }
    }
    return 0;
}
