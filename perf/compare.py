#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a table of a benchmark's JSON: sam's time, and how many times as fast sam is as each peer.

    perf/compare.py FILE [REGEX]     only cases whose name the regular expression finds

Benchmarks are named <case>/by:<who>. A ratio below 1 says that the peer is faster. Each time is the median of the
medians of all processes in the file.
"""
import collections
import json
import re
import statistics
import sys

if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
times = collections.defaultdict(lambda: collections.defaultdict(list))
for run in json.load(open(sys.argv[1]))["benchmarks"]:
    found = re.match(r"(.*)/by:(\w+)(/n:\d+)?", run["name"])
    if found and run.get("aggregate_name", "median") == "median":
        scale = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[run["time_unit"]]
        times[found[1] + (found[3] or "")][found[2]].append(run["real_time"] * scale / run.get("calls", 1))

wanted = re.compile(sys.argv[2] if len(sys.argv) == 3 else "")
cases = {case: by for case, by in times.items() if "sam" in by and wanted.search(case)}
peers = sorted({peer for by in cases.values() for peer in by} - {"sam"})
print("| case | sam, us | " + " | ".join(f"against {peer}" for peer in peers) + " |")
print("| --- | --- |" + " --- |" * len(peers))
for case, by in sorted(cases.items()):
    sam = statistics.median(by["sam"])
    ratios = [f"{statistics.median(by[peer]) / sam:.2f}" if peer in by else "" for peer in peers]
    print(f"| `{case}` | {sam:.1f} | " + " | ".join(ratios) + " |")
