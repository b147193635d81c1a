"""Reads everything there is once nobody writes any more, for the checker to compare: logs, records, reports, projections."""

import time

import cbor2

from recorder import LOGGED, Asking, uuid7

ENTITIES = {"catalog": ("customer", "service"), "orders": ("order", "order-row"), "walks": ("dog", "walk")}
FOLLOWS = {"catalog": ("orders",), "orders": ("catalog",), "walks": ("catalog",), "reporting": ("catalog", "orders", "walks")}


class Unanswered(Exception):
    """A service that should have answered did not."""


class Ending:
    def __init__(self, setting, source, limit=180):
        self.setting, self.source = setting, source
        self.asking = Asking(setting, f"{setting.name}/end", 10_000)
        self.deadline = time.monotonic() + limit

    def ask(self, service, operation, body, key=None, after=None):
        while time.monotonic() < self.deadline:
            status, reply, header = self.asking.ask(service, operation, body, key, after)
            if status == "ok":
                return reply, header
            if status not in (None, "unavailable", "timed-out"):
                break
            time.sleep(0.1)
        raise Unanswered(f"{service} answers {operation} with {status}: {reply.get('message')}")

    def repair(self):
        """References to what an older store lacks are taken out on a person's word alone."""
        for service in "orders", "walks":
            self.ask(service, "references.repair", {}, key=uuid7(self.source))

    def read(self):
        record = self.setting.recording.record
        heads = {}
        for service in LOGGED:
            status = self.ask(service, "status", {})[0]
            heads[service] = (status["epoch"], status["sequence"])
        # A follower reacts to what it hears: once all have heard all, nothing moves any more.
        for _ in range(2):
            for service, sources in FOLLOWS.items():
                after = {source: heads[source] for source in sources}
                _, header = self.ask(service, "projection.hash", {"source": sources[0]}, after=after)
                if service in heads:
                    heads[service] = tuple(header["positions"][service])
        for service in LOGGED:
            rows, after = [], {}
            while True:
                page, _ = self.ask(service, "archive.read", {"part": "event"} | after)
                rows += page["rows"]
                if "next" not in page:
                    break
                after = {"after": page["next"]}
            import_rows = [self.encode(row) for row in rows]
            record(self.asking.name, "log", service=service, epoch=page["epoch"].hex(), rows=import_rows)
            for entity in ENTITIES[service]:
                self.records(service, entity, heads)
            check, _ = self.ask(service, "log.verify", {})
            record(
                self.asking.name, "verified", service=service, differences=check["differences"],
                dangling=check.get("dangling", 0), examples=check["examples"],
            )
        self.numbers()
        self.reports(heads)
        for service, sources in FOLLOWS.items():
            for source in sources:
                self.rebuild(service, source, heads)

    @staticmethod
    def encode(row):
        return cbor2.dumps(row).hex()

    def records(self, service, entity, heads):
        rows, after = [], {}
        while True:
            page, header = self.ask(service, f"{entity}.list", {"limit": 1000} | after, after=heads)
            rows += page["rows"]
            if "next" not in page:
                break
            after = {"after": page["next"]}
        places = {name: (place[0].hex(), place[1]) for name, place in header["positions"].items()}
        self.setting.recording.record(
            self.asking.name, "records", service=service, entity=entity, positions=places,
            rows=[self.encode(row) for row in rows],
        )

    def numbers(self):
        numbers, after = [], {}
        while True:
            page, _ = self.ask("orders", "order.numbers", {"limit": 1000} | after)
            numbers += [(number["number"], number["id"].hex(), number["state"]) for number in page["numbers"]]
            if "next" not in page:
                break
            after = {"after": page["next"]}
        self.setting.recording.record(self.asking.name, "numbers", numbers=numbers)

    def reports(self, heads):
        """Read at the heads: the checker compares every report with the orders."""
        for by in "customer", "service", "month":
            self.ask("reporting", "report.totals", {"by": by}, after=heads)
        self.ask("reporting", "report.unpaid", {}, after=heads)
        for customer in self.ask("catalog", "customer.list", {"limit": 5})[0]["rows"]:
            self.ask("reporting", "report.statement", {"customer": customer["id"]}, after=heads)

    def rebuild(self, service, source, heads):
        before, _ = self.ask(service, "projection.hash", {"source": source}, after=heads)
        self.ask(service, "projection.rebuild", {"source": source}, key=uuid7(self.source))
        after, _ = self.ask(service, "projection.hash", {"source": source}, after=heads)
        self.setting.recording.record(
            self.asking.name, "rebuilt", service=service, source=source, before=[before["hash"], before["rows"]],
            after=[after["hash"], after["rows"]],
        )
