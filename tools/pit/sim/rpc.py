"""The simulated table as a process of MicroPython's unix port: one JSON object a line in, one out.

    {"start": {setup}, "root": "..."} | {"do": {action}} | {"advance": ms}  ->  {"ms": table time, "out": [lines]}

Sent by pit.targets.unix. A failure ends the process with its traceback on standard error.
"""

import json
import sys


def main():
    table = None
    for line in sys.stdin:
        request = json.loads(line)
        if "start" in request:
            root = request["root"]
            sys.path[:] = [root + "/firmware", root + "/tools/pit", root] + sys.path
            from sim.table import SimTable

            table = SimTable(request["start"], root)
        elif "do" in request:
            table.do(request["do"])
        else:
            table.advance(request["advance"])
        print(json.dumps({"ms": table.now_ms, "out": [str(text, "ascii") for text in table.take()]}))


main()
