"""What any peer needs: sockets, a request and its reply, whatever number of frames it has; and the hash of digests."""

import itertools

import cbor2
import zmq


def connect(context, kind, endpoint):
    """A socket that drops what it has not sent when it is closed."""
    socket = context.socket(kind)
    socket.linger = 0
    socket.connect(endpoint)
    return socket


def patience():
    """How long to wait for a reply before asking again, in ms: a lost one is missed soon, and a slow one has its time."""
    return (min(250 * 2**number, 16_000) for number in itertools.count())


def ask(context, endpoint, operation, body):
    """The reply's body. The further frames of a list's reply continue its sections. For queries: it asks until it is
    answered, and what is asked twice is done twice."""
    for limit in patience():
        with connect(context, zmq.REQ, endpoint) as socket:
            socket.send_multipart([cbor2.dumps({"version": 1, "id": 1, "operation": operation}), cbor2.dumps(body)])
            if socket.poll(limit):
                header, reply, *more = map(cbor2.loads, socket.recv_multipart())
                break
    if header["status"] != "ok":
        raise RuntimeError(f"{header['status']}: {reply['message']}")
    for section in (section for part in more for section in part["sections"]):
        if reply["sections"][-1]["key"] == section["key"]:
            reply["sections"][-1]["rows"] += section["rows"]
        else:
            reply["sections"].append(section)
    return reply


def fnv1a(data):
    """FNV-1a in 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def rolling_hash(parts):
    """A number for a sequence of values, each of a kind, which is a letter: what digests of lists are made of."""
    value = 0
    for kind, part in parts:
        value = (value * 477555723559750805 + fnv1a(kind.encode() + cbor2.dumps(part))) % (2**61 - 1)
    return value
