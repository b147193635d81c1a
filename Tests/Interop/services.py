"""Starts the services as processes over a folder of their own, and ends them."""

import os
import select
import shutil
import subprocess
import tempfile


class Services:
    """Services that are ready once the block is entered, and ended when it is left."""

    def __init__(self, programs, *names):
        self.programs, self.names = programs, names
        self.folder = tempfile.mkdtemp(prefix="daybook-", dir="/tmp")
        self.processes = {}
        self.variables = {}

    def __enter__(self):
        try:
            for name in self.names:
                self.start(name)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def program(self, name):
        return f"{self.programs}/daybook-{name}"

    def command(self, name):
        """What starts a service."""
        return [self.program(name)]

    def start(self, name):
        read_end, write_end = os.pipe()
        environment = dict(
            os.environ,
            DAYBOOK_HOME=f"{self.folder}/home",
            DAYBOOK_RUNTIME=f"{self.folder}/run",
            DAYBOOK_READY_FD=str(write_end),
            DAYBOOK_PARENT=str(os.getpid()),
            **self.variables,
        )
        with open(f"{self.folder}/{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                self.command(name),
                env=environment,
                pass_fds=[write_end],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        os.close(write_end)
        with os.fdopen(read_end) as pipe:
            line = pipe.readline() if select.select([pipe], [], [], 20)[0] else "silent for 20 s"
        if line != "ready\n":
            raise RuntimeError(f"{name} did not start: {line.strip()}")

    def kill(self, name):
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def stop(self, name):
        process = self.processes.pop(name)
        process.terminate()
        return process.wait(10)

    def daybook(self, *arguments):
        """What the command prints."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DAYBOOK_")}
        environment |= {"DAYBOOK_HOME": f"{self.folder}/home", "DAYBOOK_RUNTIME": f"{self.folder}/run"}
        return subprocess.run(
            [f"{self.programs}/daybook", *arguments],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True, text=True, timeout=60,
        ).stdout

    def endpoint(self, name, kind="requests"):
        return f"ipc://{self.folder}/run/{name}.{kind}"

    def logs(self):
        for name in self.names:
            with open(f"{self.folder}/{name}.log", encoding="utf-8", errors="replace") as log:
                yield name, log.read()[-4000:]

    def __exit__(self, *_):
        for process in reversed(self.processes.values()):
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
