#!/usr/bin/python3 -B
"""Packs the mutants that are built for a machine without a toolchain: programs.tar.xz and libraries.tar.xz, which
unpack to one folder. There: python3 runner.py --help"""

import concurrent.futures
import json
import lzma
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent.parent / "build/mutants"
SYSTEMS = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|nss_.*))\.so.*")  # every machine has its own
LOADED = ("vulkan.so.1", "vulkan_lvp.so", "VkLayer_khronos_validation.so", "umfpack.so.5", "lapacke.so.3")  # by dlopen
LAYER = Path("/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json")
LEFT_OUT = re.compile(r".*\.(o|a|spv|ninja|d|ninja_deps|ninja_log)|CMakeFiles|vksolve_kernels|cache|drivers|docs|bench")
DICTIONARY = 2**26  # some programs of 8 MB, which are much alike


def find_libraries():
    """Copies what the programs link, and what they open, into FOLDER/libraries."""
    folder = FOLDER / "libraries"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    known = dict(re.findall(r"(\S+) \(.*=> (\S+)", subprocess.check_output(["/sbin/ldconfig", "-p"], text=True)))
    loaded = {f"lib{n}": known[f"lib{n}"] for n in LOADED}
    programs = {s["command"][0] for s in json.loads((FOLDER / "suites.json").read_text())["suites"]}
    linked = subprocess.run(["ldd", *programs, *loaded.values()], capture_output=True, text=True).stdout
    for name, path in (dict(re.findall(r"(\S+) => (/\S+)", linked)) | loaded).items():
        if not SYSTEMS.fullmatch(name):
            shutil.copy(path, folder / name)
    driver = {"file_format_version": "1.0.0", "ICD": {"api_version": "1.1.0", "library_path": "libvulkan_lvp.so"}}
    (folder / "lvp_icd.json").write_text(json.dumps(driver))
    shutil.copy(LAYER, folder)


def pack(archive, preset, names):
    def kept(entry):
        return None if any(LEFT_OUT.fullmatch(part) for part in Path(entry.name).parts) else entry

    compression = [{"id": lzma.FILTER_LZMA2, "preset": preset, "dict_size": DICTIONARY}]
    with lzma.open(FOLDER / archive, "wb", filters=compression) as file, tarfile.open(fileobj=file, mode="w|") as tar:
        for name in names:
            tar.add(FOLDER / name, name, filter=kept)
    return f"{FOLDER / archive}: {(FOLDER / archive).stat().st_size / 2**20:.1f} MiB"


if __name__ == "__main__":
    find_libraries()
    with concurrent.futures.ProcessPoolExecutor() as pool:
        programs = pool.submit(pack, "programs.tar.xz", 1, ("runner.py", "mutants.json", "suites.json", "tree"))
        libraries = pool.submit(pack, "libraries.tar.xz", 6, ("libraries",))
        print(programs.result(), libraries.result(), sep="\n")
