"""Histories in which a promise is broken: the checker has to find each, or it finds nothing.

A tampering takes the lines of an honest history and breaks one thing in them; its name is that of the promise it breaks.
"""

import copy
import json

import cbor2

import history
from checker import LOGGED, Checker

TAMPERINGS = []


def breaks(promise):
    def keep(function):
        TAMPERINGS.append((promise, function))
        return function

    return keep


class Missing(Exception):
    """The history has nothing of the kind."""


def last(lines, *what, where=lambda line: True):
    for line in reversed(lines):
        if line["f"] in what and where(line):
            return line
    raise Missing(" or ".join(what))


def decoded(line, name):
    return cbor2.loads(bytes.fromhex(line[name]))


def put(line, name, value):
    line[name] = cbor2.dumps(value).hex()


def log_of(lines, service="orders"):
    """The line of a log, and its entries."""
    line = last(lines, "log", where=lambda line: line["service"] == service)
    return line, [cbor2.loads(bytes.fromhex(row)) for row in line["rows"]]


def keep(line, entries):
    line["rows"] = [cbor2.dumps(entry).hex() for entry in entries]


def asked(lines, answer):
    return last(lines, "ask", where=lambda line: (line["p"], line["n"]) == (answer["p"], answer["n"]))


def answer_to(lines, operation, where=lambda line: True):
    """The last answer to such a request."""
    asks = {(line["p"], line["n"]): line for line in lines if line["f"] == "ask" and line["operation"] == operation}
    return last(lines, "ok", where=lambda line: (line["p"], line["n"]) in asks and where(line))


def acknowledged(lines, entries):
    """The last entry of an order that somebody put and was told of: not each event has a command, nor each command an answer."""
    answered = {(line["p"], line["n"]) for line in lines if line["f"] == "ok"}
    keys = {
        line["key"]
        for line in lines
        if line["f"] == "ask" and line["operation"] == "order.put" and (line["p"], line["n"]) in answered
    }
    for entry in reversed(entries):
        if entry.get("key", b"").hex() in keys and entry["event"].get("data"):
            return entry
    raise Missing("order that was acknowledged")


@breaks("kept")
def an_acknowledged_command_is_not_in_the_log(lines):
    line, entries = log_of(lines)
    transaction = acknowledged(lines, entries)["event"]["transaction"]
    keep(line, [entry for entry in entries if entry["event"]["transaction"] != transaction])


@breaks("kept")
def an_acknowledged_order_has_another_sum_in_the_log(lines):
    line, entries = log_of(lines)
    acknowledged(lines, entries)["event"]["data"]["total"] += 1
    keep(line, entries)


@breaks("once")
def a_command_has_its_effect_twice(lines):
    line, entries = log_of(lines)
    again = copy.deepcopy(entries[-1])
    for name in "sequence", "transaction", "version":
        again["event"][name] += 1
    keep(line, [*entries, again])


@breaks("once")
def an_event_follows_from_nothing(lines):
    line, entries = log_of(lines)
    del entries[-1]["key"]
    keep(line, entries)


@breaks("once")
def a_key_is_taken_for_another_content(lines):
    answer = answer_to(lines, "order.put")
    ask = copy.deepcopy(asked(lines, answer))
    again = copy.deepcopy(answer)
    body = decoded(ask, "body")
    body["record"]["note"] = "other"
    put(ask, "body", body)
    ask["n"] = again["n"] = 10**9
    lines += [ask, again]


@breaks("once")
def a_repeated_command_is_answered_otherwise(lines):
    answer = answer_to(lines, "order.put")
    ask, again = copy.deepcopy(asked(lines, answer)), copy.deepcopy(answer)
    reply = decoded(again, "body")
    reply["number"] += 1
    put(again, "body", reply)
    ask["n"] = again["n"] = 10**9
    lines += [ask, again]


@breaks("refused")
def what_was_refused_is_in_the_log(lines):
    _, entries = log_of(lines)
    keys = {entry["key"].hex() for entry in entries if "key" in entry}
    ask = last(lines, "ask", where=lambda line: line.get("key") in keys)
    for line in lines:
        if line["f"] == "ok":
            if (asks := [a for a in lines if a["f"] == "ask" and (a["p"], a["n"]) == (line["p"], line["n"])]) and asks[0].get("key") == ask["key"]:
                line.update(f="refused", status="invalid", message="no")


@breaks("refused")
def an_event_is_told_that_is_in_no_log(lines):
    line = last(lines, "events", "transaction")
    service = line["service"]
    log, entries = log_of(lines, service)
    gone = entries[-1]["event"]["transaction"]
    keep(log, [entry for entry in entries if entry["event"]["transaction"] != gone])


@breaks("one value")
def a_number_has_another_value_for_one_subscriber(lines):
    line = last(lines, "events", "transaction")
    event = cbor2.loads(bytes.fromhex(line["events"][-1]))
    event["time"] += 1
    line["events"][-1] = cbor2.dumps(event).hex()


@breaks("one value")
def a_subscriber_has_another_chain(lines):
    last(lines, "events", "transaction", where=lambda line: "chain" in line)["chain"] ^= 1


@breaks("order")
def a_subscriber_misses_an_event(lines):
    lines.remove(last(lines[: len(lines) * 3 // 4], "transaction"))


@breaks("order")
def a_subscriber_is_told_twice(lines):
    line = last(lines, "transaction")
    lines.insert(lines.index(line), copy.deepcopy(line))


@breaks("order")
def a_subscriber_is_told_in_another_order(lines):
    line = last(lines, "transaction", where=lambda line: line["events"])
    other = last(lines[: lines.index(line)], "transaction", where=lambda one: one["p"] == line["p"])
    for name in "events", "sequence", "chain":
        line[name], other[name] = other[name], line[name]


@breaks("order")
def a_subscriber_is_told_half_a_command(lines):
    last(lines, "transaction", where=lambda line: line["events"])["continues"] = True


@breaks("order")
def a_subscriber_never_hears_the_last_event(lines):
    lines.remove(last(lines, "transaction", where=lambda line: line["events"]))


@breaks("log")
def the_log_has_a_hole(lines):
    line, entries = log_of(lines)
    keep(line, entries[:3] + entries[4:])


@breaks("log")
def a_version_is_left_out(lines):
    line, entries = log_of(lines)
    entries[-1]["event"]["version"] += 1
    keep(line, entries)


@breaks("log")
def bytes_of_an_event_were_changed(lines):
    line, entries = log_of(lines)
    entries[0]["event"]["time"] += 1
    keep(line, entries)


@breaks("edits")
def an_edit_takes_away_what_another_added(lines):
    line, entries = log_of(lines)
    honest = Checker(lines)
    for entry in reversed(entries):
        asks = honest.keys.get(("orders", entry.get("key")), ())
        rows = entry["event"].get("data", {}).get("rows", [])
        if entry["event"]["type"] == "order.updated" and rows and asks and asks[0].operation == "order.put":
            entry["event"]["data"]["rows"] = rows[:-1]
            return keep(line, entries)
    raise Missing("edits of orders")


@breaks("lists")
def a_batch_has_another_row(lines):
    line = last(lines, "batch", where=lambda line: "insert" in decoded(line, "batch"))
    batch = decoded(line, "batch")
    batch["insert"][0]["row"]["version"] = 77
    put(line, "batch", batch)


@breaks("lists")
def a_batch_is_missing(lines):
    line = last(lines, "batch")
    lines.remove(last(lines[: lines.index(line)], "batch", where=lambda one: one["p"] == line["p"]))


@breaks("lists")
def a_batch_is_of_another_position(lines):
    line = last(lines, "batch", where=lambda line: "orders" in line["p"])
    batch = decoded(line, "batch")
    batch["positions"]["orders"][1] -= 1
    put(line, "batch", batch)


@breaks("lists")
def a_mirror_ends_otherwise_than_a_fresh_list(lines):
    answer = answer_to(lines, "list.open", lambda line: decoded(line, "body")["sections"])
    reply = decoded(answer, "body")
    reply["sections"][0]["rows"].pop()
    put(answer, "body", reply)


@breaks("resync")
def a_subscriber_is_sent_back_without_a_reason(lines):
    send_back(lines, "")


@breaks("resync")
def a_subscriber_is_sent_back_though_nothing_happened(lines):
    send_back(lines, "diverged")


def send_back(lines, reason):
    line = last(lines, "transaction", "events")
    members = {name: line[name] for name in ("t", "p", "service", "epoch", "sequence")}
    lines.insert(lines.index(line) + 1, members | {"f": "resync", "reason": reason})


@breaks("resync")
def a_list_is_opened_anew_without_a_reason(lines):
    line = last(lines, "snapshot")
    lines.insert(lines.index(line), {"t": line["t"], "p": line["p"], "f": "list-resync", "reason": ""})


@breaks("resync")
def a_list_begins_anew_without_a_word(lines):
    line = last(lines, "snapshot")
    lines.insert(lines.index(line), copy.deepcopy(line))


@breaks("reads")
def a_report_is_wrong_by_a_cent(lines):
    answer = answer_to(lines, "report.totals", lambda line: decoded(line, "body")["groups"])
    reply = decoded(answer, "body")
    reply["groups"][-1]["total"]["amount"] += 1
    put(answer, "body", reply)


@breaks("reads")
def a_total_is_wrong_by_a_cent(lines):
    answer = answer_to(lines, "report.unpaid", lambda line: decoded(line, "body")["totals"])
    reply = decoded(answer, "body")
    reply["totals"][0]["amount"] -= 1
    put(answer, "body", reply)


@breaks("reads")
def a_balance_is_wrong_by_a_cent(lines):
    answer = answer_to(lines, "report.statement", lambda line: decoded(line, "body")["balances"])
    reply = decoded(answer, "body")
    reply["balances"][0]["closing"]["amount"] += 1
    put(answer, "body", reply)


@breaks("reads")
def a_list_leaves_a_record_out(lines):
    answer = answer_to(lines, "order.list", lambda line: "next" not in decoded(line, "body") and decoded(line, "body")["rows"])
    reply = decoded(answer, "body")
    reply["rows"].pop()
    put(answer, "body", reply)


@breaks("own writes")
def a_read_does_not_see_what_it_asked_for(lines):
    asks = {(line["p"], line["n"]): line for line in lines if line["f"] == "ask" and line.get("after") and "key" not in line}
    answer = last(
        lines, "ok", where=lambda line: (line["p"], line["n"]) in asks and "orders" in asks[line["p"], line["n"]]["after"]
        and "orders" in line["positions"]
    )
    answer["positions"]["orders"][1] = asks[answer["p"], answer["n"]]["after"]["orders"][1] - 1


@breaks("own writes")
def a_read_is_older_than_an_acknowledged_write(lines):
    answer = answer_to(lines, "order.list")
    answer["positions"]["orders"][1] = 0


@breaks("end")
def a_record_is_missing_at_the_end(lines):
    last(lines, "records", where=lambda line: line["entity"] == "order")["rows"].pop()


@breaks("end")
def a_service_finds_a_difference(lines):
    last(lines, "verified")["differences"] = 1


@breaks("end")
def a_projection_is_another_when_made_anew(lines):
    last(lines, "rebuilt")["after"][0] ^= 1


@breaks("end")
def a_number_was_given_to_nobody(lines):
    last(lines, "numbers", where=lambda line: len(line["numbers"]) > 1)["numbers"].pop(1)


@breaks("keys")
def who_lost_the_key_goes_on(lines):
    lines.insert(0, {"t": lines[0]["t"], "p": "nemesis", "f": "fault", "kind": "key revoked", "person": "swift", "wall": 0})


@breaks("internal")
def a_service_failed_inside(lines):
    answer_to(lines, "order.put").update(f="unknown", status="internal", message="it broke")


@breaks("history")
def nothing_was_done(lines):
    lines[:] = [line for line in lines if line["f"] not in ("ask", "ok", "refused", "unknown")]


def find_all(lines):
    """Tries each: gives (name, what is wrong with the checker) of each, None where it found what it should."""
    text = json.dumps(lines)
    for promise, tampering in TAMPERINGS:
        name = tampering.__name__.replace("_", " ")
        broken = json.loads(text)
        try:
            tampering(broken)
        except Missing as missing:
            yield name, f"the history has no {missing} to tamper with"
            continue
        found = {what for what, _ in Checker(broken).check()}
        yield name, None if promise in found else f"not found; the checker tells of {', '.join(sorted(found)) or 'nothing'}"


def main():
    import pathlib
    import sys

    lines = history.read(sorted(pathlib.Path(sys.argv[1]).glob("*.jsonl")))
    bad = [(name, problem) for name, problem in find_all(lines) if problem]
    for name, problem in bad:
        print(f"✘ {name}: {problem}")
    print(f"{len(TAMPERINGS) - len(bad)} of {len(TAMPERINGS)} found")


if __name__ == "__main__":
    main()
