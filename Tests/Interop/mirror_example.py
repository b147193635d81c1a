"""A mirror of a live list, by the text of the protocol alone: pyzmq, cbor2, and the digest proven at each step.

python3 mirror_example.py ipc://…/catalog.requests ipc://…/catalog.events customer
"""

import sys, cbor2, zmq
from daybook_peer import ask, connect, rolling_hash


def digest(sections):
    return rolling_hash(part for one in sections for part in [("S", one["key"]), *(("R", row) for row in one["rows"])])


def apply(batch, sections):
    moves = batch.get("move", []) + batch.get("update", [])  # An update is a move to where the row is.
    for section, row in sorted(batch.get("delete", []) + [move["from"] for move in moves], reverse=True):
        del sections[section]["rows"][row]
    for index in reversed(batch.get("sections", {}).get("delete", [])):
        del sections[index]
    for section in batch.get("sections", {}).get("insert", []):
        sections.insert(section["at"], {"key": section["key"], "rows": []})
    for row in sorted(batch.get("insert", []) + moves, key=lambda row: row["to"]):
        sections[row["to"][0]]["rows"].insert(row["to"][1], row["row"])


def follow(context, requests, events, query):
    """Yields the list's sections, each time that they are proven, with the batch or the state that proves them."""
    hear = connect(context, zmq.SUB, events)
    while mirror := ask(context, requests, "list.open", {"query": query}):
        hear.subscribe(mirror["topic"])  # Answered with the list's state, which is told each second, too.
        while hear.poll(2000) and (news := cbor2.loads(hear.recv_multipart()[1]))["list"] == mirror["list"]:
            if news.get("base") == mirror["number"] and "reset" not in news:
                apply(news, mirror["sections"])
                mirror["number"] = news["number"]
            if news["number"] == mirror["number"]:
                assert digest(mirror["sections"]) == news["digest"]
                yield mirror["sections"], news
            elif news["number"] > mirror["number"]:
                break  # Something was missed, or is too much to tell: open it again.


if __name__ == "__main__":
    for rows, _ in follow(zmq.Context(), *sys.argv[1:3], {"entity": sys.argv[3]}):
        print([row.get("name") for section in rows for row in section["rows"]], flush=True)
