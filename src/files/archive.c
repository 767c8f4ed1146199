/* Archives of SciPy's save_npz: a matrix is stored as arrays whose names depend on its format. */
#include "files/kinds.h"
#include "files/npy.h"
#include "files/zip.h"

#include <stdlib.h>
#include <string.h>

/* The arrays to look for; each format has some of them. */
enum { FORMAT, SHAPE, DATA, INDICES, INDPTR, ROW, COL, COORDS, OFFSETS, ARRAYS };
static const char *const names[ARRAYS] = {"format.npy",  "shape.npy",  "data.npy",
                                          "indices.npy", "indptr.npy", "row.npy",
                                          "col.npy",     "coords.npy", "offsets.npy"};

struct archive {
    struct message *m;
    const char *name; /* the file in messages */
    struct npy array[ARRAYS];
    char *bytes[ARRAYS]; /* NULL: not in the archive */
    uint64_t rows, cols;
};

static vks_status damaged(const struct archive *a, const char *what)
{
    return fail(a->m, VKS_FORMAT, "%s: %s", a->name, what);
}

static vks_status load(struct archive *a, const struct zip *z, const struct zip_member *member, int i)
{
    if (a->bytes[i])
        return fail(a->m, VKS_FORMAT, "%s: %s is there twice", a->name, names[i]);
    TRY(zip_extract(a->m, z, member, &a->bytes[i]));
    return npy_open(a->m, a->name, names[i], a->bytes[i], (size_t)member->size, &a->array[i]);
}

/* Reads element k of an array of indices, which must be from 0 to `most`. */
static vks_status take_index(const struct archive *a, int i, uint64_t k, uint64_t most, uint64_t *index)
{
    int64_t value = npy_whole(&a->array[i], k);
    if (value < 0 || (uint64_t)value > most)
        return fail(a->m, VKS_FORMAT, "%s: %s: element %llu is %lld, and not from 0 to %lld", a->name,
                    names[i], (unsigned long long)k, (long long)value, (long long)most);
    *index = (uint64_t)value;
    return VKS_OK;
}

/* Checks an array of indices: one dimension and `count` elements. */
static vks_status check_indices(const struct archive *a, int i, uint64_t count)
{
    if (!a->bytes[i])
        return fail(a->m, VKS_FORMAT, "%s: the archive has no %s", a->name, names[i]);
    const struct npy *array = &a->array[i];
    if (!npy_is_whole(array) || array->dimensions != 1 || array->count != count)
        return fail(a->m, VKS_FORMAT, "%s: %s is not an array of %llu whole numbers", a->name, names[i],
                    (unsigned long long)count);
    return VKS_OK;
}

static vks_status set_entry(const struct archive *a, struct triplets *e, size_t k, uint64_t row, uint64_t col,
                            uint64_t value)
{
    e->row[k] = (uint32_t)row;
    e->col[k] = (uint32_t)col;
    e->val[k] = npy_real(&a->array[DATA], value);
    return entries_check_value(a->m, a->name, e->val[k], row, col);
}

/* Reads blocks of rows, or of columns, of `height` x `width` entries; 1 x 1 in csr and csc. */
static vks_status read_compressed(const struct archive *a, bool by_columns, struct triplets *e)
{
    const struct npy *data = &a->array[DATA];
    bool has_blocks = data->dimensions == 3;
    uint64_t height = has_blocks ? data->shape[1] : 1, width = has_blocks ? data->shape[2] : 1;
    uint64_t blocks = data->shape[0], rows = by_columns ? a->cols : a->rows,
             cols = by_columns ? a->rows : a->cols;
    if (!height || !width || rows % height || cols % width)
        return damaged(a, "the blocks do not fit the shape");
    if (data->by_columns && has_blocks)
        return fail(a->m, VKS_UNSUPPORTED, "%s: blocks in Fortran order are not supported", a->name);
    TRY(check_indices(a, INDICES, blocks));
    TRY(check_indices(a, INDPTR, rows / height + 1));
    TRY(entries_allocate(a->m, a->name, a->rows, a->cols, data->count, e));
    uint64_t from = 0, to = 0, at = 0;
    size_t k = 0;
    TRY(take_index(a, INDPTR, 0, 0, &from));
    for (uint64_t i = 0; i < rows / height; i++, from = to) {
        TRY(take_index(a, INDPTR, i + 1, blocks, &to));
        if (to < from)
            return damaged(a, "indptr.npy descends");
        for (uint64_t block = from; block < to; block++) {
            TRY(take_index(a, INDICES, block, cols / width - (cols > 0), &at));
            if (!cols)
                return damaged(a, "entries in a matrix without rows or columns");
            for (uint64_t p = 0; p < height * width; p++, k++) {
                uint64_t row = i * height + p / width, col = at * width + p % width;
                TRY(set_entry(a, e, k, by_columns ? col : row, by_columns ? row : col,
                              block * height * width + p));
            }
        }
    }
    e->count = k; /* as in SciPy, excess data is ignored */
    return VKS_OK;
}

static vks_status read_coordinates(const struct archive *a, struct triplets *e)
{
    uint64_t count = a->array[DATA].count, row, col;
    bool together = a->bytes[COORDS] != NULL;
    const struct npy *coords = &a->array[COORDS];
    if (together && (!npy_is_whole(coords) || coords->dimensions != 2 || coords->shape[0] != 2 ||
                     coords->shape[1] != count || coords->by_columns))
        return damaged(a, "coords.npy does not fit data.npy");
    if (!together) {
        TRY(check_indices(a, ROW, count));
        TRY(check_indices(a, COL, count));
    }
    if (count && (!a->rows || !a->cols))
        return damaged(a, "entries in a matrix without rows or columns");
    TRY(entries_allocate(a->m, a->name, a->rows, a->cols, count, e));
    for (size_t k = 0; k < count; k++) {
        TRY(take_index(a, together ? COORDS : ROW, k, a->rows - 1, &row));
        TRY(take_index(a, together ? COORDS : COL, together ? count + k : k, a->cols - 1, &col));
        TRY(set_entry(a, e, k, row, col, k));
    }
    return VKS_OK;
}

/* Reads diagonals. Element (k, j) of the data is entry (j - offset k, j) if such a row exists; zeros are
 * skipped, as in SciPy. */
static vks_status read_diagonals(const struct archive *a, struct triplets *e)
{
    const struct npy *data = &a->array[DATA];
    if (data->dimensions != 2)
        return damaged(a, "data.npy of diagonals has other than 2 dimensions");
    uint64_t diagonals = data->shape[0], length = data->shape[1];
    TRY(check_indices(a, OFFSETS, diagonals));
    TRY(entries_allocate(a->m, a->name, a->rows, a->cols, data->count, e));
    size_t count = 0;
    for (uint64_t d = 0; d < diagonals; d++) {
        int64_t offset = npy_whole(&a->array[OFFSETS], d);
        for (uint64_t j = 0; j < length && j < a->cols; j++) {
            uint64_t k = data->by_columns ? j * diagonals + d : d * length + j, row = j - (uint64_t)offset;
            if (row < a->rows && npy_real(data, k) != 0)
                TRY(set_entry(a, e, count++, row, j, k));
        }
    }
    e->count = count;
    return VKS_OK;
}

/* Reads the name of the format, stored as bytes or code points. */
static void take_format(const struct archive *a, char format[8])
{
    const struct npy *f = &a->array[FORMAT];
    unsigned step = f->type == 'U' ? 4 : 1;
    memset(format, 0, 8);
    for (unsigned i = 0; i < 7 && (i + 1) * step <= f->bytes && f->count == 1; i++)
        format[i] = (char)f->data[i * step + (f->is_big && step == 4 ? 3 : 0)];
}

static vks_status read_matrix(struct archive *a, struct market *out)
{
    char format[8];
    struct triplets *e = &out->entries;
    take_format(a, format);
    TRY(check_indices(a, SHAPE, 2));
    TRY(take_index(a, SHAPE, 0, VKS_MAX_ROWS, &a->rows));
    TRY(take_index(a, SHAPE, 1, VKS_MAX_ROWS, &a->cols));
    if (!a->bytes[DATA] || a->array[DATA].type == 'S' || a->array[DATA].type == 'U')
        return damaged(a, "the archive has no numbers in data.npy");
    bool has_blocks = !strcmp(format, "bsr"), is_dia = !strcmp(format, "dia");
    if (a->array[DATA].dimensions != (has_blocks ? 3 : is_dia ? 2 : 1))
        return damaged(a, "data.npy has a wrong number of dimensions");
    out->kind = "SciPy archive";
    out->field = npy_is_whole(&a->array[DATA]) ? MARKET_INTEGER : MARKET_REAL;
    if (!strcmp(format, "csr") || has_blocks)
        return read_compressed(a, false, e);
    if (!strcmp(format, "csc"))
        return read_compressed(a, true, e);
    if (!strcmp(format, "coo"))
        return read_coordinates(a, e);
    if (is_dia)
        return read_diagonals(a, e);
    return fail(a->m, VKS_UNSUPPORTED, "%s: the format of the matrix is none of csr, csc, coo, bsr, dia",
                a->name);
}

/* Reads an archive without a matrix, which may hold one array. */
static vks_status read_array(struct archive *a, const struct zip *z, struct market *out)
{
    uint64_t at = 0;
    struct zip_member member;
    struct npy array;
    char *bytes = NULL;
    if (z->members != 1)
        return fail(a->m, VKS_FORMAT,
                    "%s: cannot be read: it is a zip archive of %llu members, which is neither "
                    "a matrix of scipy.sparse.save_npz nor a single array",
                    a->name, (unsigned long long)z->members);
    TRY(zip_next(a->m, z, &at, &member));
    size_t length = strlen(member.name);
    if (length < 4 || strcmp(member.name + length - 4, ".npy") != 0)
        return fail(a->m, VKS_FORMAT, "%s: cannot be read: it is a zip archive", a->name);
    TRY(zip_extract(a->m, z, &member, &bytes));
    vks_status s = npy_open(a->m, a->name, member.name, bytes, (size_t)member.size, &array);
    IF_OK(s, npy_to_array(a->m, a->name, &array, out));
    free(bytes);
    return s;
}

static vks_status read_members(struct archive *a, const struct zip *z, struct market *out)
{
    uint64_t at = 0;
    struct zip_member member;
    for (uint64_t k = 0; k < z->members; k++) {
        TRY(zip_next(a->m, z, &at, &member));
        for (int i = 0; i < ARRAYS; i++)
            if (!strcmp(member.name, names[i]))
                TRY(load(a, z, &member, i));
    }
    if (!a->bytes[FORMAT])
        return read_array(a, z, out);
    TRY(read_matrix(a, out));
    out->stored = out->entries.count;
    return VKS_OK;
}

vks_status read_archive(struct message *m, const struct text *t, struct market *out)
{
    struct zip z;
    struct archive a = {.m = m, .name = t->name};
    TRY(zip_open(m, t->name, t->begin, t->size, &z));
    vks_status s = read_members(&a, &z, out);
    for (int i = 0; i < ARRAYS; i++)
        free(a.bytes[i]);
    return s;
}
