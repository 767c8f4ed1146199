/* vksolve/eigen_rows.h -- part of vksolve/eigen.h: the form in which the library reads an Eigen matrix. */
#ifndef VKSOLVE_EIGEN_ROWS_H
#define VKSOLVE_EIGEN_ROWS_H

#include <Eigen/SparseCore>
#include <cstdint>
#include <vector>

namespace vksolve
{

/* The entries of a matrix, or of an expression, in compressed rows that count from 0. Eigen compresses and
 * copies any other storage, so the gaps between the entries of an uncompressed matrix are never read. Indices
 * are copied unless they have 4 bytes; the arrays are valid as long as the matrix. */
template <class Scalar, class StorageIndex> class Rows
{
  public:
    template <class Derived> explicit Rows(const Eigen::SparseMatrixBase<Derived> &A) : m_of(A.derived())
    {
        const StorageIndex *row = m_of.outerIndexPtr();
        m_first = row[0]; /* not 0 if these are some rows of a larger matrix */
        m_entries = Eigen::Index(row[rows()]) - m_first;
        m_fits = fits(rows()) && fits(cols()) && fits(m_entries);
        if (m_fits) {
            m_row = indices(row, rows() + 1, m_first, m_rows);
            m_col = indices(m_of.innerIndexPtr() + m_first, m_entries, 0, m_cols);
        }
    }
    Rows(const Rows &) = delete;
    Rows &operator=(const Rows &) = delete;

    Eigen::Index rows() const
    {
        return m_of.rows();
    }
    Eigen::Index cols() const
    {
        return m_of.cols();
    }
    /* Whether rows, columns and entries fit in 32-bit indices. If not, there are no arrays. */
    bool fits() const
    {
        return m_fits;
    }
    const uint32_t *row() const
    {
        return m_row;
    }
    const uint32_t *col() const
    {
        return m_col;
    }
    const Scalar *val() const
    {
        return m_of.valuePtr() + m_first;
    }

    /* A hash of the positions of the entries. */
    uint64_t pattern() const
    {
        uint64_t hash = 14695981039346656037u; /* FNV-1a, by words */
        const auto take = [&hash](uint64_t word) { hash = (hash ^ word) * 1099511628211u; };
        take(uint64_t(rows()));
        take(uint64_t(cols()));
        for (Eigen::Index i = 0; m_fits && i <= rows(); i++)
            take(m_row[i]);
        for (Eigen::Index k = 0; m_fits && k < m_entries; k++)
            take(m_col[k]);
        return hash;
    }

  private:
    static bool fits(Eigen::Index count)
    {
        return uint64_t(count) < UINT32_MAX;
    }

    static const uint32_t *indices(const StorageIndex *from, Eigen::Index count, Eigen::Index first,
                                   std::vector<uint32_t> &moved)
    {
        if (sizeof(StorageIndex) == sizeof(uint32_t) && !first)
            return reinterpret_cast<const uint32_t *>(from);
        moved.resize(std::size_t(count));
        for (Eigen::Index i = 0; i < count; i++)
            moved[std::size_t(i)] = uint32_t(from[i] - first);
        return moved.data();
    }

    Eigen::Ref<const Eigen::SparseMatrix<Scalar, Eigen::RowMajor, StorageIndex>,
               Eigen::StandardCompressedFormat>
        m_of;
    Eigen::Index m_first, m_entries;
    bool m_fits;
    const uint32_t *m_row = nullptr, *m_col = nullptr;
    std::vector<uint32_t> m_rows, m_cols;
};

} // namespace vksolve

#endif
