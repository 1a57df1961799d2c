"""Compile the kernels if a compiler is available; everything else is in pyproject.toml.

A kernel is a module `src/evalign/kernels/*_cy.py` in Cython's pure-Python mode. Its source is always
installed, and the compiled form, if there is one, beside it; on import, Python prefers the compiled form. The
parts of Cython that all compiled kernels need are in one shared module that they import (SHARED), so either
all kernels are compiled or none.

The environment variable EVALIGN_COMPILE says what is wanted:

    unset     compile; if that fails, say so and install the kernels uncompiled
    always    compile; if that fails, the installation fails
    never     do not compile

An editable install also leaves the bytecode of all modules beside them, as any other install does: where Python
may write none, as in many containers, each command would compile all that it loads.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from compileall import compile_dir
from concurrent.futures import BrokenExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.editable_wheel import editable_wheel
from setuptools.errors import BaseError, CCompilerError, PlatformError

ROOT = Path(__file__).resolve().parent
CHOICES = ("", "always", "never")

# Cython's code for memoryviews. Without this module each kernel would contain a copy, which is three quarters
# of the smallest kernels.
SHARED = "evalign.kernels._memoryviews"
# The oldest Cython whose shared module was tried with the kernels; pyproject.toml requires it too.
OLDEST_CYTHON = (3, 3)

# Compiled kernels skip checks that plain Python makes anyway; tests compare the plain form with the compiled
# one. A kernel's docstring states what it requires of its arguments. Where it is not obvious why an index is
# in bounds, a comment beside it gives the reason.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}


def kernel_modules() -> list[str]:
    """Return the import names of all kernel modules."""
    return [f"evalign.kernels.{path.stem}" for path in sorted(ROOT.glob("src/evalign/kernels/*_cy.py"))]


def wanted() -> str:
    """Return the value of EVALIGN_COMPILE; exit with a message if it is unknown."""
    choice = os.environ.get("EVALIGN_COMPILE", "")
    if choice not in CHOICES:
        sys.exit(f'EVALIGN_COMPILE is "{choice}"\n  expected always, never, or nothing at all')
    return choice


def extensions() -> list[Extension]:
    """Return the shared module and one extension per kernel; nothing if compiling is forbidden."""
    if wanted() == "never":
        return []
    sources = [(SHARED, ".c"), *((name, ".py") for name in kernel_modules())]
    return [
        Extension(name, [f"src/{name.replace('.', '/')}{suffix}"], optional=wanted() != "always")
        for name, suffix in sources
    ]


class BuildKernels(build_ext):
    """Translates the kernels to C and compiles them.

    If that fails, the installation goes on without compiled kernels, unless they are demanded.
    """

    def run(self) -> None:
        """Build all kernels; if that fails, say once why. Without any compiler it fails here."""
        self.failures: list[Exception] = []
        if self.extensions:
            print(
                "compiling the kernels: half a minute on two cores; EVALIGN_COMPILE=never skips it",
                file=sys.stderr,
                flush=True,
            )
        try:
            super().run()
        except (BaseError, CCompilerError, OSError) as error:
            self.give_up(error)
        if self.failures:
            print(
                f"note: the kernels are not compiled: {self.failures[0]}\n"
                "  evalign works without, with the same results, only slower\n"
                "  EVALIGN_COMPILE=always makes this an error, EVALIGN_COMPILE=never does not try",
                file=sys.stderr,
            )

    def build_extensions(self) -> None:
        """Translate all kernels, compile them in parallel, and keep them only if none of them failed."""
        try:
            translate(self.extensions)
        except BaseError as error:
            self.give_up(error)
        self.parallel = self.parallel or os.cpu_count()
        super().build_extensions()
        if self.failures:
            for ext in self.extensions:
                Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)
            self.extensions = []

    def build_extension(self, ext: Extension) -> None:
        """Compile one extension unless another has failed.

        A broken compiler or a missing header fails here.
        """
        if self.failures:
            return
        if self.compiler.compiler_type in ("unix", "mingw32"):
            # Warnings about generated C help nobody, and debug symbols would be most of the installed size.
            ext.extra_compile_args = ["-O3", "-g0", "-w"]
            if sys.platform == "linux":
                ext.extra_link_args = ["-Wl,-s"]
        try:
            super().build_extension(ext)
        except (BaseError, CCompilerError, OSError) as error:
            self.give_up(error)

    def give_up(self, error: Exception) -> None:
        """Raise `error` again if compiled kernels are demanded, else keep it for the final note."""
        if wanted() == "always":
            raise error
        self.failures.append(error)


class EditableInstall(editable_wheel):
    """Installs the project where it is, with bytecode."""

    def run(self) -> None:
        """Install, then compile all modules to bytecode; where it cannot be written, the install goes on."""
        super().run()
        compile_dir(ROOT / "src" / "evalign", quiet=2)


def translate(kernels: list[Extension]) -> None:
    """Write the C sources of `kernels` below build/, so that the source tree stays clean.

    The C files become the sources of the extensions. Where Python forks, one process per core translates;
    elsewhere, and if no process can be started, this process does.
    """
    try:
        from Cython import __version__ as version
        from Cython.Build import cythonize
        from Cython.Compiler.Errors import CompileError as CythonError
    except ModuleNotFoundError:
        message = "Cython is not installed"
        raise PlatformError(message) from None
    if tuple(int(number) for number in version.split(".")[:2]) < OLDEST_CYTHON:
        message = f"Cython {version} is too old, {'.'.join(map(str, OLDEST_CYTHON))} or later is needed"
        raise PlatformError(message)
    # C files older than this setup.py may have been made with other options.
    written = [path.stat().st_mtime for path in ROOT.glob("build/cython/**/*.c")]
    options = {
        "build_dir": "build/cython",
        "force": min(written, default=0) < (ROOT / "setup.py").stat().st_mtime,
        "compiler_directives": DIRECTIVES,
        "shared_utility_qualified_name": SHARED,
        "quiet": True,
    }
    n_processes = (os.cpu_count() or 1) if multiprocessing.get_start_method() == "fork" else 0
    try:
        try:
            translated = cythonize(kernels, nthreads=n_processes, **options)
        except (OSError, ImportError, BrokenExecutor):
            translated = cythonize(kernels, **options)
    except CythonError as error:
        message = f"Cython refuses {error}"
        raise PlatformError(message) from error
    sources = {ext.name: list(ext.sources) for ext in translated}
    for ext in kernels:
        ext.sources = sources[ext.name]


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels, "editable_wheel": EditableInstall})
