# Sourced by report.sh: runs one program on one matrix, and adds what it measured to $figures, a line of CSV each.
# ours_* runs vksolve, host_* and gpu_* the peers, which are left out where they are not there.

columns=section,device,matrix,rows,entries,precision,preconditioner,side,format,chosen,us,us_least,us_most,iterations,seconds,bytes,detail

# under SECONDS COMMAND...: a measured program; what it prints goes to $tmp/now, and to the log where it fails.
under() {
    # shellcheck disable=SC2086 # a command and its words
    timeout "$limit" ${UNDER:-} "$@" </dev/null >"$tmp/now" 2>"$tmp/errors" && return
    { echo "failed: $*" && cat "$tmp/errors"; } | tee -a "$out/failures.txt" | head -n 2 >&2
    return 1
}

name_of() { basename "$1" | sed 's/\.mtx\(\.gz\)\{0,1\}$//'; }

# By the names in the first line: figures SEPARATOR AWK-PROGRAM; at["name"] is the column.
figures() {
    awk -F "$1" -v OFS=, -v device="$device" -v matrix="$matrix" -v section="$section" -v auto="${auto:-}" \
        'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }'"$2" >>"$figures"
}

# On the host a format at a time, CSR and what auto takes, so that the matrix stays in the cache as it does for peers;
# elsewhere all that auto may take, in turns.
ours_spmv() { # MATRIX PRECISION
    if [[ $device == host ]]; then
        formats_spmv "$@" csr
        [[ $auto == csr ]] || formats_spmv "$@" "$auto"
    else
        formats_spmv "$@" csr,balanced,sell,bsr
    fi
}

formats_spmv() { # MATRIX PRECISION FORMATS
    auto=csr
    under "$build/vksolve" spmv "$1" --device "$device_option" --precision "$2" --formats "$3" \
        --products "$products" --quiet --csv "$tmp/spmv.csv" --json "$tmp/spmv.json" || return 0
    # what auto takes, and how long that lasts
    read -r auto auto_seconds < <(awk -F '[:," ]+' '/"auto": \{/ { here = 1 } here && /"format"/ { format = $3 }
        here && /"setup_seconds"/ { print format, $3 + 0; exit }' "$tmp/spmv.json")
    figures , '/,"",/ {
        us = 1e6 * $at["seconds"]; p = $at["precision"]; f = $at["format"]
        where = device OFS matrix OFS $at["rows"] OFS $at["entries"] OFS p
        print "spmv", where, "", "vksolve", f, f == auto, us, 1e6 * $at["seconds_least"], 1e6 * $at["seconds_most"],
            "", "", $at["bytes"], ""
        print "setup", where, "", "vksolve", f, 0, "", "", "", "", $at["setup_seconds"], $at["memory_bytes"], ""
        if (f == auto)
            print "setup", where, "", "vksolve", "auto", 0, "", "", "", "", "'"$auto_seconds"'", $at["memory_bytes"], ""
        if (!listed++)
            print "bandwidth", device, "", "", "", p, "", "copy", "", "", "", "", "", "", "",
                $at["bandwidth"] / $at["bandwidth_share"], ""
    }' <"$tmp/spmv.csv"
}

ours_cg() { # MATRIX PRECISIONS PRECONDITIONERS OPTION...
    under "$build/bench/bench_cg" --device "$device_option" --precision "$2" --precond "$3" --repeats "$repeats" \
        --rhs product "${@:4}" "$1" || return 0
    figures '\t' '{
        print section, device, matrix, $at["n"], $at["entries"], $at["precision"], $at["precond"], "vksolve",
            $at["format"], 1, $at["iteration_us"], $at["iteration_us_min"], $at["iteration_us_max"],
            $at["iterations"], $at["solve_s"], $at["iteration_bytes"], $at["reason"] " " $at["true_residual"]
        if (!listed[$at["precision"]]++)
            print "bandwidth", device, "", "", "", $at["precision"], "", "copy", "", "", "", "", "", "", "",
                1e9 * $at["copy_gbs"], ""
        if (section == "cg" && $at["kernels_us"] != "-")
            print "iteration", device, matrix, $at["n"], $at["entries"], $at["precision"], $at["precond"], "vksolve",
                $at["format"], 1, $at["spmv_us"], "", "", $at["dispatches"], "", $at["iteration_bytes"], $at["kernels_us"]
        if (section == "cg" && $at["open_s"] != "-")
            print "first", device, matrix, $at["n"], $at["entries"], $at["precision"], $at["precond"], "vksolve",
                $at["format"], 1, "", "", "", $at["iterations"], "", "", $at["open_s"] " " $at["first_matrix_s"] " " \
                $at["first_setup_s"] " " $at["first_solve_s"] " " $at["later_matrix_s"] " " $at["later_setup_s"] " " \
                $at["later_solve_s"]
    }' <"$tmp/now"
}

# What a matrix is read as: cusparse_bench reads no compressed files, and calls a model otherwise.
for_gpu() {
    case $1 in
    *.gz)
        [[ -f $tmp/$matrix.mtx ]] || gzip -dc "$1" >"$tmp/$matrix.mtx"
        echo "$tmp/$matrix.mtx"
        ;;
    *) echo "${1/elasticity3d/elasticity}" ;;
    esac
}

gpu_peer() { # spmv|cg MATRIX PRECISIONS PRECONDITIONERS
    [[ $cusparse ]] || return 0
    rm -f "$tmp/peer.csv"
    # shellcheck disable=SC2086 # options are words
    under "$cusparse" --csv "$tmp/peer.csv" "--$1" --prec "$3" --precond "$4" --variants graph --cgreps "$repeats" \
        --rhs Aones ${CUSPARSE_OPTIONS:-} "$(for_gpu "$2")" || return 0
    # the fastest of the algorithms for a product; those that are no part of cuSPARSE are called own_...
    figures , '$at["status"] == "ok" {
        us = $at["time_us"] + 0; p = $at["prec"]
        if ($at["bench"] == "cg")
            print section, device, matrix, $at["n"], $at["nnz"], p, $at["precond"], "cusparse", $at["format"], 1,
                $at["per_iter_us"], $at["per_iter_us"], $at["per_iter_us"], $at["iters_run"], us * 1e-6, "", ""
        else if ($at["bench"] == "spmv" && $at["mode"] == "cold" && $at["alg"] !~ /^own/ && !(p in best && best[p] <= us)) {
            best[p] = us
            row[p] = section OFS device OFS matrix OFS $at["n"] OFS $at["nnz"] OFS p OFS "" OFS "cusparse" OFS \
                $at["format"] OFS 1 OFS us OFS $at["min_us"] OFS $at["p90_us"] OFS "" OFS "" OFS "" OFS $at["alg"]
        }
    }
    END { for (p in row) print row[p] }' <"$tmp/peer.csv"
}

# host_peer PROGRAM COMMAND...: the products, the plain and the diagonally preconditioned solves that it tells of.
host_peer() {
    [[ -x $peers/$1 ]] || return 0
    under "${@:2}" || return 0
    awk -F '\t' -v OFS=, -v device="$device" -v matrix="$matrix" -v section="$section" -v precisions="$precisions" \
        -v preconditioners="$preconditioners" '
        # they tell products to a microsecond, solves to 100: what is so short that this matters is left out
        function among(list, word) { return index("," list ",", "," word ",") }
        { side = $2; sub(/-openmp$/, "", side) }
        $1 == "SPMV" && section == "spmv" && $9 >= 0.01 && among(precisions, $7) {
            us = 1e3 * $9
            print section, device, matrix, $4, $5, $7, "", side, $6, 1, us, us, us, "", "", "", ""
        }
        $1 == "RESULT" && section != "spmv" && $9 > 0 && $11 >= 0.001 && among(precisions, $7) {
            method = tolower($6)
            sub(/ \(.*/, "", method) # "(NOT CONVERGED)"
            precond = method ~ /^cg(\+none)?$/ ? "none" : method ~ /^cg\+(jacobi|diag[a-z]*)$/ ? "jacobi" : ""
            us = 1e6 * $11 / $9
            if (precond != "" && among(preconditioners, precond))
                print section, device, matrix, $4, $5, $7, precond, side, "", 1, us, us, us, $9, $11, "", $12
        }
        $1 == "STREAM" && $2 ~ /^f/ {
            p = $2; sub(/.*triad /, "", $6)
            print "bandwidth", device, "", "", "", p, "", "triad", "", "", "", "", "", "", "", 1e9 * $6, ""
        }' "$tmp/now" >>"$figures"
}

host_stream() { host_peer omp_ref "$peers/omp_ref" stream; }

host_peers() { # spmv|cg MATRIX
    local mpi=(env OMP_NUM_THREADS=1 mpirun --allow-run-as-root --bind-to none -np "$threads") p
    if [[ $1 == spmv ]]; then
        host_peer omp_ref "$peers/omp_ref" spmv "$2"
        host_peer petsc_ksp "${mpi[@]}" "$peers/petsc_ksp" "$2" -spmv
        host_peer eigen_cg env SPMV=1 "$peers/eigen_cg" "$2"
        host_peer viennacl_openmp "$peers/viennacl_openmp" "$2" spmv
    else
        host_peer omp_ref "$peers/omp_ref" cg "$2"
        for p in ${preconditioners//,/ }; do
            host_peer petsc_ksp "${mpi[@]}" "$peers/petsc_ksp" "$2" -label "cg+$p" -pc_type "$p"
        done
        host_peer eigen_cg "$peers/eigen_cg" "$2"
        host_peer viennacl_openmp "$peers/viennacl_openmp" "$2" cg jacobi
    fi
}

peers_on_device() { # spmv|cg MATRIX
    if [[ $device == host ]]; then
        host_peers "$@"
    else
        gpu_peer "$1" "$2" "$precisions" "${preconditioners:-none}"
    fi
}
