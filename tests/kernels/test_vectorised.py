"""The loops of the aligner compute many points at once: gcc gives up without a word where one condition too many
stands in them, and text with much noise then takes three times as long."""

import re
import runpy
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
KERNELS = ROOT / "src/evalign/kernels"
# Functions whose loops are to be vectorised, and in how many types they exist.
LOOPS = {"align_cy": {"arrive": 2, "leave": 2, "highest": 1}, "look_up_cy": {"find_key": 1}}


@pytest.fixture(scope="module")
def gcc():
    """The GNU compiler; its report is the one that is read here."""
    path = shutil.which("gcc")
    if path is None:
        pytest.skip("there is no gcc to report which loops it vectorised")
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    if "Free Software Foundation" not in said:
        pytest.skip("what is called gcc here is another compiler")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        pytest.skip("there are no header files of Python to compile with")
    return path


def compile_kernel(gcc, source, folder):
    """Compile a kernel as setup.py does; return its C code, and the lines of loops that were vectorised."""
    cython = pytest.importorskip("Cython.Compiler.Main", reason="Cython is not installed")
    directives = runpy.run_path(str(ROOT / "setup.py"), run_name="setup")["DIRECTIVES"]
    target = folder / "kernel.c"
    options = cython.CompilationOptions(compiler_directives=directives, output_file=str(target))
    assert (
        cython.compile_single(
            str(source), options, full_module_name=f"evalign.kernels.{source.stem}"
        ).num_errors
        == 0
    )
    report = subprocess.run(
        [gcc, "-O3", "-g0", "-w", "-fPIC", "-fopt-info-vec-optimized", f"-I{sysconfig.get_path('include')}",
         "-c", str(target), "-o", str(folder / "kernel.o")],
        capture_output=True, text=True, check=True,
    ).stderr  # fmt: skip
    lines = re.findall(r"kernel\.c:(\d+):\d+: optimized: *loop vectorized", report)
    return target.read_text(encoding="utf-8"), sorted(set(map(int, lines)))


def vectorised(name, code, lines):
    """How many functions of each name in a kernel have a vectorised loop."""
    counts = dict.fromkeys(LOOPS[name], 0)
    starts = [
        (number, found[1])
        for number, line in enumerate(code.splitlines(), 1)
        if (found := re.match(rf"static .*{name}_(\w+)\(.*\) \{{$", line))
    ]
    ends = [number for number, _ in starts[1:]] + [code.count("\n") + 2]
    for (start, function), end in zip(starts, ends, strict=True):
        if function in counts:
            counts[function] += any(start < line < end for line in lines)
    return counts


@pytest.mark.parametrize("name", LOOPS)
def test_the_loops_of_the_aligner_are_vectorised(gcc, tmp_path, name):
    assert vectorised(name, *compile_kernel(gcc, KERNELS / f"{name}.py", tmp_path)) == LOOPS[name]


@pytest.mark.slow
def test_a_loop_with_one_condition_too_many_is_noticed(gcc, tmp_path):
    text = (KERNELS / "align_cy.py").read_text(encoding="utf-8")
    condition = "        begins = begins if here_1 > 0 else never\n"
    assert text.count(condition) == 1
    spoiled = tmp_path / "align_cy.py"
    spoiled.write_text(
        text.replace(condition, condition + "        if begins > 9000:\n            break\n"),
        encoding="utf-8",
    )
    assert vectorised("align_cy", *compile_kernel(gcc, spoiled, tmp_path))["leave"] == 0
