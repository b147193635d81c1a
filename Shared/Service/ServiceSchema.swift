internal import Store

/// The tables that every service has, beside those of its records.
enum ServiceSchema {
    static let script = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

        -- The event log. `body` is the event as it is published and replayed; `digest` is that of the body as it was first
        -- written, also where it was blanked since (`erased`).
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY,
            entity TEXT NOT NULL,
            subject BLOB NOT NULL,
            version INTEGER NOT NULL,
            last INTEGER NOT NULL,
            -- Its time, or that of an event before it where a clock was put back: rises with the sequence.
            moment INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            chain INTEGER NOT NULL,
            -- The command's idempotency key; not told to subscribers.
            key BLOB,
            erased INTEGER NOT NULL DEFAULT 0,
            body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX event_subject ON event (subject, version);

        -- Where the log begins once old events were dropped: one row. `base` holds each record as it stood there; a
        -- deleted one has no body.
        CREATE TABLE floor (
            sequence INTEGER NOT NULL,
            chain INTEGER NOT NULL,
            "transaction" INTEGER NOT NULL,
            time INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE base (
            id BLOB NOT NULL,
            entity TEXT NOT NULL,
            version INTEGER NOT NULL,
            body BLOB,
            PRIMARY KEY (id, entity)
        ) STRICT;

        -- Counters that are raised in the transaction of what they count.
        CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

        -- Replies to commands by idempotency key.
        CREATE TABLE reply (
            key BLOB PRIMARY KEY,
            principal TEXT,
            operation TEXT NOT NULL,
            fingerprint INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            -- How many events the command made: they end with `sequence`.
            events INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- How far the logs of other services were followed. What was made from snapshots knows nothing of what was
        -- before its floor.
        CREATE TABLE cursor (
            source TEXT PRIMARY KEY,
            epoch BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            chain INTEGER NOT NULL,
            floor INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;

        -- Projections that are being made from snapshots: not whole, and made anew after a crash.
        CREATE TABLE building (source TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

        -- Imports that are not committed yet.
        CREATE TABLE staged (
            batch BLOB NOT NULL,
            chunk INTEGER NOT NULL,
            time INTEGER NOT NULL,
            entity TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (batch, chunk)
        ) STRICT, WITHOUT ROWID;

        -- What was imported as what: an unchanged line is left alone the next time.
        CREATE TABLE imported (id BLOB PRIMARY KEY, digest INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """
}
