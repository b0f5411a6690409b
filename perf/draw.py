#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the figures of the papers from the JSON of a benchmark run, with matplotlib.

    perf/draw.py perf/results/scan_h200.json docs/figures

The figures show throughput against n, by order, by tuple size, by item type and operator, and by carry
scheme. Each figure includes cudaMemcpy of the same bytes and the peers that were measured.
"""
import json
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

NAME = re.compile(
    r"inclusive_scan/(?P<type>[^/]+)/(?P<op>[^/]+)/order:(?P<order>\d+)/tuple:(?P<tuple>\d+)"
    r"(?:/(?P<kind>[a-z_]+))?/n:(?P<n>\d+)/by:(?P<by>[^/]+)"
)
COLOURS = {"sam": "#0b6e4f", "memcpy": "#9a9a9a", "cub": "#c8553d"}
plt.rcParams.update({"svg.hashsalt": "sam", "font.size": 10, "axes.spines.top": False,
                     "axes.spines.right": False, "legend.frameon": False})


def read(path):
    """Returns the median rates of a run, as a list of dicts."""
    rows = []
    for run in json.loads(Path(path).read_text())["benchmarks"]:
        match = NAME.match(run["name"])
        if match and run.get("aggregate_name") == "median":
            row = match.groupdict()
            for key in ("order", "tuple", "n"):
                row[key] = int(row[key])
            row["rate"] = run["items/s"] / 1e9
            rows.append(row)
    return rows


def best(rows, by, **wanted):
    """Returns the rate of a case, by default at its largest n; None if it was not measured."""
    found = [r for r in rows if r["by"] == by and all(r[k] == v for k, v in wanted.items())]
    return max(found, key=lambda r: r["n"])["rate"] if found else None


def save(figure, axes, folder, name, title, ylabel="G items/s"):
    axes.set_title(title)
    axes.set_ylabel(ylabel)
    axes.set_ylim(bottom=0)
    axes.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.13))
    figure.tight_layout()
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def bars(rows, folder, name, title, cases):
    """Draws one group of bars per case: (label, filter for the rows)."""
    figure, axes = plt.subplots(figsize=(7, 3.4))
    who = ["memcpy", "sam", "cub"]
    for place, by in enumerate(who):
        at = [k + (place - 1) * 0.27 for k in range(len(cases))]
        rates = [best(rows, by, **wanted) or 0 for _, wanted in cases]
        drawn = axes.bar(at, rates, 0.25, label=by, color=COLOURS[by])
        axes.bar_label(drawn, [f"{r:.0f}" if r else "" for r in rates], fontsize=7)
    axes.set_xticks(range(len(cases)), [label for label, _ in cases])
    save(figure, axes, folder, name, title)


def main(results, folder):
    rows = read(results)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    sums = dict(type="i32", op="plus", kind=None)

    figure, axes = plt.subplots(figsize=(7, 3.4))
    for by in ("memcpy", "sam", "cub"):
        line = sorted((r["n"], r["rate"]) for r in rows if r["by"] == by and r["order"] == 1
                      and r["tuple"] == 1 and all(r[k] == v for k, v in sums.items()))
        axes.plot(*zip(*line), marker="o", markersize=3, label=by, color=COLOURS[by])
    axes.set_xscale("log", base=2)
    save(figure, axes, folder, "by_size", "Sums of n int32")

    bars(rows, folder, "by_order", "Sums of int32 by order",
         [(str(q), dict(sums, order=q, tuple=1)) for q in (1, 2, 5, 8)])
    bars(rows, folder, "by_tuple", "Sums of int32 by tuple size",
         [(str(s), dict(sums, order=1, tuple=s)) for s in (1, 2, 3, 5, 8)])
    plain = dict(kind=None, order=1, tuple=1)
    bars(rows, folder, "by_type", "Sums by item type",
         [(t, dict(plain, type=t, op="plus")) for t in ("i8", "i16", "half", "i32", "f32", "i64", "f64")])
    bars(rows, folder, "by_scheme", "Sums of int32 by carry scheme",
         [(label, dict(sums, kind=kind, order=1, tuple=1))
          for label, kind in (("decoupled", None), ("lookback", "lookback"), ("chained", "chained"),
                              ("reduce_\nthen_scan", "reduce_then_scan"),
                              ("scan_then_\npropagate", "scan_then_propagate"))])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
