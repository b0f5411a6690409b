# SPDX-License-Identifier: MIT
"""What scripts that run test programs on GPUs share: a summary that is never lost, time limits, and a line on the machine."""
import os
import re
import signal
import subprocess
import threading
import time

start = time.monotonic()


def passed_seconds():
    return time.monotonic() - start


def lines_of(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return []
    return done.stdout.splitlines()


class Report:
    """The summary and the log. Each change of a program's state writes the summary anew."""

    def __init__(self, summary, log, names, about):
        self.summary, self.log, self.about = summary, log, about
        self.lock = threading.Lock()
        self.rows = {name: {"result": "waits", "compile": "", "run": "", "gpu": "", "note": ""} for name in names}
        for path in (self.summary, self.log):
            os.makedirs(os.path.dirname(os.path.realpath(path)), exist_ok=True)
        open(self.log, "w").close()
        self.write()

    def write(self):
        count = {}
        for row in self.rows.values():
            count[row["result"]] = count.get(row["result"], 0) + 1
        totals = ", ".join(f"{n} {result}" for result, n in sorted(count.items()))
        lines = [*self.about, f"after {passed_seconds():.0f} s: {totals}", "",
                 f"{'program':<36} {'result':<20} {'compiling, s':>12} {'running, s':>10} {'GPU':>4}"]
        for name, row in self.rows.items():
            lines.append(f"{name:<36} {row['result']:<20} {row['compile']:>12} {row['run']:>10} {row['gpu']:>4}  {row['note']}".rstrip())
        with open(f"{self.summary}.new", "w") as file:
            file.write("\n".join(lines) + "\n")
        os.replace(f"{self.summary}.new", self.summary)

    def set(self, name, output="", **changes):
        with self.lock:
            self.rows[name].update(changes)
            if output:
                with open(self.log, "a") as file:
                    file.write(f"$ {name}: {self.rows[name]['result']}\n{output.rstrip()}\n\n")
            self.write()


class Processes:
    """Processes with time limits, all of which end when the script does."""

    def __init__(self, deadline):
        self.deadline, self.lock, self.running, self.over = deadline, threading.Lock(), set(), False

    def call(self, command, limit, environment=None):
        """Returns (status, output, seconds). The status is None past a limit of time."""
        began = time.monotonic()
        most = min(limit, self.deadline - passed_seconds())
        if most <= 0 or self.over:
            return None, "", 0.0
        with self.lock:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                       start_new_session=True, env=environment)
            self.running.add(process)
        try:
            output, _ = process.communicate(timeout=most)
            status = process.returncode
        except subprocess.TimeoutExpired:
            self.end(process)
            output, _ = process.communicate()
            status = None
        with self.lock:
            self.running.discard(process)
        return (None if self.over else status), output or "", time.monotonic() - began

    @staticmethod
    def end(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def end_all(self):
        self.over = True
        with self.lock:
            for process in self.running:
                self.end(process)


def the_commit():
    """SAM_COMMIT names it where the sources lie without their repository."""
    return os.environ.get("SAM_COMMIT") or "".join(lines_of("git", "describe", "--always", "--dirty"))


GPUS = [re.sub(r" \(UUID.*", "", line) for line in lines_of("nvidia-smi", "-L") if line.startswith("GPU")]


def the_machine():
    """The GPUs, the driver and the compiler."""
    driver = lines_of("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")[:1]
    nvcc = [line for line in lines_of("nvcc", "--version") if "release" in line]
    return "; ".join([*(GPUS or ["no GPU"]), *(f"driver {x}" for x in driver), *nvcc])


def environment_for(gpu):
    """The environment in which a program sees only one of the GPUs."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
    device = visible[gpu] if gpu < len(visible) and visible[gpu] else str(gpu)
    return {**os.environ, "CUDA_VISIBLE_DEVICES": device}


def result_of(status, output, seconds):
    """What became of a program, in words, and the line of its output that says more."""
    in_time = "ran out of time" if seconds > 0 else "not run in time"
    result = {0: "passed", 4: "skipped", None: in_time}.get(status, "FAILED")
    last = re.findall(r"^(?:All tests passed.*|test cases:.*|skipped: .*)$", output, re.M)
    return result, last[-1] if last else ""
