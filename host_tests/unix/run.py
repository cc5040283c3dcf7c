"""Run the plain tests of host_tests/common under MicroPython's unix port: micropython host_tests/unix/run.py [name...].

Every function test_* of every module test_* is called; each failure is printed with its traceback. Exit status 1 if any
failed.
"""

import os
import sys

HERE = __file__[: __file__.rfind("/")] if "/" in __file__ else "."
ROOT = HERE + "/../.."
sys.path[:] = [ROOT + "/firmware", ROOT, ROOT + "/tools"] + [path for path in sys.path if path.startswith(".frozen")]


def main(wanted):
    ran = failed = 0
    for file in sorted(os.listdir(ROOT + "/host_tests/common")):
        if not (file.startswith("test_") and file.endswith(".py")) or (wanted and file[5:-3] not in wanted):
            continue
        name = "host_tests.common." + file[:-3]
        module = __import__(name, None, None, ("x",))
        for test in sorted(dir(module)):
            if test.startswith("test_"):
                ran += 1
                try:
                    getattr(module, test)()
                except Exception as error:  # every failure is told, none stops the run
                    failed += 1
                    print("FAILED %s.%s" % (file[:-3], test))
                    sys.print_exception(error)
    print("%d tests ran on %s, %d failed" % (ran, sys.implementation[0], failed))
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
