"""A mirror of a live list, by the text of the protocol alone: pyzmq, cbor2, and the digest proven at each step.

python3 mirror_example.py ipc://…/catalog.requests ipc://…/catalog.events customer
"""

import sys

import cbor2
import zmq

from daybook_peer import ask, fnv1a


def digest(sections):
    value = 0
    for section in sections:
        for kind, item in [(b"S", section["key"]), *((b"R", row) for row in section["rows"])]:
            value = (value * 477555723559750805 + fnv1a(kind + cbor2.dumps(item))) % (2**61 - 1)
    return value


def apply(batch, sections):
    moves, changed = batch.get("move", []), batch.get("sections", {})
    for section, item in sorted(batch.get("delete", []) + [move["from"] for move in moves], reverse=True):
        del sections[section]["rows"][item]
    for index in reversed(changed.get("delete", [])):
        del sections[index]
    for new in changed.get("insert", []):
        sections.insert(new["at"], {"key": new["key"], "rows": []})
    for row in sorted(batch.get("insert", []) + moves, key=lambda row: row["to"]):
        sections[row["to"][0]]["rows"].insert(row["to"][1], row["row"])
    for row in batch.get("update", []):
        sections[row["to"][0]]["rows"][row["to"][1]] = row["row"]


def mirror(context, requests, events, query):
    """Yields the sections, and the batch that led to them: None at first and after each new beginning."""
    with context.socket(zmq.SUB) as hear:
        hear.connect(events)
        while True:
            opened = ask(context, requests, "list.open", {"query": query})
            sections, number, is_live = opened["sections"], opened["number"], False
            assert digest(sections) == opened["digest"]
            hear.subscribe(opened["topic"])  # Answered with the list's state, which is told each second, too.
            while hear.poll(2000):
                news = cbor2.loads(hear.recv_multipart()[1])
                follows = news.get("base") == number and "reset" not in news
                if news["list"] != opened["list"] or news["number"] > number and not follows:
                    break  # Something was missed, or can't be told: open it again.
                if follows:
                    apply(news, sections)
                    number = news["number"]
                    assert digest(sections) == news["digest"]
                if follows or not is_live:  # No batch was missed between opening and subscribing.
                    yield sections, news if follows else None
                is_live = True


if __name__ == "__main__":
    for rows, _ in mirror(zmq.Context(), *sys.argv[1:3], {"entity": sys.argv[3]}):
        print([row.get("name") for section in rows for row in section["rows"]], flush=True)
