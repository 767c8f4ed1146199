/* Formats as the command reads them: with a shape, and with a bound on padding. test_cli_spmv.c tests what
 * spmv reports about shapes. */
#include "cli.h"
#include "vksolve/matrix.h"

TestSuite(cli_formats, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define SOLVE "$VKSOLVE solve --device host "
#define SPMV "$VKSOLVE spmv $FOLDER/none.mtx "
#define MEASURE "$VKSOLVE spmv $FOLDER/a.mtx --device host --products 10 --csv - "

Test(cli_formats, solves_in_the_shape_that_is_asked_for)
{
    expect(SOLVE "$MATRICES/bcsstk06.mtx.gz --format sell/64/256", 0, "format      sell/64/256 (as asked)");
    expect(SOLVE "$MATRICES/bcsstk06.mtx.gz --format bsr/3", 0, "format      bsr/3 (as asked)");
    expect(SOLVE "$MATRICES/bcsstk06.mtx.gz --format bsr/3 --json -", 0, "\"format\": \"bsr/3\"");
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --format sell/32/1/coded", 0,
           "format      sell/32/1/coded (as asked)");
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --format sell", 0, "\nentries     of 9 kinds, a byte each\n");
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --format sell --json -", 0, "\"entry_kinds\": 9");
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --format sell/plain --json -", 0, "\"entry_kinds\": 0");
    expect(SOLVE "$MATRICES/bcsstk06.mtx.gz --format sell/coded", 1, "entries cannot be codes");
    expect(SOLVE "$MATRICES/bcsstk06.mtx.gz --format auto", 0, "format      csr (rows are");
    expect(SOLVE "$MATRICES/bcsstk06.mtx.gz --format ell --padding 1", 1, "the most is 1 times");
    expect(SOLVE "$FOLDER/none.mtx --format foo", 1, "unknown format 'foo'; expected auto, csr, ");
    expect(SOLVE "$FOLDER/none.mtx --format all", 1, "unknown format 'all'");
    expect(SOLVE "$FOLDER/none.mtx --format sell/5", 1, "slices of 5 rows");
    expect(SOLVE "$FOLDER/none.mtx --format csr,sell", 1, "unknown format 'csr,sell'");
}

Test(cli_formats, padding_is_bounded_as_asked)
{
    expect("awk 'BEGIN { print \"%%MatrixMarket matrix coordinate real general\"; print 6000, 90, 6089;"
           "for (i = 1; i <= 6000; i++) print i, 1, 2; for (j = 2; j <= 90; j++) print 1, j, 3 }' "
           ">$FOLDER/a.mtx",
           0, "");
    expect(MEASURE "--formats ell", 0, ",ell,\"ELL would store 541440 entries for 6089; the most is 8 times");
    expect(MEASURE "--formats ell --padding 100", 0, ",ell,\"\",");
}

/* All formats, and `shapes` of SELL. */
static void measure_all_and(int shapes, const char *said)
{
    char line[200];
    snprintf(line, sizeof line, SPMV "--formats all,$(seq -s, -f sell/32/%%g 1 %d)", shapes);
    expect(line, 1, said);
}

/* Refused before anything is read: there is no matrix. */
Test(cli_formats, refuses_shapes_that_cannot_be)
{
    char line[128];
    int formats = VKS_FORMAT_COUNT_ - 1;
    static const char *const shapes[] = {"sell/",   "sell/32/", "sell/32/8/1",        "sell/32/0",
                                         "sell/-4", "bsr/",     "sell/32/4294967296", "bsr/2/2"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        snprintf(line, sizeof line, SPMV "--formats %s,csr", shapes[i]);
        expect(line, 1,
               shapes[i][0] == 's' ? "' should be sell/ROWS or sell/ROWS/SIGMA" : "' should be bsr/SIZE");
    }
    expect(SPMV "--formats sell/00000000000000000000000000000000000000000000000032", 1, "should be sell/");
    expect(SPMV "--formats sell/48", 1, "slices of 48 rows: 4, 8, 16, 32, 64 or 128 are allowed");
    expect(SPMV "--formats sell/whole", 1, "optionally with /plain or /coded");
    expect(SPMV "--formats sell/coded/32", 1, "'sell/coded/32' should be");
    expect(SPMV "--formats bsr/coded", 1, "should be bsr/SIZE");
    expect(SPMV "--formats bsr/9", 1, "blocks of 9 rows: 2 to 8 are allowed");
    expect(SPMV "--formats csr/2", 1, "csr has no shape options");
    expect(SPMV "--formats all/2", 1, "all has no shape options; sell/ROWS");
    expect(SOLVE "$FOLDER/none.mtx --format auto/2", 1, "auto has no shape options; sell/ROWS");
    expect(SPMV "--formats foo/2", 1, "unknown format 'foo'");
    measure_all_and(32 - formats, "cannot be opened"); /* the list has room for 32 */
    measure_all_and(33 - formats, "more than 32");
    expect(SPMV "--padding 0.5", 1, "must be a number from 1");
}
