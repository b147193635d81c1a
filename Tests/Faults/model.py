"""What the services should show, worked out anew from their logs. Shares no code with them."""

import bisect

ABSENT = object()


class Unsure(Exception):
    """What this model does not work out."""


class Log:
    """A service's log: what each record was after each event."""

    def __init__(self, events):
        """`events` are in order."""
        self.events = events
        self.numbers = [event["sequence"] for event in events]
        self.records = {}  # (entity, id): ([sequence], [record or None])
        for event in events:
            numbers, values = self.records.setdefault((event["type"].split(".")[0], event["subject"]), ([], []))
            numbers.append(event["sequence"])
            values.append(event.get("data"))

    def at(self, entity, identifier, sequence):
        """The record after this event; None where there is none."""
        numbers, values = self.records.get((entity, identifier), ((), ()))
        index = bisect.bisect_right(numbers, sequence)
        return values[index - 1] if index else None

    def all(self, entity, sequence):
        """All records of the entity after this event."""
        for kind, identifier in self.records:
            if kind == entity:
                record = self.at(entity, identifier, sequence)
                if record is not None:
                    yield record


class Books:
    """All logs together: lists and reports as they should be at positions."""

    def __init__(self, logs, is_put_back=False):
        """`is_put_back`: references may dangle, since an older store was put in the place of one."""
        self.logs, self.is_put_back = logs, is_put_back

    def name(self, entity, identifier, at):
        """What a record of Catalog is called at these positions; ABSENT where it isn't there."""
        record = self.logs["catalog"].at(entity, identifier, at.get("catalog", 0))
        return ABSENT if record is None else record["name"]

    def named(self, record, key, entity, field, at):
        """The record with a name as it is at these positions."""
        if key not in record or "catalog" not in at:
            return record
        name = self.name(entity, record[key], at)
        if name is ABSENT and self.is_put_back:
            raise Unsure("the last name of what was lost with a store")
        # What was deleted is cleared by the follower in the transaction in which it hears of that.
        return record if name is ABSENT else record | {field: name}

    def order(self, record, at):
        record = self.named(record, "customer", "customer", "customerName", at)
        return record | {"rows": [self.named(row, "service", "service", "serviceName", at) for row in record["rows"]]}

    def record(self, service, entity, record, at):
        if record is None:
            return None
        if entity == "order":
            return self.order(record, at)
        if entity == "dog":
            return self.named(record, "owner", "customer", "ownerName", at)
        if entity == "walk":
            dogs = []
            for place in record["dogs"]:
                dog = self.logs[service].at("dog", place["dog"], at[service])
                dogs.append(place | ({"dogName": dog["name"]} if dog else {}))
            return record | {"dogs": dogs}
        return record

    def records(self, service, entity, at):
        """The rows of an entity, or of a part, in no order. A log that isn't followed yet has no position."""
        if entity == "order-row":
            return [
                {"id": row["id"], "order": order["id"], "position": index, "currency": order["currency"], "part": row}
                for order in self.records(service, "order", at)
                for index, row in enumerate(order["rows"])
            ]
        return [self.record(service, entity, record, at) for record in self.logs[service].all(entity, at.get(service, 0))]

    def rows(self, service, query, at):
        """What a list shows: [(section key, rows)], and whether the order of the rows is known, too."""
        if query.get("report") == "unpaid":
            rows = self.unpaid({}, at)
        elif "entity" in query:
            rows = self.records(service, query["entity"], at)
        else:
            raise Unsure(f"a list of {query}")
        chosen = query.get("filter")
        if chosen:
            if chosen["op"] != "=" or "value" not in chosen:
                raise Unsure(f"the filter {chosen}")
            rows = [row for row in rows if row.get(chosen["field"]) == chosen["value"]]
        keys = query.get("sort", [])
        # Names are lower-case letters, so that any collation has them in the order of their bytes.
        for key in [{"field": "id"}, *reversed(keys)]:
            rows.sort(key=lambda row, field=key["field"]: row[field], reverse=key.get("descending", False))
        window = query.get("window")
        if window:
            rows = rows[window.get("offset", 0) :][: window.get("limit", len(rows))]
        section = query.get("section")
        if not section:
            return [(None, rows)] if rows else [], bool(keys)
        sections = {}
        for row in rows:
            value = row[section["field"]]
            key = {"month": value[:7], "letter": value[:1].upper()}[section["by"]]
            sections.setdefault(key, []).append(row)
        return sorted(sections.items()), bool(keys)

    # Reports

    def counted(self, body, at):
        """The orders that count in a report."""
        for order in self.records("orders", "order", at):
            if order.get("cancelled"):
                continue
            # Reporting knows a customer's delete by itself, perhaps before it hears that Orders cleared the reference.
            if "customer" in order and self.name("customer", order["customer"], at) is ABSENT:
                order = {name: value for name, value in order.items() if name != "customerName"}
            if not body.get("from", "") <= order["date"] <= body.get("through", "9"):
                continue
            if any(body.get(name) not in (None, order.get(name)) for name in ("made", "paid", "customer")):
                continue
            yield order

    def unpaid(self, body, at):
        rows = []
        for order in self.counted(body, at):
            if order["made"] and not order["paid"]:
                money = {name: {"amount": order[name], "currency": order["currency"]} for name in ("total", "open")}
                names = ("id", "number", "numberYear", "date", "due", "customer", "customerName")
                rows.append({name: order[name] for name in names if name in order} | money)
        return rows

    def totals(self, body, at):
        """{(group, currency): (orders, total)}, and the grand totals by currency with the number of orders."""
        groups, whole, count = {}, {}, 0
        for order in self.counted(body, at):
            if any("taxRate" in row for row in order["rows"]):
                raise Unsure("tax")
            count += 1
            whole[order["currency"]] = whole.get(order["currency"], 0) + order["total"]
            shares = {}
            if body["by"] == "customer":
                shares[order.get("customer")] = order["total"]
            elif body["by"] == "service":
                for row in order["rows"]:
                    shares[row.get("service")] = shares.get(row.get("service"), 0) + row["sum"]
            elif body["by"] == "month":
                shares[order["date"][:7]] = order["total"]
            else:
                raise Unsure(f"totals by {body['by']}")
            for share, total in shares.items():
                orders, before = groups.get((share, order["currency"]), (0, 0))
                groups[share, order["currency"]] = (orders + 1, before + total)
        return groups, whole, count

    def statement(self, body, at):
        """The entries, as (date, kind, order, amount), in no order, and the balance."""
        entries = []
        for order in self.counted(body, at):
            if order["made"]:
                entries.append((order["date"], "order", order["id"], order["total"]))
            for payment in order.get("payments", []):
                entries.append((payment["date"], "payment", order["id"], -payment["amount"]))
            if order.get("paidByHand"):
                raise Unsure("what a person's word paid")
        return entries, sum(entry[3] for entry in entries)
