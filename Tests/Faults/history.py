"""What happened, as lines of JSON: written by the recorders, read by the checker. README.md says what a line holds."""

import bisect
import json
import threading
import time

import cbor2


class Recording:
    """A file that lines are added to, from any thread; each is written at once, and whole."""

    def __init__(self, path):
        self.file = open(path, "ab", buffering=0)  # pylint: disable=consider-using-with
        self.lock = threading.Lock()
        self.last = 0

    def number(self):
        """A number for a request and its answer."""
        with self.lock:
            self.last += 1
            return self.last

    def record(self, process, what, **members):
        with self.lock:
            line = {"t": time.monotonic_ns(), "p": process, "f": what} | members
            self.file.write((json.dumps(line, separators=(",", ":")) + "\n").encode())

    def close(self):
        self.file.close()


class Ask:
    """A request of one client, with what it was answered."""

    def __init__(self, line):
        self.line, self.process, self.number, self.asked = line, line["p"], line["n"], line["t"]
        self.operation, self.service = line["operation"], line["service"]
        self.key = bytes.fromhex(line["key"]) if "key" in line else None
        self.body_bytes = bytes.fromhex(line["body"])
        self.body = cbor2.loads(self.body_bytes)
        self.after = positions(line.get("after", {}))
        # "ok": done. "refused": it had no effect by this attempt. "unknown", and None at the end: nobody knows.
        self.ending = self.answered = self.reply = self.reply_bytes = self.status = None
        self.positions, self.replayed, self.message = {}, False, ""

    def end(self, line):
        self.ending, self.answered = line["f"], line["t"]
        self.status = line.get("status", "ok" if self.ending == "ok" else None)
        self.message = line.get("message", "")
        self.positions = positions(line.get("positions", {}))
        self.replayed = line.get("replayed", False)
        if "body" in line:
            self.reply_bytes = bytes.fromhex(line["body"])
            self.reply = cbor2.loads(self.reply_bytes)

    def __str__(self):
        return f"{self.process} {self.number} {self.operation}"


def positions(value):
    return {service: (bytes.fromhex(epoch), sequence) for service, (epoch, sequence) in value.items()}


def read(paths):
    """All lines of all files, in the order of their times."""
    lines = []
    for path in paths:
        with open(path, "rb") as file:
            for text in file:
                # A recorder that was killed may have left a last line that is cut.
                if text.endswith(b"\n"):
                    lines.append(json.loads(text))
    return sorted(lines, key=lambda line: line["t"])


def before(times, time):
    """How many of the rising times lie before this one."""
    return bisect.bisect_left(times, time)
