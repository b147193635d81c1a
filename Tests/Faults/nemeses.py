"""What is done to the services while they are used. Each nemesis draws what it does from the seed of its round."""

import signal
import time

from stage import ALL


class Nemesis:
    """A way to disturb, with what it needs."""

    name = ""
    # In the default run as well.
    is_long = False
    settings = {}

    def missing(self):
        """Why it can't be tried here; None where it can."""
        return None

    def prepare(self, stage):
        """Starts what is disturbed."""
        for name in ALL:
            stage.start(name)
        stage.record()

    def disturb(self, stage, is_long):
        raise NotImplementedError


class Calm(Nemesis):
    """nothing: what is honest passes, and every tampering with it is found"""

    name = "calm"
    settings = {"pause": 4}

    def disturb(self, stage, is_long):
        stage.wait(1, 1)


class Kill(Nemesis):
    """SIGKILL at any moment, and a start"""

    name = "kill"

    def disturb(self, stage, is_long):
        for _ in range(1000 if is_long else 30):
            stage.wait(0.02, 0.4)
            victim = stage.random.choice(ALL)
            stage.fault("SIGKILL", service=victim)
            stage.kill(victim)
            if stage.random.random() < 0.3:
                stage.wait(0, 0.5)
            stage.start(victim)


class Pause(Nemesis):
    """SIGSTOP and SIGCONT of services and of those who follow them"""

    name = "pause"

    def disturb(self, stage, is_long):
        for _ in range(100 if is_long else 8):
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

    def disturb(self, stage, is_long):
        for _ in range(50 if is_long else 2):
            for name in stage.random.sample(ALL, len(ALL)):
                stage.wait(0.1, 0.4)
                stage.fault("SIGTERM and start", service=name)
                if (code := stage.stop(name)) != 0:
                    raise RuntimeError(f"{name} ended with {code} at SIGTERM")
                stage.start(name)


ALL_NEMESES = [Calm(), Kill(), Pause(), Restart()]
