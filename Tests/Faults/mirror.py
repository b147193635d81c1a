"""A live list's rows and their digest, by what PROTOCOL.md and daybook.cddl say of batches."""

import cbor2

BASE, MODULUS = 477555723559750805, 2**61 - 1


def fnv1a(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def digest(sections, known=None):
    """The digest of [{key, rows}]; `known` remembers hashes of encoded items."""
    known = {} if known is None else known
    value = 0
    for section in sections:
        for kind, items in (b"S", [section["key"]]), (b"R", section["rows"]):
            for item in items:
                data = kind + cbor2.dumps(item)
                if data not in known:
                    known[data] = fnv1a(data) % MODULUS
                value = (value * BASE + known[data]) % MODULUS
    return value


def apply(batch, sections):
    """Does to the sections what a batch says; a row is named once."""
    changes = batch.get("move", []) + batch.get("update", [])
    for section, row in sorted([*batch.get("delete", []), *(change["from"] for change in changes)], reverse=True):
        del sections[section]["rows"][row]
    named = batch.get("sections", {})
    for index in sorted(named.get("delete", []), reverse=True):
        if sections[index]["rows"]:
            raise ValueError(f"section {index} is deleted with rows in it")
        del sections[index]
    for section in sorted(named.get("insert", []), key=lambda section: section["at"]):
        sections.insert(section["at"], {"key": section["key"], "rows": []})
    for change in sorted([*batch.get("insert", []), *changes], key=lambda change: change["to"]):
        rows = sections[change["to"][0]]["rows"]
        if change["to"][1] > len(rows):
            raise ValueError(f"a row goes to {change['to']} of {len(rows)}")
        rows.insert(change["to"][1], change["row"])
