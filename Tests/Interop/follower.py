"""A subscriber by the rule of PROTOCOL.md, which may be deaf on purpose."""

import cbor2


class Follower:
    """Folds a service's log into records, from published messages where they follow, else by events.read."""

    def __init__(self, connection, subscription, hears=lambda: True):
        self.connection, self.subscription, self.hears = connection, subscription, hears
        self.cursor, self.run = {"sequence": 0}, None
        self.records, self.last, self.seen = {}, {}, {}
        self.missed = self.read = self.heard = 0

    def receive(self):
        """Takes the next message, or misses it. True at a heartbeat that tells nothing new."""
        entity, head, events = self.subscription.receive()
        if not self.hears():
            self.missed += 1
            return False
        if head["run"] != self.run or head["epoch"] != self.cursor.get("epoch"):
            self.catch_up()
        elif entity is None:
            if head["sequence"] > self.cursor["sequence"]:
                self.catch_up()
            elif head["sequence"] == self.cursor["sequence"]:
                assert {name: number for name, number in head["entities"].items() if number} == self.last
                return True
        elif head["through"] > self.cursor["sequence"]:
            if head["first"] == self.cursor["sequence"] + 1:
                assert events[0]["previous"] == self.last.get(entity, 0)
                self.heard += len(events)
                self.apply(events, head)
            else:
                self.catch_up()
        return False

    def catch_up(self, limit=7):
        """Reads from the cursor to the log's end."""
        while True:
            page, header = self.connection.ask("events.read", self.cursor | {"limit": limit})
            assert "resync" not in page, page["resync"]
            self.run = header["run"]
            self.read += len(page["events"])
            self.apply(page["events"], page)
            if page["through"] == page["head"]:
                return

    def settle(self, head):
        """Follows to this number at least, and until a heartbeat behind it tells nothing new."""
        while not (self.receive() and self.cursor["sequence"] >= head):
            pass

    def apply(self, events, at):
        for event in events:
            entity, action = event["type"].split(".")
            assert event["sequence"] == self.cursor["sequence"] + 1, "a hole, or a repetition"
            assert event["previous"] == self.last.get(entity, 0)
            self.last[entity] = self.cursor["sequence"] = event["sequence"]
            self.seen[at["epoch"], event["sequence"]] = cbor2.dumps(event)
            fold(self.records.setdefault(entity, {}), event, action)
        assert at["through"] == self.cursor["sequence"]
        self.cursor = {"epoch": at["epoch"], "sequence": at["through"], "chain": at["chain"]}


def fold(records, event, action):
    """Does to an entity's records what the event says."""
    if "data" in event:
        records[event["subject"]] = event["data"]
    elif action == "deleted":
        del records[event["subject"]]
    else:
        # What had been deleted was erased.
        assert event["subject"] not in records
