// From C++: objects that destroy themselves, failures that throw.
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vksolve/vksolve.h>

template <class T> using owner = std::unique_ptr<T, void (*)(T *)>;

static void must(vks_status status, const vks_context *context)
{
    if (status)
        throw std::runtime_error(std::string(vks_status_text(status)) + ": " + vks_context_message(context));
}

static vks_reason solve(const char *path)
{
    vks_context *c;
    must(vks_context_create(nullptr, &c), nullptr); // a GPU where there is one, else the host
    owner<vks_context> context(c, vks_context_destroy);
    vks_matrix *read;
    must(vks_matrix_read(c, path, nullptr, &read), c);
    owner<vks_matrix> A(read, vks_matrix_destroy);
    vks_vector *made;
    must(vks_vector_create(c, vks_matrix_rows(read), VKS_F64, &made), c);
    owner<vks_vector> b(made, vks_vector_destroy);
    must(vks_vector_create(c, vks_matrix_rows(read), VKS_F64, &made), c);
    owner<vks_vector> x(made, vks_vector_destroy);
    must(vks_vector_fill(b.get(), 1), c);
    vks_solve_report report;
    must(cg_solve(A.get(), b.get(), x.get(), nullptr, &report), c);
    std::cout << vks_reason_name(report.reason) << " after " << report.iterations << " iterations\n";
    return report.reason;
}

int main(int argc, char **argv)
try {
    return solve(argc > 1 ? argv[1] : "matrices/bcsstk14.mtx.gz") != VKS_REASON_CONVERGED;
} catch (const std::exception &failure) {
    std::cerr << failure.what() << '\n';
    return 1;
}
