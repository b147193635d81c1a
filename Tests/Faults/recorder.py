#!/usr/bin/env python3
"""Records what a second implementation asks, is answered, and applies: pyzmq, cbor2, and PROTOCOL.md alone.

python3 recorder.py FILE [name=TEXT] [seed=N] [writers=N] [pause=MILLISECONDS] [key=NAME] [keys=FOLDER] SERVICE=ENDPOINT,ENDPOINT…

As the recorder in Swift: at the first line of standard input the writers stop, which is answered with `stopped`; at the
second the observers go to the end of what there is, and it ends. Its requests are single attempts, so that it knows of
each refusal that it had no effect.
"""

import pathlib
import random
import sys
import threading
import time

import cbor2
import zmq
import zmq.auth

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Interop"))
sys.dont_write_bytecode = True

from history import Recording  # noqa: E402
import mirror  # noqa: E402

LOGGED = ("catalog", "orders", "walks")


def uuid7(source):
    """A UUID of version 7 (RFC 9562, section 5.7), as 16 bytes."""
    value = bytearray((time.time_ns() // 1_000_000).to_bytes(6, "big") + source.randbytes(10))
    value[6], value[8] = value[6] & 0x0F | 0x70, value[8] & 0x3F | 0x80
    return bytes(value)


class Setting:
    """What was given on the command line."""

    def __init__(self, arguments):
        self.path, *rest = arguments
        self.values = dict(argument.split("=", 1) for argument in rest)
        self.context = zmq.Context()
        self.context.set(zmq.MAX_SOCKETS, 10_000)
        self.recording = Recording(self.path)
        self.name = self.values.get("name", "python")
        self.is_over = threading.Event()
        self.is_settled = threading.Event()
        self.heads = {}

    def endpoints(self, service):
        return self.values[service].split(",")

    def connect(self, service, kind):
        socket = self.context.socket(kind)
        socket.linger = 0
        if key := self.values.get("key"):
            folder = self.values["keys"]
            socket.curve_publickey, socket.curve_secretkey = zmq.auth.load_certificate(f"{folder}/{key}.key_secret")
            socket.curve_serverkey = zmq.auth.load_certificate(f"{folder}/public/{service}.key")[0]
        return socket


class Asking:
    """A client that asks once, and records it."""

    def __init__(self, setting, name, limit=5000):
        self.setting, self.name, self.limit = setting, name, limit

    def ask(self, service, operation, body, key=None, after=None):
        """The status, None where nobody answered; the body; and the header."""
        setting, number = self.setting, self.setting.recording.number()
        header = {"version": 1, "id": number, "operation": operation}
        members = {"n": number, "operation": operation, "service": service, "body": cbor2.dumps(body).hex()}
        if key:
            header["key"] = key
            members["key"] = key.hex()
        header["timeout"] = self.limit
        if after:
            header["after"] = {name: list(place) for name, place in after.items()}
            members["after"] = {name: (epoch.hex(), sequence) for name, (epoch, sequence) in after.items()}
        setting.recording.record(self.name, "ask", **members)
        with setting.connect(service, zmq.REQ) as socket:
            socket.connect(setting.endpoints(service)[0])
            socket.send_multipart([cbor2.dumps(header), cbor2.dumps(body)])
            if not socket.poll(self.limit + 1000):
                setting.recording.record(self.name, "unknown", n=number, message="nobody answered")
                return None, {}, {}
            head, *frames = socket.recv_multipart()
        header, reply = cbor2.loads(head), cbor2.loads(frames[0])
        for more in map(cbor2.loads, frames[1:]):
            append(reply, more)
        if header["status"] == "ok":
            answer = {"n": number, "body": cbor2.dumps(reply).hex(), "run": header["run"].hex()}
            answer["positions"] = {name: (place[0].hex(), place[1]) for name, place in header.get("positions", {}).items()}
            setting.recording.record(self.name, "ok", **answer, **({"replayed": True} if header.get("replayed") else {}))
        else:
            ending = "unknown" if header["status"] == "internal" else "refused"
            setting.recording.record(self.name, ending, n=number, status=header["status"], message=reply["message"])
        return header["status"], reply, header


def append(reply, more):
    """Further frames of a reply: sections go on, other lists are added."""
    for section in more.pop("sections", ()):
        if reply["sections"] and reply["sections"][-1]["key"] == section["key"]:
            reply["sections"][-1]["rows"] += section["rows"]
        else:
            reply["sections"].append(section)
    for name in ("orders", "groups", "entries"):
        if isinstance(more.get(name), list):
            reply[name] = reply[name] + more[name]


class Writer:
    """Edits what is there with the version that was read, and repeats with its key what was not answered."""

    def __init__(self, setting, number):
        self.asking = Asking(setting, f"{setting.name}/writer/{number}")
        self.setting, self.seen = setting, {}
        self.random = random.Random(f"{setting.values.get('seed', 1)}/{number}")

    def run(self):
        pause = int(self.setting.values.get("pause", 20)) / 1000
        while not self.setting.is_over.is_set():
            self.random.choice([self.customer, self.order, self.order, self.row, self.row, self.row, self.read, self.wrong])()
            time.sleep(pause * self.random.random())

    def command(self, service, operation, body):
        key = uuid7(self.random)
        for attempt in range(5):
            status, reply, header = self.asking.ask(service, operation, body, key)
            if status == "ok":
                self.see(header)
                if self.random.random() < 0.05:
                    self.asking.ask(service, operation, body, key)
                elif self.random.random() < 0.03:
                    self.asking.ask(service, operation, {**body, "other": True} if "id" in body else self.other(body), key)
                return reply
            if status in (None, "unavailable", "timed-out", "storage-full", "internal"):
                time.sleep(0.05 * 2**attempt)
            else:
                return None
        return None

    def other(self, body):
        record = body["record"]
        return {"record": record | ({"name": self.word()} if "name" in record else {"note": self.word()})}

    def see(self, header):
        for service, (epoch, sequence) in header.get("positions", {}).items():
            known = self.seen.get(service)
            if known is None or known[0] != epoch or known[1] < sequence:
                self.seen[service] = (epoch, sequence)

    def word(self):
        return "".join(self.random.choices("abcdefghijklmnopqrstuvwxyz", k=6))

    def id(self):
        return uuid7(self.random)

    def any(self, entity, service):
        status, page, header = self.asking.ask(service, f"{entity}.list", {"limit": 50})
        if status == "ok":
            self.see(header)
            return self.random.choice(page["rows"]) if page["rows"] else None
        return None

    def customer(self):
        self.command("catalog", "customer.put", {"record": {"id": self.id(), "version": 0, "name": self.word()}})

    def order(self):
        record = {"id": self.id(), "version": 0, "number": 0, "date": f"2024-0{self.random.randint(1, 4)}-15"}
        rows = [{"id": self.id(), "text": self.word(), "sum": self.random.randint(1, 9000)}]
        customer = self.any("customer", "catalog")
        record |= {"customer": customer["id"]} if customer else {}
        record |= {"currency": "EUR", "rows": rows, "made": self.random.random() < 0.5, "paid": False, "total": 0}
        self.command("orders", "order.put", {"record": record})

    def row(self):
        """Reads an order and adds a row of 1.00, by the version that was read."""
        order = self.any("order", "orders")
        if order:
            rows = [*order["rows"], {"id": self.id(), "text": self.word(), "sum": 100}]
            self.command("orders", "order.put", {"record": order | {"rows": rows}})

    def read(self):
        asked = self.random.choice(
            [("reporting", "report.unpaid", {}), ("reporting", "report.totals", {"by": "customer"}),
             ("orders", "order.list", {"sort": [{"field": "number"}], "limit": 10000}),
             ("catalog", "customer.list", {"sort": [{"field": "name"}], "limit": 10000})]
        )
        status, _, header = self.asking.ask(*asked, after=self.seen)
        if status == "ok":
            self.see(header)

    def wrong(self):
        self.command("catalog", "customer.put", {"record": {"id": self.id(), "version": 0, "name": " "}})


class Subscriber:
    """Applies events by the subscriber's rule of PROTOCOL.md."""

    def __init__(self, setting, service):
        self.setting, self.service, self.name = setting, service, f"{setting.name}/subscriber/{service}"
        self.place, self.run_of_service = {"sequence": 0}, None
        self.recording = setting.recording

    def run(self):
        self.recording.record(self.name, "follow", service=self.service)
        while not self.is_done():
            # A socket that hears nothing for a while is made anew.
            with self.setting.connect(self.service, zmq.SUB) as socket:
                for topic in f"{self.service}/", f"~{self.service}":
                    socket.subscribe(topic)
                socket.connect(self.setting.endpoints(self.service)[1])
                self.read()
                while not self.is_done() and socket.poll(3000):
                    self.hear(*socket.recv_multipart())

    def is_done(self):
        head = self.setting.heads.get(self.service)
        reached = head and (self.place.get("epoch"), self.place["sequence"]) == head
        return reached or self.setting.is_settled.is_set()

    def hear(self, _, header, *events):
        header = cbor2.loads(header)
        through = header.get("through", header.get("sequence"))
        if header["run"] != self.run_of_service or header["epoch"] != self.place.get("epoch"):
            self.read()
        elif through > self.place["sequence"]:
            if events and header["first"] == self.place["sequence"] + 1:
                self.apply(cbor2.loads(events[0]), header)
            else:
                self.read()

    def read(self):
        """To the end of the log."""
        while not self.setting.is_settled.is_set():
            with self.setting.connect(self.service, zmq.REQ) as socket:
                socket.connect(self.setting.endpoints(self.service)[0])
                head = {"version": 1, "id": 1, "operation": "events.read"}
                socket.send_multipart([cbor2.dumps(head), cbor2.dumps(self.place)])
                if not socket.poll(2000):
                    continue
                header, page = map(cbor2.loads, socket.recv_multipart())
            if header["status"] != "ok":
                time.sleep(0.1)
                continue
            if "resync" in page:
                self.place = {"epoch": page["epoch"], "sequence": page["through"], "chain": page["chain"]}
                self.recording.record(
                    self.name, "resync", service=self.service, epoch=page["epoch"].hex(), sequence=page["through"],
                    reason=page["resync"],
                )
            else:
                self.apply(page["events"], page)
            if page["through"] == page["head"]:
                self.run_of_service = header["run"]
                return

    def apply(self, events, at):
        if events:
            self.recording.record(
                self.name, "events", service=self.service, epoch=at["epoch"].hex(), sequence=at["through"],
                chain=at["chain"], events=[cbor2.dumps(event).hex() for event in events],
            )
        self.place = {"epoch": at["epoch"], "sequence": at["through"], "chain": at["chain"]}


class Mirror:
    """Keeps a live list."""

    def __init__(self, setting, words, service, query):
        self.setting, self.service, self.query, self.name = setting, service, query, f"{setting.name}/mirror/{words}"
        self.asking = Asking(setting, self.name)
        self.list = self.number = self.digest = None
        self.sections = []

    def run(self):
        self.setting.recording.record(self.name, "watch", service=self.service, query=cbor2.dumps(self.query).hex())
        reason = None
        while not self.setting.is_settled.is_set():
            with self.setting.connect(self.service, zmq.SUB) as socket:
                socket.connect(self.setting.endpoints(self.service)[1])
                reason = self.follow(socket, reason)

    def follow(self, socket, reason):
        """Opens the list and follows it; gives why it has to be opened anew."""
        status, reply, _ = self.asking.ask(self.service, "list.open", {"query": self.query})
        if status != "ok":
            time.sleep(0.1)
            return reason
        socket.subscribe(reply["topic"])
        news = {"base": None}
        while "base" in news:
            if not socket.poll(2000):
                return reason or "silent"
            news = cbor2.loads(socket.recv_multipart()[1])
        if (news["list"], news["number"]) != (reply["list"], reply["number"]):
            return reason or "missed"
        if self.list is not None:
            self.setting.recording.record(self.name, "list-resync", reason=reason)
        self.setting.recording.record(self.name, "snapshot", reply=cbor2.dumps(reply).hex())
        self.list, self.number, self.sections = reply["list"], reply["number"], reply["sections"]
        self.digest = reply["digest"]
        return self.apply(socket)

    def apply(self, socket):
        while not self.setting.is_settled.is_set():
            if not socket.poll(2000):
                return "silent"
            news = cbor2.loads(socket.recv_multipart()[1])
            if news["list"] != self.list:
                return "list"
            if "reset" in news:
                return "reset"
            if news.get("base", news["number"]) != self.number:
                return "missed"
            if "base" in news:
                mirror.apply(news, self.sections)
                self.number, self.digest = news["number"], news["digest"]
                self.setting.recording.record(self.name, "batch", batch=cbor2.dumps(news).hex())
        return None

    def settle(self, deadline):
        while time.monotonic() < deadline:
            status, fresh, _ = self.asking.ask(
                self.service, "list.open", {"query": self.query}, after=self.setting.heads
            )
            patience = time.monotonic() + 5
            while status == "ok" and self.digest != fresh["digest"] and time.monotonic() < patience:
                time.sleep(0.02)
            if status == "ok" and self.digest == fresh["digest"]:
                return


def main():
    setting = Setting(sys.argv[1:])
    writers = [Writer(setting, number) for number in range(int(setting.values.get("writers", 2)))]
    observers = [Subscriber(setting, service) for service in LOGGED]
    mirrors = [
        Mirror(setting, "orders", "orders", {"entity": "order", "sort": [{"field": "number"}]}),
        Mirror(setting, "customers", "catalog", {"entity": "customer", "sort": [{"field": "name"}]}),
    ]
    working = [threading.Thread(target=writer.run, daemon=True) for writer in writers]
    following = [threading.Thread(target=one.run, daemon=True) for one in observers + mirrors]
    for thread in working + following:
        thread.start()
    sys.stdin.readline()
    setting.is_over.set()
    for thread in working:
        thread.join()
    print("stopped", flush=True)
    sys.stdin.readline()
    deadline = time.monotonic() + float(setting.values.get("settle", 60))
    reader = Asking(setting, f"{setting.name}/reader")
    for service in LOGGED:
        status = None
        while status != "ok" and time.monotonic() < deadline:
            status, reply, _ = reader.ask(service, "status", {})
        setting.heads[service] = (reply["epoch"], reply["sequence"])
    for thread in following[: len(observers)]:
        thread.join(max(0, deadline - time.monotonic()))
    for one in mirrors:
        one.settle(deadline)
    setting.is_settled.set()
    for thread in following:
        thread.join(5)
    setting.recording.close()
    print("settled", flush=True)


if __name__ == "__main__":
    main()
