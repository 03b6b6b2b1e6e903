"""The version is that of the library; a library that has been built goes along with the package."""
import os
import pathlib
import re
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(anholo VERSION (\S+)", (HERE.parent / "CMakeLists.txt").read_text())[1]
LIBRARY = pathlib.Path(os.environ.get("ANHOLO_LIBRARY", HERE.parent / "build/libanholo.so"))


class Build(build_py):
    def run(self):
        super().run()
        if LIBRARY.exists():
            shutil.copyfile(LIBRARY, pathlib.Path(self.build_lib, "anholo/libanholo.so"))
        else:
            print(f"{LIBRARY} is not there: the package will look for an installed libanholo")


class Binary(Distribution):
    """Not the same for all machines: it carries a library."""

    def has_ext_modules(self):
        return LIBRARY.exists()


setup(version=VERSION, cmdclass={"build_py": Build}, distclass=Binary)
