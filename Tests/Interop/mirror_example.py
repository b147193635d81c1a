"""A mirror of a live list, by the text of the protocol alone: pyzmq, cbor2, and the digest proven at each step."""

import cbor2
import zmq


def digest(sections):
    value = 0
    for kind, item in ((k, i) for s in sections for k, i in [(b"S", s["key"]), *((b"R", row) for row in s["rows"])]):
        h = 0xCBF29CE484222325
        for byte in kind + cbor2.dumps(item):
            h = (h ^ byte) * 0x100000001B3 % 2**64
        value = (value * 477555723559750805 + h) % (2**61 - 1)
    return value


def apply(batch, sections):
    """Applies a batch in the order of the protocol."""
    moves, updates, changed = batch.get("move", []), batch.get("update", []), batch.get("sections", {})
    for section, item in sorted(batch.get("delete", []) + [move["from"] for move in moves], reverse=True):
        del sections[section]["rows"][item]
    for index in reversed(changed.get("delete", [])):
        assert not sections.pop(index)["rows"]
    for insert in changed.get("insert", []):
        sections.insert(insert["at"], {"key": insert["key"], "rows": []})
    for insert in sorted(batch.get("insert", []) + moves, key=lambda insert: insert["to"]):
        sections[insert["to"][0]]["rows"].insert(insert["to"][1], insert["row"])
    for update in updates:
        sections[update["to"][0]]["rows"][update["to"][1]] = update["row"]


def mirror(context, requests, events, query):
    """Yields the sections: at first, and after each batch, with the batch."""
    with context.socket(zmq.REQ) as ask, context.socket(zmq.SUB) as hear:
        ask.connect(requests)
        hear.connect(events)
        hear.rcvtimeo, topic = 2000, None
        while True:
            ask.send_multipart([cbor2.dumps({"version": 1, "id": 1, "operation": "list.open"}), cbor2.dumps({"query": query})])
            header, first, *more = map(cbor2.loads, ask.recv_multipart())
            assert header["status"] == "ok", first
            sections, number = first["sections"], first["number"]
            for section in (section for part in more for section in part["sections"]):
                if sections[-1]["key"] == section["key"]:
                    sections[-1]["rows"] += section["rows"]
                else:
                    sections.append(section)
            assert digest(sections) == first["digest"]
            if topic is None:  # The state that the subscription is answered with tells whether a batch was missed.
                topic = first["topic"]
                hear.subscribe(topic)
                try:
                    state = cbor2.loads(hear.recv_multipart()[1])
                except zmq.Again:  # No answer in 2 s: open again.
                    hear.unsubscribe(topic)
                    topic = None
                    continue
                if (state["list"], state["number"], state["digest"]) != (first["list"], number, first["digest"]):
                    continue
            yield sections, None
            while True:
                try:
                    batch = cbor2.loads(hear.recv_multipart()[1])
                except zmq.Again:
                    break
                if batch["list"] == first["list"] and batch["number"] <= number:
                    continue  # The snapshot contains it; or it is the state of each second.
                if batch["list"] != first["list"] or batch.get("base") != number or batch.get("reset"):
                    break
                apply(batch, sections)
                assert digest(sections) == batch["digest"], f"batch {batch['number']}"
                number = batch["number"]
                yield sections, batch
            hear.unsubscribe(topic)
            topic = None
