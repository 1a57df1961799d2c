"""Compile the kernels where a compiler is at hand; everything else is in pyproject.toml.

A kernel is a module `src/evalign/kernels/*_cy.py` in Cython's pure-Python mode. Its source is installed as it is,
and the compiled form, if there is one, beside it: Python prefers the compiled form on import.

EVALIGN_COMPILE says what is wanted:

    unset     compile; where that fails, say so and install the kernels uncompiled
    always    compile; where that fails, the installation fails
    never     do not compile
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError, CompileError, PlatformError

ROOT = Path(__file__).resolve().parent
CHOICES = ("", "always", "never")

# Off for every kernel: checks that plain Python makes anyway, in a form that is tested against the compiled one.
# A kernel's docstring states what it requires of its arguments; where an index is in bounds for a reason that
# cannot be seen at once, a comment beside it gives the reason.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}


def kernel_modules() -> list[str]:
    """Names of all kernel modules, as they are imported."""
    return [f"evalign.kernels.{path.stem}" for path in sorted(ROOT.glob("src/evalign/kernels/*_cy.py"))]


def wanted() -> str:
    """What EVALIGN_COMPILE asks for."""
    choice = os.environ.get("EVALIGN_COMPILE", "")
    if choice not in CHOICES:
        sys.exit(f'EVALIGN_COMPILE is "{choice}"\n  expected always, never, or nothing at all')
    return choice


def extensions() -> list[Extension]:
    """One extension per kernel, or none where compiling is forbidden."""
    if wanted() == "never":
        return []
    return [
        Extension(name, [f"src/{name.replace('.', '/')}.py"], optional=wanted() != "always")
        for name in kernel_modules()
    ]


class BuildKernels(build_ext):
    """Translate each kernel to C, compile it, and go on without it where that fails and is not demanded."""

    def run(self) -> None:
        """Build all kernels, and tell once what could not be built; a system without any compiler fails here."""
        self.failures: list[str] = []
        try:
            super().run()
        except (BaseError, CCompilerError, OSError) as error:
            self.give_up("the kernels", error)
        if self.failures:
            print(
                f"note: {len(self.failures)} not compiled, the first is {self.failures[0]}\n"
                "  evalign works without, with the same results, only slower\n"
                "  EVALIGN_COMPILE=always makes this an error, EVALIGN_COMPILE=never does not try",
                file=sys.stderr,
            )

    def build_extensions(self) -> None:
        """Translate one kernel after the other, for Cython keeps state, then compile them side by side."""
        self.extensions = [ext for ext in self.extensions if self.translated(ext)]
        self.parallel = self.parallel or os.cpu_count()
        super().build_extensions()

    def translated(self, ext: Extension) -> bool:
        """Whether a kernel now has its C source."""
        try:
            ext.sources = translate(ext)
        except BaseError as error:
            self.give_up(ext.name, error)
            return False
        return True

    def build_extension(self, ext: Extension) -> None:
        """Compile one kernel; a broken compiler or a missing header fails here."""
        if self.compiler.compiler_type in ("unix", "mingw32"):
            ext.extra_compile_args = ["-O3", "-w"]  # warnings about generated C help nobody
        try:
            super().build_extension(ext)
        except (BaseError, CCompilerError, OSError) as error:
            self.give_up(ext.name, error)

    def give_up(self, what: str, error: Exception) -> None:
        """Raise the error again if compiled kernels are demanded, else remember it."""
        if wanted() == "always":
            raise error
        self.failures.append(f"{what}: {error}")


def translate(ext: Extension) -> list[str]:
    """The C sources of a kernel, written below build/ so that the source tree stays clean."""
    try:
        from Cython.Build import cythonize
        from Cython.Compiler.Errors import CompileError as CythonError
    except ModuleNotFoundError:
        message = "Cython is not installed"
        raise PlatformError(message) from None
    try:
        [translated] = cythonize([ext], build_dir="build/cython", compiler_directives=DIRECTIVES, quiet=True)
    except CythonError as error:
        message = f"Cython refuses {ext.name}: {error}"
        raise CompileError(message) from error
    return list(translated.sources)


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels})
