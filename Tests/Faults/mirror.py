"""A live list's rows and their digest, by what PROTOCOL.md and daybook.cddl say of batches."""

import cbor2

BASE, MODULUS = 477555723559750805, 2**61 - 1


def fnv1a(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def hashed(row, known):
    """The hash of a row, which is worked out once: `known` has it by the row's identity, and keeps the row."""
    entry = known.get(id(row))
    if entry is None:
        entry = known[id(row)] = (row, fnv1a(b"R" + cbor2.dumps(row)) % MODULUS)
    return entry[1]


def digest(sections, known=None):
    """The digest of [{key, rows}]; `known` remembers the hashes of rows, which are never changed in their place."""
    known = {} if known is None else known
    value = 0
    for section in sections:
        value = (value * BASE + fnv1a(b"S" + cbor2.dumps(section["key"])) % MODULUS) % MODULUS
        for row in section["rows"]:
            value = (value * BASE + hashed(row, known)) % MODULUS
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
