"""What any peer needs: a request and its reply, whatever number of frames it has; and the hash of digests."""

import cbor2
import zmq


def ask(context, endpoint, operation, body):
    """The reply's body. The further frames of a list's reply continue its sections. For queries: it asks until it is
    answered, and what is asked twice is done twice."""
    while True:
        with context.socket(zmq.REQ) as socket:
            socket.linger = 0
            socket.connect(endpoint)
            socket.send_multipart([cbor2.dumps({"version": 1, "id": 1, "operation": operation}), cbor2.dumps(body)])
            if socket.poll(5000):
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
