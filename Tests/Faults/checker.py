"""Looks through a history for broken promises. Shares no code with the services: it works by PROTOCOL.md alone.

python3 checker.py FOLDER        # prints what is wrong, and how much was looked at
"""

import collections
import pathlib
import random
import sys

import cbor2

import history
import mirror
from model import Books, Log, Unsure

LOGGED = ("catalog", "orders", "walks")
# How many rows of live lists are compared for each mirror; digests are proven at every batch.
MOST_ROWS = 200_000


class Checker:
    """A history, what it says of each key and log, and what is wrong with it."""

    def __init__(self, lines):
        self.lines = lines
        self.problems = []
        self.counts = collections.Counter()
        self.asks, self.keys = {}, {}
        self.faults = collections.Counter()
        self.logs, self.entries = {}, {service: [] for service in LOGGED}
        self.epochs, self.chains = {}, {}
        self.values = {}  # (service, epoch, sequence): (bytes, who told it first)
        self.put_back = collections.defaultdict(list)
        self.revoked = {}  # who: the line that says when
        self.read()
        self.books = Books(self.logs, bool(self.put_back))

    def wrong(self, promise, text):
        self.problems.append((promise, text))

    def read(self):
        for line in self.lines:
            what = line["f"]
            if what == "ask":
                ask = history.Ask(line)
                self.asks[line["p"], line["n"]] = ask
                if ask.key:
                    self.keys.setdefault((ask.service, ask.key), []).append(ask)
            elif what in ("ok", "refused", "unknown"):
                self.asks[line["p"], line["n"]].end(line)
            elif what == "fault":
                self.faults[line["kind"]] += 1
                if line["kind"] == "store put back":
                    self.put_back[line["service"]].append(line)
                elif line["kind"] == "key revoked":
                    self.revoked[line["person"]] = line
            elif what == "log":
                for row in line["rows"]:
                    entry = cbor2.loads(bytes.fromhex(row))
                    entry["bytes"] = cbor2.dumps(entry["event"])
                    self.entries[line["service"]].append(entry)
                self.epochs[line["service"]] = bytes.fromhex(line["epoch"])
        for service in LOGGED:
            entries = self.entries[service]
            self.logs[service] = Log([entry["event"] for entry in entries])
            self.chains[service] = {entry["event"]["sequence"]: entry["chain"] for entry in entries}

    def check(self):
        """All properties; gives what is wrong as (promise, text)."""
        for promise in PROMISES:
            promise(self)
        return self.problems

    def is_lost_with_the_store(self, service, position, answered):
        """Whether a person's copy of an older store took this away: it had been answered before, and is above the copy."""
        return any(
            position[1] > fault["sequence"] and answered < fault["t"] for fault in self.put_back.get(service, ())
        )


PROMISES = []


def promise(function):
    PROMISES.append(function)
    return function


def short(value):
    text = str({name: item.hex() if isinstance(item, bytes) else item for name, item in value.items()}
               if isinstance(value, dict) else value)
    return text if len(text) < 400 else text[:400] + " …"


# ---- The log


@promise
def a_log_has_no_hole_and_each_record_one_next_version(checker):
    for service in LOGGED:
        previous, versions, transaction, is_last = {}, {}, 0, True
        for index, entry in enumerate(checker.entries[service]):
            event, where = entry["event"], f"{service} {entry['event']['sequence']}"
            checker.counts["events in the logs"] += 1
            if event["sequence"] != index + 1:
                checker.wrong("log", f"{where} stands at place {index + 1}")
                return
            entity = event["type"].split(".")[0]
            if event["previous"] != previous.get(entity, 0):
                checker.wrong("log", f"{where} tells {event['previous']} as the one before of {entity}, not {previous.get(entity, 0)}")
            previous[entity] = event["sequence"]
            if event["transaction"] != transaction + is_last:
                checker.wrong("log", f"{where} is of transaction {event['transaction']} behind {transaction}")
            transaction, is_last = event["transaction"], event.get("last", False)
            before = versions.get((entity, event["subject"]), 0)
            if event["version"] != before + 1:
                checker.wrong("log", f"{where}: version {event['version']} of {event['subject'].hex()} follows {before}")
            versions[entity, event["subject"]] = event["version"]
            if entry["digest"] != mirror.fnv1a(entry["bytes"]):
                checker.wrong("log", f"{where} has another digest than its bytes")
        times = [entry["event"]["time"] for entry in checker.entries[service]]
        checker.counts["events of a clock that was put back"] += sum(b < a for a, b in zip(times, times[1:]))
        if not is_last:
            checker.wrong("log", f"{service}'s log ends within a transaction")


@promise
def each_effect_was_asked_for_and_is_there_once(checker):
    for service in LOGGED:
        transactions = collections.defaultdict(set)
        for entry in checker.entries[service]:
            event, key = entry["event"], entry.get("key")
            where = f"{service} {event['sequence']} ({event['type']})"
            if key is None:
                if "cause" not in event:
                    checker.wrong("once", f"{where} follows from no command and no event")
                continue
            transactions[key].add(event["transaction"])
            asks = checker.keys.get((service, key))
            if not asks:
                checker.wrong("once", f"{where} has the key {key.hex()}, which nobody sent")
            elif all(ask.ending == "refused" for ask in asks):
                checker.wrong("refused", f"{where} is the effect of {asks[0]}, which was refused: {asks[0].message}")
        for key, numbers in transactions.items():
            if len(numbers) > 1:
                checker.wrong("once", f"{service}: the key {key.hex()} had its effect {len(numbers)} times, in {sorted(numbers)}")
        for entry in checker.entries[service]:
            data = entry["event"].get("data", {})
            doubled = [row["id"] for part in ("rows", "payments") for row in data.get(part, ())]
            if len(doubled) != len(set(doubled)):
                checker.wrong("once", f"{service} {entry['event']['sequence']} has a part twice")


@promise
def what_was_acknowledged_is_in_the_log(checker):
    by_key = collections.defaultdict(list)
    for service in LOGGED:
        for entry in checker.entries[service]:
            if entry.get("key"):
                by_key[service, entry["key"]].append(entry["event"])
    for (service, key), asks in checker.keys.items():
        for ask in asks:
            if ask.ending != "ok":
                continue
            checker.counts["commands acknowledged"] += 1
            position = ask.positions.get(service)
            if position is None:
                checker.wrong("kept", f"{ask} was answered without a position")
                continue
            if checker.is_lost_with_the_store(service, position, ask.answered):
                checker.counts["commands that a person took away with an older store"] += 1
                continue
            effect = by_key.get((service, key), [])
            if not effect:
                missing = effect_missing(checker, ask, position)
                if missing:
                    checker.wrong("kept", f"{ask} was acknowledged at {position[1]}, and {missing}")
                continue
            if position[0] == checker.epochs[service] and effect[-1]["sequence"] != position[1]:
                checker.wrong("kept", f"{ask} was told {position[1]} as its last event, which is {effect[-1]['sequence']}")
            if ask.operation.endswith((".put", ".pay")) and not any(
                event.get("data") == ask.reply for event in effect
            ):
                checker.wrong("kept", f"{ask} was answered with what no event of it holds: {short(ask.reply)}")
            if ask.operation == "import.commit":
                counts = sum(count["created"] + count["updated"] for count in ask.reply["counts"].values())
                if counts != len(effect):
                    checker.wrong("kept", f"{ask} told of {counts} records and has {len(effect)} events")


def effect_missing(checker, ask, position):
    """Why a command without an event should have had one; None where nothing was to be done."""
    if ask.operation in ("import.stage", "order.set", "projection.rebuild", "references.repair"):
        return None
    if ask.operation.endswith(".put") and ask.body["record"]["version"] > 0:
        entity = ask.operation.split(".")[0]
        # Equal values are no change; names of others' records are those of now.
        there = checker.logs[ask.service].at(entity, ask.reply["id"], position[1])
        if there and there["version"] == ask.reply["version"]:
            return None
        return f"answered with version {ask.reply['version']}, which is not there"
    if ask.operation == "import.commit" and not any(
        count["created"] + count["updated"] for count in ask.reply["counts"].values()
    ):
        return None
    return "there is no event of it"


@promise
def an_edit_keeps_what_others_changed(checker):
    """A put's result has what it changed against its base, and all else as the version before the result has it."""
    for service in LOGGED:
        log = checker.logs[service]
        for entry in checker.entries[service]:
            event = entry["event"]
            asks = checker.keys.get((service, entry.get("key")), ())
            puts = [ask for ask in asks if ask.operation.endswith(".put") and ask.body["record"]["version"] > 0]
            if len({ask.body_bytes for ask in puts}) != 1 or not event["type"].endswith(".updated"):
                continue
            wish, entity = puts[0].body["record"], event["type"].split(".")[0]
            numbers, values = log.records[entity, event["subject"]]
            index = numbers.index(event["sequence"])
            base = next((v for v in values[:index] if v and v["version"] == wish["version"]), None)
            before = values[index - 1]
            if base is None or before is None:
                checker.wrong("edits", f"{puts[0]} is an update of version {wish['version']}, which is not there")
                continue
            checker.counts["edits compared with their base"] += 1
            plain = {"customer": ("name", "info", "phone"), "service": ("name", "info"), "order": ("note", "date", "customer"),
                     "walk": ("note", "start"), "dog": ("name", "owner")}[entity]
            for field in plain:
                expected = wish.get(field) if wish.get(field) != base.get(field) else before.get(field)
                if event["data"].get(field) != expected:
                    checker.wrong("edits", f"{puts[0]}: {field} became {event['data'].get(field)}, not {expected}")
            for part in ("rows", "payments"):
                old, mine, theirs, result = (
                    {row["id"]: essence(row) for row in record.get(part, ())} for record in (base, wish, before, event["data"])
                )
                expected = {
                    identifier: mine.get(identifier) if mine.get(identifier) != old.get(identifier) else theirs.get(identifier)
                    for identifier in {*old, *mine, *theirs}
                }
                expected = {identifier: row for identifier, row in expected.items() if row is not None}
                if expected != result:
                    checker.wrong("edits", f"{puts[0]} at {service} {event['sequence']}: {part} became {short(result)}, not {short(expected)}")


def essence(row):
    """A row without what follows from others' records."""
    return {name: value for name, value in row.items() if name != "serviceName"}


@promise
def a_repeated_key_has_one_answer_and_one_content(checker):
    for asks in checker.keys.values():
        done = [ask for ask in asks if ask.ending == "ok"]
        for first, ask in zip(done, done[1:]):
            checker.counts["commands repeated after their answer"] += 1
            # A store that was put back from before knows nothing of the first: the key is free again.
            if checker.is_lost_with_the_store(first.service, first.positions[first.service], first.answered):
                continue
            if ask.body_bytes != first.body_bytes:
                checker.wrong("once", f"{ask} was done with the key of {first}, which has another content")
            elif ask.reply_bytes != first.reply_bytes:
                checker.wrong("once", f"{ask} was answered otherwise than {first}")
            elif not ask.replayed and ask.asked > first.answered:
                checker.wrong("once", f"{ask} was done anew after {first}")


@promise
def nothing_failed_inside(checker):
    for ask in checker.asks.values():
        checker.counts[f"requests {ask.ending or 'without an end'}"] += 1
        if ask.status == "internal" and not any(kind.startswith("disk") for kind in checker.faults):
            checker.wrong("internal", f"{ask} met a fault of the service: {ask.message}")


# ---- Whoever follows events


@promise
def each_number_has_one_value(checker):
    values = {}

    def see(service, epoch, sequence, data, who):
        known = values.setdefault((service, epoch, sequence), (data, who))
        if known[0] != data:
            checker.wrong("one value", f"{service} {sequence} of epoch {epoch[:8]} is one event to {known[1]} and another to {who}")

    for service in LOGGED:
        for entry in checker.entries[service]:
            see(service, checker.epochs[service].hex(), entry["event"]["sequence"], entry["bytes"], "the log")
    for line in checker.lines:
        if line["f"] in ("transaction", "events"):
            for text in line["events"]:
                data = bytes.fromhex(text)
                see(line["service"], line["epoch"], cbor2.loads(data)["sequence"], data, line["p"])
    checker.values = values


@promise
def a_subscriber_misses_nothing(checker):
    """In order, without a hole, whole transactions, to the end; the only leap is a resync, which has a reason."""
    places = {}
    for line in checker.lines:
        who = line["p"]
        if line["f"] == "follow":
            places[who] = {"service": line["service"], "sequence": 0, "epoch": None, "open": False}
        elif line["f"] in ("transaction", "events"):
            place = places[who]
            events = [cbor2.loads(bytes.fromhex(text)) for text in line["events"]]
            checker.counts["events applied by subscribers"] += len(events)
            if place["epoch"] not in (None, line["epoch"]):
                checker.wrong("order", f"{who} was told of another epoch without a resync")
            place["epoch"] = line["epoch"]
            for event in events:
                if event["sequence"] != place["sequence"] + 1:
                    checker.wrong("order", f"{who} was told {event['sequence']} behind {place['sequence']}")
                place["sequence"] = event["sequence"]
            if line["f"] == "transaction" and events and (len({event["transaction"] for event in events}) != 1 or bool(events[-1].get("last")) == line.get("continues", False)):
                checker.wrong("order", f"{who} was told a part of a transaction at {line['sequence']}")
            if line["sequence"] != place["sequence"]:
                checker.wrong("order", f"{who} is at {line['sequence']} behind event {place['sequence']}")
            chain = checker.chains[place["service"]].get(line["sequence"])
            if line["epoch"] == checker.epochs[place["service"]].hex() and line.get("chain", chain) != chain:
                checker.wrong("one value", f"{who} has another chain at {line['sequence']} than the log")
        elif line["f"] == "resync":
            place = places[who]
            checker.counts[f"resyncs of subscribers: {line['reason'] or 'without a reason'}"] += 1
            if line["reason"] not in ("epoch", "diverged", "future", "compacted"):
                checker.wrong("resync", f"{who} was sent back without a reason")
            elif not checker.put_back.get(place["service"]):
                checker.wrong("resync", f"{who} was sent back ({line['reason']}), though nobody put a store back")
            place.update(sequence=line["sequence"], epoch=line["epoch"])
    for who, place in places.items():
        if who.split("/")[0] in checker.revoked:
            continue
        head = len(checker.entries[place["service"]])
        if (place["sequence"], place["epoch"]) != (head, checker.epochs[place["service"]].hex()) and head:
            checker.wrong("order", f"{who} ended at {place['sequence']} of {place['service']}, whose log goes to {head}")


@promise
def nothing_is_told_of_what_was_refused(checker):
    keys = {}
    for service in LOGGED:
        for entry in checker.entries[service]:
            keys[service, entry["event"]["sequence"]] = entry["bytes"]
    for (service, epoch, sequence), (data, who) in checker.values.items():
        if epoch == checker.epochs[service].hex() and keys.get((service, sequence)) != data:
            checker.wrong("refused", f"{who} was told {service} {sequence}, which is not in the log")


@promise
def whose_key_was_revoked_does_and_hears_nothing_more(checker):
    for who, revoked in checker.revoked.items():
        before = 0
        for ask in checker.asks.values():
            if ask.process.split("/")[0] == who and ask.ending == "ok":
                before += 1
                if ask.asked > revoked["t"]:
                    checker.wrong("keys", f"{ask} was asked for and done after the key was revoked")
        if not before:
            checker.wrong("history", f"{who} did nothing before the key was revoked")
        for line in checker.lines:
            if line["f"] in ("transaction", "events") and line["p"].split("/")[0] == who:
                for text in line["events"]:
                    event = cbor2.loads(bytes.fromhex(text))
                    if event["time"] > revoked["wall"]:
                        checker.wrong("keys", f"{line['p']} was told {event['sequence']}, which came after the key was revoked")


# ---- Live lists


@promise
def a_live_list_is_the_list(checker):
    """After each batch its digest is right and it is what the logs say at its position; at the end it is a fresh list."""
    mirrors, last = {}, {}
    for line in checker.lines:
        who = line["p"]
        if line["f"] == "watch":
            mirrors[who] = Shown(checker, who, line["service"], cbor2.loads(bytes.fromhex(line["query"])))
        elif line["f"] == "snapshot":
            mirrors[who].snapshot(cbor2.loads(bytes.fromhex(line["reply"])))
        elif line["f"] == "batch":
            mirrors[who].batch(cbor2.loads(bytes.fromhex(line["batch"])))
        elif line["f"] == "list-resync":
            checker.counts["live lists opened anew"] += 1
            if not line["reason"]:
                checker.wrong("resync", f"{who} was sent back without a reason")
            mirrors[who].is_resynced = True
    for ask in checker.asks.values():
        if ask.operation == "list.open" and ask.ending == "ok":
            last[ask.service, cbor2.dumps(ask.body["query"])] = ask
    for shown in mirrors.values():
        shown.compare(is_end=True)
        if shown.who.split("/")[0] in checker.revoked:
            continue
        fresh = last.get((shown.service, cbor2.dumps(shown.query)))
        if fresh is None:
            checker.wrong("lists", f"{shown.who} was not compared with a fresh list")
        elif shown.sections != fresh.reply["sections"]:
            checker.wrong("lists", f"{shown.who} ended otherwise than a fresh list at {fresh.reply['positions']}")


class Shown:
    """A mirror as its recorder had it, kept by what the contract says of batches."""

    def __init__(self, checker, who, service, query):
        self.checker, self.who, self.service, self.query = checker, who, service, query
        self.list, self.number, self.sections, self.positions = None, None, [], {}
        self.hashes, self.rows, self.is_resynced = {}, 0, False
        self.random = random.Random(who)

    def snapshot(self, reply):
        if self.list is not None and not self.is_resynced:
            self.checker.wrong("resync", f"{self.who} was given a snapshot without a word why")
        self.is_resynced = False
        self.list, self.number = reply["list"], reply["number"]
        self.sections = reply["sections"]
        self.prove(reply, "snapshot")

    def batch(self, batch):
        self.checker.counts["batches applied by mirrors"] += 1
        if batch["list"] != self.list or batch["base"] != self.number or batch["number"] != self.number + 1:
            self.checker.wrong("lists", f"{self.who} applied batch {batch['number']} behind {self.number}")
        try:
            mirror.apply(batch, self.sections)
        except (IndexError, ValueError) as error:
            self.checker.wrong("lists", f"{self.who} can't apply batch {batch['number']}: {error}")
        self.number = batch["number"]
        self.prove(batch, "batch")

    def prove(self, message, what):
        self.positions = message["positions"]
        if mirror.digest(self.sections, self.hashes) != message["digest"]:
            self.checker.wrong("lists", f"{self.who}: the digest of {what} {self.number} is not that of its rows")
        self.compare()

    def compare(self, is_end=False):
        """Compares with the logs; not all of a large list's states, but some by chance, and the last."""
        count = sum(len(section["rows"]) for section in self.sections) + 1
        if not is_end and self.rows > MOST_ROWS * self.random.random():
            return
        at = {service: place[1] for service, place in self.positions.items()}
        logs = [service for service in self.positions if service in LOGGED]
        if any(self.positions[service][0] != self.checker.epochs[service] for service in logs):
            return  # A log that is no more.
        if any(self.checker.is_lost_with_the_store(s, self.positions[s], 0) for s in logs):
            return
        try:
            expected, is_ordered = self.checker.books.rows(self.service, self.query, at)
        except Unsure:
            return
        self.rows += count
        self.checker.counts["states of live lists compared with the logs"] += 1
        shown = [(section["key"], section["rows"]) for section in self.sections]
        if not is_ordered:
            shown, expected = ([(key, sorted(rows, key=row_id)) for key, rows in side] for side in (shown, expected))
        if shown != [(key, list(rows)) for key, rows in expected]:
            self.checker.wrong("lists", f"{self.who} at {at} shows what the logs don't say: {difference(shown, expected)}")


def row_id(row):
    return row["id"]


def difference(shown, expected):
    """A short text that says where two lists differ."""
    left = {cbor2.dumps(row): row for _, rows in shown for row in rows}
    right = {cbor2.dumps(row): row for _, rows in expected for row in rows}
    only = [f"shown {short(left[key])}" for key in left if key not in right][:2]
    only += [f"expected {short(right[key])}" for key in right if key not in left][:2]
    return "; ".join(only) or "the order differs"


# ---- Whoever reads


@promise
def a_read_sees_what_came_before_it(checker):
    """The own writes wherever their positions are given, and in their own service without being asked."""
    done = {service: [] for service in LOGGED}  # (answered, sequence, ask), times rising
    for ask in sorted((a for a in checker.asks.values() if a.ending == "ok" and a.key), key=lambda a: a.answered):
        place = ask.positions.get(ask.service)
        if place and ask.service in done and place[0] == checker.epochs[ask.service]:
            done[ask.service].append((ask.answered, place[1], ask))
    for service, answers in done.items():
        highest = 0
        for index, (time, sequence, ask) in enumerate(answers):
            highest = max(highest, sequence)
            answers[index] = (time, highest, ask)
    times = {service: [answer[0] for answer in answers] for service, answers in done.items()}
    for ask in checker.asks.values():
        if ask.ending != "ok":
            continue
        for service, (epoch, sequence) in ask.after.items():
            place = ask.positions.get(service)
            if place is None or ask.key:
                continue
            checker.counts["reads behind a position"] += 1
            if place[0] == epoch and place[1] < sequence:
                checker.wrong("own writes", f"{ask} asked for {service} {sequence} and was shown {place[1]}")
        if ask.key is None and ask.service in done and ask.service in ask.positions:
            index = history.before(times[ask.service], ask.asked)
            if index and not checker.put_back.get(ask.service):
                sequence = done[ask.service][index - 1][1]
                if ask.positions[ask.service][1] < sequence:
                    checker.wrong("own writes", f"{ask} was shown {ask.service} as of {ask.positions[ask.service][1]} though {sequence} had been acknowledged")


@promise
def a_read_shows_what_the_logs_say_at_its_position(checker):
    asks = [ask for ask in checker.asks.values() if ask.ending == "ok" and ask.key is None]
    for ask in sorted(asks, key=lambda ask: ask.asked):
        logs = [service for service in ask.positions if service in LOGGED]
        if any(ask.positions[service][0] != checker.epochs[service] for service in logs):
            continue
        if any(checker.is_lost_with_the_store(s, ask.positions[s], ask.answered) for s in logs):
            continue
        at = {service: place[1] for service, place in ask.positions.items()}
        try:
            problem = compare_read(checker, ask, at)
        except Unsure:
            continue
        if problem:
            checker.wrong("reads", f"{ask} at {at}: {problem}")


def compare_read(checker, ask, at):
    """What a reply tells otherwise than the logs; None where nothing."""
    books, kind = checker.books, ask.operation.split(".")[-1]
    if ask.operation.startswith("report."):
        return compare_report(checker, ask, at)
    entity = ask.operation.split(".")[0]
    if kind == "get" and entity in ("customer", "service", "order", "walk", "dog"):
        checker.counts["records read and compared"] += 1
        there = books.record(ask.service, entity, checker.logs[ask.service].at(entity, ask.body["id"], at[ask.service]), at)
        return None if there == ask.reply else f"{short(ask.reply)}, not {short(there)}"
    if kind == "list" and "next" not in ask.reply and "after" not in ask.body:
        sections, is_ordered = books.rows(ask.service, ask.body | {"entity": entity}, at)
        shown, expected = ask.reply["rows"], [row for _, rows in sections for row in rows]
        if not is_ordered:
            shown, expected = sorted(shown, key=row_id), sorted(expected, key=row_id)
        checker.counts["lists read and compared"] += 1
        return None if shown == expected else difference([(None, shown)], [(None, expected)])
    raise Unsure(ask.operation)


def compare_report(checker, ask, at):
    books, reply = checker.books, ask.reply
    if "asOf" in ask.body:
        raise Unsure("the past")
    if ask.operation == "report.unpaid":
        expected = sorted(books.unpaid(ask.body, at), key=row_id)
        shown = sorted(reply["orders"], key=row_id)
        checker.counts["reports compared to the cent"] += 1
        if shown != expected:
            return difference([(None, shown)], [(None, expected)])
        return compare_sums(reply["totals"], [row["open"] for row in expected])
    if ask.operation == "report.totals":
        groups, whole, count = books.totals(ask.body, at)
        checker.counts["reports compared to the cent"] += 1
        shown = {}
        for group in reply["groups"]:
            name = group["label"] if ask.body["by"] == "month" else group.get("id")
            shown[name, group["total"]["currency"]] = (group["orders"], group["total"]["amount"])
        if shown != groups:
            return f"the groups {sorted(shown.items(), key=str)}, not {sorted(groups.items(), key=str)}"
        if {money["currency"]: money["amount"] for money in reply["totals"]} != whole or reply["orders"] != count:
            return f"{reply['totals']} of {reply['orders']} orders, not {whole} of {count}"
        return None
    if ask.operation == "report.statement":
        entries, balance = books.statement(ask.body, at)
        checker.counts["reports compared to the cent"] += 1
        shown = [(entry["date"], entry["kind"], entry["order"], entry["amount"]["amount"]) for entry in reply["entries"]]
        if sorted(shown) != sorted(entries):
            return f"the entries {sorted(shown)}, not {sorted(entries)}"
        closing = sum(line["closing"]["amount"] for line in reply["balances"])
        return None if closing == balance else f"a balance of {closing}, not {balance}"
    raise Unsure(ask.operation)


def compare_sums(shown, parts):
    sums = {}
    for money in parts:
        sums[money["currency"]] = sums.get(money["currency"], 0) + money["amount"]
    told = {money["currency"]: money["amount"] for money in shown}
    return None if told == sums else f"the totals {told}, not {sums}"


# ---- The end


@promise
def the_end_is_what_the_logs_say(checker):
    """Lists, kept numbers, the service's own check, and projections that were made anew."""
    seen = set()
    for line in checker.lines:
        if line["f"] == "records":
            seen.add(line["service"])
            at = {service: place[1] for service, place in history.positions(line["positions"]).items()}
            shown = sorted((cbor2.loads(bytes.fromhex(row)) for row in line["rows"]), key=row_id)
            try:
                expected = sorted(checker.books.records(line["service"], line["entity"], at), key=row_id)
            except Unsure as unsure:
                checker.wrong("end", f"the {line['entity']} records refer to what is not there: {unsure}")
                continue
            checker.counts["records at the end"] += len(shown)
            if shown != expected:
                checker.wrong("end", f"the {line['entity']} records are not those of the log: {difference([(None, shown)], [(None, expected)])}")
        elif line["f"] == "verified":
            if line["differences"] or line["dangling"]:
                checker.wrong("end", f"{line['service']} finds {line['differences']} differences and {line['dangling']} dangling ids: {line['examples']}")
        elif line["f"] == "rebuilt":
            checker.counts["projections made anew and compared"] += 1
            if line["before"] != line["after"]:
                checker.wrong("end", f"{line['service']} made another content anew of {line['source']}: {line['before']} became {line['after']}")
        elif line["f"] == "numbers":
            numbers = [number for number, _, _ in line["numbers"]]
            if numbers != list(range(1, len(numbers) + 1)):
                checker.wrong("end", f"the orders' numbers have holes or doubles: {numbers[-20:]}")
            kept = {order["id"].hex(): order["number"] for order in checker.logs["orders"].all("order", sys.maxsize)}
            told = {identifier: number for number, identifier, state in line["numbers"] if state != "deleted"}
            if kept != told:
                checker.wrong("end", f"the orders have other numbers than are told: {set(kept.items()) ^ set(told.items())}")
    if missing := set(LOGGED) - seen:
        checker.wrong("end", f"the records of {sorted(missing)} were not read at the end")


@promise
def there_was_something_to_check(checker):
    """A history without writes, reads or batches holds every promise, and shows nothing."""
    for what in ("commands acknowledged", "events applied by subscribers", "batches applied by mirrors"):
        if not checker.counts[what]:
            checker.wrong("history", f"no {what}")
    if checker.faults["clock put back"] and not checker.counts["events of a clock that was put back"]:
        checker.wrong("history", "no clock was put back for the services")


def main():
    lines = history.read(sorted(pathlib.Path(sys.argv[1]).glob("*.jsonl")))
    checker = Checker(lines)
    problems = checker.check()
    for name, text in problems[:50]:
        print(f"✘ {name}: {text}")
    for name, count in sorted(checker.counts.items()):
        print(f"  {count:8} {name}")
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
