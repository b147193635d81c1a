"""What is done to the services while they are used. Each nemesis draws what it does from the seed of its round."""

import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

from relay import Relay
from stage import ALL


class Nemesis:
    """A way to disturb, with what it needs."""

    name = ""
    # In the default run as well.
    is_long = False
    settings = {}
    # How many there are in the long run, each with a seed of its own.
    long_rounds = 5

    def missing(self):
        """Why it can't be tried here; None where it can."""
        return None

    def prepare(self, stage):
        """Starts what is disturbed."""
        for name in ALL:
            stage.start(name)
        stage.record()

    def disturb(self, stage):
        raise NotImplementedError


class Calm(Nemesis):
    """nothing: what is honest passes, and every tampering with it is found"""

    name = "calm"
    settings = {"pause": 4}
    #: Lines of the history: with so many there is something for each tampering, however long that takes here.
    enough = {b'"f":"ok"': 600, b'"f":"batch"': 400}

    def disturb(self, stage):
        deadline = time.monotonic() + 200
        while time.monotonic() < deadline:
            stage.wait(0.5, 0.5)
            texts = [path.read_bytes() for path in stage.history.glob("*.jsonl")]
            if all(sum(text.count(kind) for text in texts) >= count for kind, count in self.enough.items()):
                return
        raise RuntimeError(f"in 200 s there was not as much as {self.enough}")


class Kill(Nemesis):
    """SIGKILL of one or all at any moment, also while they start"""

    name = "kill"
    long_rounds = 34

    def disturb(self, stage):
        done = 0
        while done < 30:
            stage.wait(0.02, 0.4)
            victims = ALL if stage.random.random() < 0.1 else [stage.random.choice(ALL)]
            for victim in victims:
                stage.fault("SIGKILL", service=victim)
                stage.kill(victim)
                done += 1
            if stage.random.random() < 0.3:
                stage.wait(0, 0.5)
            for victim in victims:
                if stage.random.random() < 0.2:
                    done += self.kill_starting(stage, victim)
                if victim not in stage.processes:
                    stage.start(victim)

    @staticmethod
    def kill_starting(stage, victim):
        """Kills a service that was started a moment ago; gives whether it was still starting."""
        def kill():
            if victim in stage.processes:
                stage.signal(victim, signal.SIGKILL)

        killing = threading.Timer(stage.random.uniform(0, 0.08), kill)
        killing.start()
        try:
            stage.start(victim)
        except RuntimeError:
            pass
        killing.join()
        stage.kill(victim)
        stage.fault("SIGKILL while it starts", service=victim)
        return 1


class Pause(Nemesis):
    """SIGSTOP and SIGCONT of services and of those who follow them"""

    name = "pause"

    def disturb(self, stage):
        for _ in range(8):
            stage.wait(0.05, 0.3)
            victim = stage.random.choice([*ALL, *stage.recorders])
            process = stage.processes[victim] if victim in ALL else victim.process
            stage.fault("SIGSTOP of a service" if victim in ALL else "SIGSTOP of subscribers")
            process.send_signal(signal.SIGSTOP)
            time.sleep(stage.random.choice([0.1, 0.3, 1, 2.5]))
            process.send_signal(signal.SIGCONT)


class Restart(Nemesis):
    """a rolling restart of everything under load"""

    name = "restart"

    def disturb(self, stage):
        for _ in range(2):
            for name in stage.random.sample(ALL, len(ALL)):
                stage.wait(0.1, 0.4)
                stage.fault("SIGTERM and start", service=name)
                if (code := stage.stop(name)) != 0:
                    raise RuntimeError(f"{name} ended with {code} at SIGTERM")
                stage.start(name)


class Relays(Nemesis):
    """messages that are lost, repeated and reordered on the way, both ways"""

    name = "relay"
    queue = None

    def prepare(self, stage):
        os.mkdir(f"{stage.folder}/run", 0o700)
        stage.relays = {
            name: Relay(stage.setting.context, f"{stage.folder}/run", name, stage.ends(name), stage.seed, queue=self.queue)
            for name in ALL
        }
        # Services follow each other through them as well.
        stage.variables |= {f"DAYBOOK_{name.upper()}_ENDPOINT": relay.ends[0] for name, relay in stage.relays.items()}
        for name in ALL:
            stage.start(name)
        stage.record({name: relay.ends for name, relay in stage.relays.items()}, swift=["timeout=15000"])

    def disturb(self, stage):
        stage.wait(5, 6)
        self.calm(stage)

    @staticmethod
    def calm(stage):
        for relay in stage.relays.values():
            relay.is_disturbing = False
            for kind, count in relay.done.items():
                for _ in range(count):
                    stage.fault(kind)


class ShortQueues(Relays):
    """high-water marks of 1 on the way: what comes faster is lost"""

    name = "queue"
    queue = 1


class FullDisk(Nemesis):
    """a disk that is full for a while, with all stores on it"""

    name = "full-disk"
    bytes = 96 << 20

    def missing(self):
        with tempfile.TemporaryDirectory() as folder:
            mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]
            if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
                return "only root can mount a small disk, and not in every container"
            subprocess.run(["umount", folder], check=True)
        return None

    def prepare(self, stage):
        self.mount(stage)
        super().prepare(stage)

    @classmethod
    def mount(cls, stage):
        home = f"{stage.folder}/home"
        os.mkdir(home, 0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={cls.bytes},mode=700", "tmpfs", home], check=True)
        stage.undo.append(lambda: subprocess.run(["umount", "-l", home], check=True))

    @staticmethod
    def fill(stage):
        """Takes all the room that is left; gives the file that does."""
        ballast = pathlib.Path(stage.folder, "home", "ballast")
        with open(ballast, "wb", buffering=0) as file:
            try:
                while file.write(bytes(65536)):
                    pass
            except OSError:
                pass
        return ballast

    def disturb(self, stage):
        for number in range(4):
            stage.wait(0.3, 1)
            stage.fault("full disk")
            ballast = self.fill(stage)
            # Now and then a little becomes free, which is not enough for long.
            stage.wait(0.2, 0.6)
            if stage.random.random() < 0.5:
                os.truncate(ballast, max(0, ballast.stat().st_size - stage.random.choice([4096, 65536])))
            # Once so long that the services find a quiet moment, and tidy.
            stage.wait(*((4, 5) if number == 2 else (0.2, 0.6)))
            ballast.unlink()


class PutBack(Nemesis):
    """a store that is copied back by hand, as it was a while ago"""

    name = "put-back"
    services = ("catalog", "orders", "walks")

    def disturb(self, stage):
        home = pathlib.Path(stage.folder, "home")
        for victim in stage.random.sample(self.services, 2):
            stage.wait(0.5, 1)
            stage.stop(victim)
            copy = home / f"{victim}.copy"
            shutil.copy(home / f"{victim}.db", copy)
            stage.start(victim)
            stage.wait(0.1, 2)
            if stage.random.random() < 0.5:
                stage.kill(victim)
            else:
                stage.stop(victim)
            for file in home.glob(f"{victim}.db*"):
                file.unlink()
            shutil.copy(copy, home / f"{victim}.db")
            with sqlite3.connect(f"file:{copy}?mode=ro", uri=True) as store:
                [sequence] = store.execute("SELECT coalesce(max(sequence), 0) FROM event").fetchone()
            stage.fault("store put back", service=victim, sequence=sequence)
            stage.start(victim)


def over_tcp(stage, hosts, people):
    """Makes keys, and has the services listen at ports of these hosts and find each other there; gives the endpoints."""
    stage.daybook("keys", "new", *ALL, "--role", "service")
    for person in people:
        stage.daybook("keys", "new", person, "--role", "writer")
    reach = {}
    for name in ALL:
        port = free_ports(2)
        where = f"tcp://{hosts[name]}:{port}"
        reach[name] = [where, f"tcp://{hosts[name]}:{port + 1}"]
        stage.variables |= {f"DAYBOOK_{name.upper()}_LISTEN": where, f"DAYBOOK_{name.upper()}_ENDPOINT": where}
    return reach


def free_ports(count):
    """The first of so many ports in a row that nobody listens at just now."""
    while True:
        first = random.randrange(10_000, 32_000)
        sockets = [socket.socket() for _ in range(count)]
        try:
            for number, one in enumerate(sockets):
                one.bind(("", first + number))
            return first
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()


class Network(Nemesis):
    """a network between the services and all others that is cut, half open, slow, and reset; TCP with keys"""

    name = "network"
    settings = {"writers": 3}
    # Seconds. libzmq ends a silent connection after 10 to 15.
    longest = 20 if os.environ.get("DAYBOOK_LONG") == "1" else 3
    kinds = ("cut network", "half-open network without answers", "half-open network without requests", "slow network", "reset network")

    def missing(self):
        if os.geteuid() != 0:
            return "only root can make network namespaces"
        for program in "ip", "tc", "iptables":
            if shutil.which(program) is None:
                return f"{program} is missing"
        name = f"daybook-{os.getpid()}"
        if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode != 0:
            return "no network namespaces can be made here"
        subprocess.run(["ip", "netns", "del", name], check=True)
        return None

    def prepare(self, stage):
        self.space, self.here = f"daybook-{os.getpid()}", f"dbk{os.getpid()}"
        net = f"10.213.{os.getpid() % 256}"
        self.host, self.inside = f"{net}.1", ["ip", "netns", "exec", self.space]
        stage.undo.append(lambda: subprocess.run(["ip", "netns", "del", self.space], check=True))
        for words in (
            f"ip netns add {self.space}",
            f"ip link add {self.here} type veth peer name far netns {self.space}",
            f"ip addr add {net}.1/30 dev {self.here}",
            f"ip link set {self.here} up",
            f"ip -n {self.space} addr add {net}.2/30 dev far",
            f"ip -n {self.space} link set far up",
            f"ip -n {self.space} link set lo up",
        ):
            subprocess.run(words.split(), check=True, capture_output=True)
        # Reports are made on the other side of the network, from what is followed over it.
        reach = over_tcp(stage, {name: f"{net}.1" for name in ALL} | {"reporting": f"{net}.2"}, ["anna"])
        stage.within["reporting"] = self.inside
        for name in ALL:
            stage.start(name)
        keys = ["key=anna", f"keys={stage.folder}/home/keys"]
        stage.record(reach, swift=["timeout=20000"], both=keys, within=self.inside)

    def disturb(self, stage):
        for kind in stage.random.sample(self.kinds, len(self.kinds)):
            stage.wait(0.5, 1)
            stage.fault(kind)
            getattr(self, kind.split()[0].replace("-", "_"))(stage, kind)
        # Connections that were lost without a word are noticed by libzmq's heartbeat.
        stage.wait(1, 2)

    @staticmethod
    def run(*words):
        subprocess.run(words, check=True, capture_output=True)

    def cut(self, stage, _):
        self.run("ip", "link", "set", self.here, "down")
        stage.wait(0.5, self.longest)
        self.run("ip", "link", "set", self.here, "up")

    def filtered(self, stage, chain, *rule, least=0.5, most=longest):
        self.run("iptables", "-I", chain, *rule)
        stage.wait(least, most)
        self.run("iptables", "-D", chain, *rule)

    def half_open(self, stage, kind):
        """What one side sends is lost without a word; what the other sends arrives."""
        if "answers" in kind:
            self.filtered(stage, "OUTPUT", "-o", self.here, "-j", "DROP")
        else:
            self.filtered(stage, "INPUT", "-i", self.here, "-j", "DROP")

    def slow(self, stage, _):
        delay = ["tc", "qdisc", "add", "dev", self.here, "root", "netem", "delay", "150ms", "100ms", "loss", "5%"]
        if subprocess.run(delay, capture_output=True, check=False).returncode != 0:
            # A kernel without netem: a narrow line, in which packets wait, and are lost when it is full.
            self.run("tc", "qdisc", "add", "dev", self.here, "root", "tbf", "rate", "400kbit", "burst", "4kb", "latency", "300ms")
        stage.wait(2, 3)
        self.run("tc", "qdisc", "del", "dev", self.here, "root")

    def reset(self, stage, _):
        self.filtered(
            stage, "INPUT", "-i", self.here, "-p", "tcp", "-j", "REJECT", "--reject-with", "tcp-reset", least=0.2, most=1
        )


class Keys(Nemesis):
    """a key that is revoked in the middle of its work, and a service's own that is changed"""

    name = "keys"
    settings = {"writers": 2}

    def prepare(self, stage):
        reach = over_tcp(stage, {name: "127.0.0.1" for name in ALL}, ["anna", "bob"])
        for name in ALL:
            stage.start(name)
        keys = f"keys={stage.folder}/home/keys"
        stage.record(reach, swift=["timeout=20000"], both=["key=anna", keys])
        # Whoever loses his key is no part of the end.
        self.bob = stage.recorder("bob", reach, ["key=bob", keys, "timeout=2000"])

    def disturb(self, stage):
        stage.wait(1.5, 2.5)
        stage.daybook("keys", "revoke", "bob")
        stage.fault("key revoked", person="bob", wall=time.time_ns() // 1000)
        stage.wait(1, 1.5)
        for name in stage.random.sample(ALL, 2):
            stage.daybook("keys", "rotate", name)
            stage.fault("key of a service changed", service=name)
            stage.wait(0.5, 1.5)
        self.bob.end()


class Dying(Nemesis):
    """What makes services end by themselves, by a variable of their environment: each is started again with another plan."""

    variable = ""
    deaths = 12

    def plan(self, stage):
        """What goes into the variable, and what it is called."""
        raise NotImplementedError

    def start(self, stage, name):
        """Starts a service that will end; where it ends before it is ready, that is one, too."""
        while True:
            text, kind = self.plan(stage)
            stage.variables[self.variable] = text
            try:
                stage.start(name)
                return kind
            except RuntimeError:
                stage.kill(name)
                stage.fault(kind, service=name)
            finally:
                del stage.variables[self.variable]

    def missing(self):
        # Only debug builds have it.
        with open(f"{programs()}/daybook-catalog", "rb") as file:
            return None if self.variable.encode() in file.read() else f"these programs know no {self.variable}"

    def prepare(self, stage):
        self.kinds = {name: self.start(stage, name) for name in ALL}
        stage.record(swift=["timeout=15000"])

    def disturb(self, stage):
        # Where fewer come, the histories would only get long.
        deadline, done = time.monotonic() + (90 if os.environ.get("DAYBOOK_LONG") else 15), 0
        while done < self.deaths and time.monotonic() < deadline:
            time.sleep(0.02)
            for name in ALL:
                if stage.processes[name].poll() is not None:
                    stage.processes.pop(name)
                    stage.fault(self.kinds[name], service=name)
                    self.kinds[name] = self.start(stage, name)
                    done += 1
        for name in ALL:
            stage.kill(name)
            stage.start(name)


def programs():
    return os.environ["DAYBOOK_BIN"]


class Failpoints(Dying):
    """SIGKILL before and after COMMIT, reply, publish and cursor"""

    name = "failpoint"
    variable = "DAYBOOK_FAILPOINTS"
    points = (
        "commit.before", "commit.after", "reply.before", "reply.between", "publish.before", "publish.between",
        "publish.after", "apply.before", "cursor.before", "cursor.after", "apply.after",
    )

    def plan(self, stage):
        point = stage.random.choice(self.points)
        return f"{point}=kill@{stage.random.randint(1, 60)}", f"SIGKILL at {point}"


class BadDisk(Dying):
    """a disk that gives errors, and power cuts that lose what was not synced"""

    name = "disk"
    variable = "DAYBOOK_DISK"
    deaths = 8

    def plan(self, stage):
        seed, number = stage.random.randrange(10**6), stage.random.randint(5, 400)
        what, kind = stage.random.choice(
            [
                (f"cut={number}", "disk without power"),
                (f"cut={number},keep=none", "disk without power"),
                (f"fail=sync@{number // 4 + 1}", "disk that can't sync"),
                (f"fail=write@{number}", "disk that can't be written"),
                (f"fail=read@{number}", "disk that can't be read"),
            ]
        )
        return f"seed={seed},{what}", kind


class Twins(Nemesis):
    """a second instance of a service on the same store, and on the same sockets"""

    name = "twins"
    is_long = True

    def disturb(self, stage):
        for name in stage.random.sample(ALL, len(ALL)):
            for runtime in "run", "other":
                stage.wait(0.1, 0.4)
                stage.fault("second instance", service=name)
                home = f"{stage.folder}/home"
                variables = os.environ | {"DAYBOOK_HOME": home, "DAYBOOK_RUNTIME": f"{stage.folder}/{runtime}"}
                variables.pop("DAYBOOK_READY_FD", None)
                twin = subprocess.run([stage.program(name)], env=variables, capture_output=True, timeout=20, check=False)
                if twin.returncode <= 0:
                    raise RuntimeError(f"a second {name} was not refused: {twin.returncode} {twin.stderr.decode()}")


class Clocks(Nemesis):
    """clocks of the services that are put forward and back"""

    name = "clock"
    is_long = True
    library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

    def missing(self):
        return None if os.path.exists(self.library) else "libfaketime is missing (apt-get install faketime)"

    def prepare(self, stage):
        self.file = pathlib.Path(stage.folder, "clock")
        self.file.write_text("+0", encoding="ascii")
        stage.variables |= {
            "LD_PRELOAD": self.library, "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
        }
        super().prepare(stage)

    def disturb(self, stage):
        for _ in range(8):
            stage.wait(0.3, 0.8)
            seconds = stage.random.choice([-86_000, -3600, -1, 1, 60, 3600, 80_000])
            stage.fault("clock put forward" if seconds > 0 else "clock put back")
            new = self.file.with_suffix(".new")
            new.write_text(f"{seconds:+d}", encoding="ascii")
            os.replace(new, self.file)
            if stage.random.random() < 0.3:
                victim = stage.random.choice(ALL)
                stage.fault("SIGKILL", service=victim)
                stage.kill(victim)
                stage.start(victim)


class Mixed(Relays):
    """kills, stops, restarts and a full disk one upon the other, behind relays that lose, repeat and reorder"""

    name = "mixed"

    def missing(self):
        return FullDisk().missing()

    def prepare(self, stage):
        FullDisk.mount(stage)
        super().prepare(stage)

    def disturb(self, stage):
        for _ in range(12):
            stage.wait(0.1, 0.5)
            victim = stage.random.choice(ALL)
            step = stage.random.randrange(4)
            if step == 0:
                stage.fault("SIGKILL", service=victim)
                stage.kill(victim)
                stage.start(victim)
            elif step == 1:
                stage.fault("SIGSTOP of a service", service=victim)
                stage.signal(victim, signal.SIGSTOP)
                stage.wait(0.2, 1.5)
                stage.signal(victim, signal.SIGCONT)
            elif step == 2:
                stage.fault("SIGTERM and start", service=victim)
                stage.stop(victim)
                stage.start(victim)
            else:
                stage.fault("full disk")
                FullDisk.fill(stage)
                stage.wait(0.2, 0.8)
                pathlib.Path(stage.folder, "home", "ballast").unlink()
        self.calm(stage)


ALL_NEMESES = [
    Calm(), Kill(), Pause(), Restart(), Relays(), ShortQueues(), FullDisk(), PutBack(), Network(), Keys(), Failpoints(), BadDisk(),
    Mixed(), Twins(), Clocks(),
]
