"""A peer that speaks Daybook's protocol with pyzmq and cbor2 alone, and holds each message against the CDDL."""

import os
import pathlib
import time

import cbor2
import cddl_verifier
import zmq
import zmq.auth

CDDL = pathlib.Path(__file__).resolve().parents[2] / "Shared/Messages/daybook.cddl"


class Refused(Exception):
    """An answer whose status is not ok."""

    def __init__(self, header, body):
        super().__init__(f"{header['status']}: {body['message']}")
        self.status, self.header, self.body = header["status"], header, body


class Contract:
    """Encodes and decodes, and refuses what the CDDL does not describe."""

    def __init__(self):
        self.validator = cddl_verifier.Validator(CDDL.read_text(encoding="utf-8"))
        self.checked = {}

    def encode(self, rule, value):
        data = cbor2.dumps(value)
        self.check(rule, data)
        return data

    def decode(self, rule, data):
        self.check(rule, data)
        value = cbor2.loads(data)
        # Definite lengths and shortest forms: another encoder makes the same bytes.
        assert cbor2.dumps(value) == data, f"{rule} is not in the wire profile: {data.hex()}"
        return value

    def check(self, rule, data):
        result = self.validator.validate(data, root_type=rule)
        assert result.valid, f"{rule}: {'; '.join(map(str, result.errors))} in {data.hex()}"
        self.checked[rule] = self.checked.get(rule, 0) + 1


def uuid7():
    """A UUID of version 7 (RFC 9562, section 5.7), as 16 bytes."""
    value = bytearray((time.time_ns() // 1_000_000).to_bytes(6, "big") + os.urandom(10))
    value[6] = value[6] & 0x0F | 0x70
    value[8] = value[8] & 0x3F | 0x80
    return bytes(value)


def show(keys, socket):
    """Has a socket show a key, where there is one: the files of one's own and of the service's."""
    if keys:
        own, service = map(zmq.auth.load_certificate, keys)
        socket.curve_publickey, socket.curve_secretkey = own
        socket.curve_serverkey = service[0]


class Connection:
    """A REQ or DEALER socket to one service."""

    def __init__(self, context, contract, endpoint, kind=zmq.REQ, keys=None):
        self.contract = contract
        self.socket = context.socket(kind)
        show(keys, self.socket)
        self.socket.linger = 0
        self.socket.rcvtimeo = self.socket.sndtimeo = 10_000
        self.socket.connect(endpoint)
        self.last_id = 0
        self.operations = {}

    def send(self, operation, body, key=None, after=None):
        """Sends a request, and returns its id."""
        self.last_id += 1
        header = {"version": 1, "id": self.last_id, "operation": operation}
        if key:
            header["key"] = key
        header["timeout"] = 5000
        if after:
            header["after"] = after
        self.operations[self.last_id] = operation
        self.socket.send_multipart(
            [
                self.contract.encode("request-header", header),
                self.contract.encode(f"{operation}-request", body),
            ]
        )
        return self.last_id

    def receive(self):
        """The next reply: its header, and its body frames."""
        frames = self.socket.recv_multipart()
        assert 2 <= len(frames) <= 65, f"a reply of {len(frames)} frames"
        return self.contract.decode("reply-header", frames[0]), frames[1:]

    def result(self, header, frames):
        """A reply's body as a value; of several frames the rows are put together."""
        if header["status"] != "ok":
            assert len(frames) == 1
            raise Refused(header, self.contract.decode("error-body", frames[0]))
        rule = f"{self.operations[header['id']]}-reply"
        value, *more = (self.contract.decode(rule, frame) for frame in frames)
        for part in more:
            value = {key: value[key] + part[key] for key in value}
        return value

    def query(self, operation, body, after=None):
        return self.ask(operation, body, after=after)[0]

    def ask(self, operation, body, key=None, after=None):
        """The body and the header of the reply."""
        number = self.send(operation, body, key, after)
        header, data = self.receive()
        assert header["id"] == number, f"asked {number}, answered {header['id']}"
        return self.result(header, data), header

    def command(self, operation, body, key=None):
        return self.ask(operation, body, key=key or uuid7())

    def put(self, entity, **fields):
        """Makes or changes a record; what is None is left out."""
        record = {"id": uuid7(), "version": 0} | fields
        record = {name: value for name, value in record.items() if value is not None}
        return self.command(f"{entity}.put", {"record": record})[0]


class Subscription:
    """A SUB socket to a service's events."""

    def __init__(self, context, contract, endpoint, service, keys=None):
        self.contract, self.service = contract, service
        self.socket = context.socket(zmq.SUB)
        show(keys, self.socket)
        self.socket.linger = 0
        self.socket.rcvtimeo = 10_000
        # Heartbeats last: when one is heard, the events are subscribed, too.
        self.socket.subscribe(f"{service}/")
        self.socket.subscribe(f"~{service}")
        self.socket.connect(endpoint)

    def receive(self):
        """A heartbeat as (None, heartbeat, []), or a run of events as (entity, header, events)."""
        frames = self.socket.recv_multipart()
        topic = frames[0].decode()
        if topic == f"~{self.service}":
            assert len(frames) == 2
            return None, self.contract.decode("heartbeat", frames[1]), []
        service, entity, rest = topic.split("/")
        assert (service, rest) == (self.service, "") and len(frames) == 3, f"topic {topic}"
        header = self.contract.decode("events-header", frames[1])
        return entity, header, self.contract.decode("events", frames[2])
