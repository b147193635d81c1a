"""A set of services with their recorders, for one round of faults: started, brought to an end, read, and checked."""

import os
import pathlib
import random
import select
import shutil
import signal
import subprocess
import sys
import time

import history
from checker import Checker
from ending import Ending
from recorder import Setting

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Interop"))
from services import Services  # noqa: E402

ALL = ("catalog", "orders", "walks", "reporting")
HERE = pathlib.Path(__file__).resolve().parent


class Trouble(Exception):
    """What went wrong with a round itself: one sentence."""


class Recorder:
    """A recorder's process: in Swift or in Python."""

    def __init__(self, command, log):
        with open(log, "ab") as file:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file)
        self.log = log

    def tell(self):
        self.process.stdin.write(b"go on\n")
        self.process.stdin.flush()

    def expect(self, word, limit):
        ready = select.select([self.process.stdout], [], [], limit)[0]
        line = self.process.stdout.readline().decode().strip() if ready else f"silent for {limit} s"
        if line != word:
            text = pathlib.Path(self.log).read_text(encoding="utf-8", errors="replace")[-2000:]
            raise Trouble(f"{self.log} should have {word}: {line or 'it ended'} {text}")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # It ended before.


class Stage(Services):
    """Services, recorders, and what was done to them."""

    def __init__(self, programs, seed, **settings):
        super().__init__(programs, *ALL)
        self.seed, self.random = seed, random.Random(seed)
        self.settings = {"writers": 4, "pause": 60} | settings
        self.history = pathlib.Path(self.folder) / "history"
        self.history.mkdir()
        # Those that come to the end, and all.
        self.recorders, self.all_recorders = [], []
        self.relays = {}
        # By which command a service is started, where not by itself.
        self.within = {}
        self.tried = {}
        # What has to be undone behind the end, the last first.
        self.undo = []
        self.setting = Setting(
            [str(self.history / "end.jsonl"), "name=end"] + [f"{name}={','.join(self.ends(name))}" for name in ALL]
        )

    def ends(self, service):
        return [self.endpoint(service, kind) for kind in ("requests", "events")]

    def __enter__(self):
        # Each nemesis starts them as it needs them.
        return self

    def start(self, name):
        pathlib.Path(self.folder, "run").mkdir(mode=0o700, exist_ok=True)
        super().start(name)

    def command(self, name):
        return [*self.within.get(name, ()), *super().command(name)]

    def record(self, reach=None, swift=(), both=(), within=()):
        """Starts both recorders; `reach` says by which endpoints, where not by the socket files, `within` by what command."""
        reach = reach or {name: self.ends(name) for name in ALL}
        where = [f"{name}={','.join(ends)}" for name, ends in reach.items()]
        common = [f"seed={self.random.randrange(10**9)}", f"pause={self.settings['pause']}", *both, *where]
        for name, share in ("swift", 1), ("python", 2):
            number = max(1, self.settings["writers"] // share)
            options = [f"writers={number}", *common, *(swift if name == "swift" else ())]
            self.recorders.append(self.recorder(name, {}, options, within))

    def recorder(self, name, reach, options, within=()):
        """Starts one recorder; that of the name `python` is the second implementation."""
        path = str(self.history / f"{name}.jsonl")
        program = [sys.executable, str(HERE / "recorder.py")] if name == "python" else [f"{self.programs}/Recorder"]
        where = [f"{service}={','.join(ends)}" for service, ends in reach.items()]
        recorder = Recorder([*within, *program, path, f"name={name}", *options, *where], f"{self.folder}/{name}.recorder.log")
        self.all_recorders.append(recorder)
        return recorder

    def fault(self, kind, **members):
        """Notes what is done to the services, for the history and for the table."""
        self.tried[kind] = self.tried.get(kind, 0) + 1
        self.setting.recording.record("nemesis", "fault", kind=kind, **members)

    def wait(self, least, most):
        time.sleep(self.random.uniform(least, most))

    def signal(self, name, number):
        self.processes[name].send_signal(number)

    def finish(self):
        """Lets everybody come to the end, reads all there is, and ends the services; gives the checker."""
        for name in ALL:
            if name in self.processes and self.processes[name].poll() is not None:
                raise Trouble(f"{name} ended by itself with {self.processes.pop(name).returncode}")
            if name not in self.processes:
                self.start(name)
        self.expect("stopped", 60)
        ending = Ending(self.setting, self.random)
        if "store put back" in self.tried:
            ending.repair()
        self.expect("settled", 100)
        ending.read()
        for name in reversed(ALL):
            if (code := self.stop(name)) != 0:
                raise Trouble(f"{name} ended with {code} at SIGTERM")
        checker = Checker(history.read(sorted(self.history.glob("*.jsonl"))))
        checker.check()
        return checker

    def expect(self, word, limit):
        for recorder in self.recorders:
            recorder.tell()
        for recorder in self.recorders:
            recorder.expect(word, limit)

    def keep(self, name):
        """Keeps what is there where it can be looked at."""
        place = pathlib.Path(os.environ.get("DAYBOOK_FAULTS_KEEP", "/tmp")) / f"daybook-faults-{name}-{self.seed}"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.folder, place, ignore=lambda folder, names: [n for n in names if n in ("run",)])
        return place

    def __exit__(self, *error):
        for recorder in self.all_recorders:
            recorder.end()
        for relay in self.relays.values():
            relay.stop()
        for process in self.processes.values():
            process.send_signal(signal.SIGCONT)
        self.setting.recording.close()
        self.setting.context.destroy(linger=0)
        for process in self.processes.values():
            process.kill()
            process.wait()
        for undo in reversed(self.undo):
            undo()
        super().__exit__(*error)
