// What libzmq and SQLite can do at the most: a ROUTER before a store, commands in groups with one synced transaction each.
//
// A request is one frame: op, 16 bytes (a command's key, or an id), body. Its reply: op, body.
//   C  an order as in Order.h: kept with its rows, an event and its reply in a table of replies by key
//   G  an order's columns by its id
//   L  50 orders before an id
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "Limit.h"

enum { group = 256, page = 50, event_bytes = 200, reply_bytes = 40, checkpoint_pages = 4000 };

static sqlite3 *database;
static sqlite3_stmt *begin, *commit, *put_order, *put_row, *put_event, *put_reply, *get_reply, *get_order, *list_orders;
static int64_t sequence;

static void fail(const char *what) {
  fprintf(stderr, "limit: %s: %s\n", what, database ? sqlite3_errmsg(database) : zmq_strerror(zmq_errno()));
  exit(1);
}

static void execute(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

static sqlite3_stmt *prepared(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) fail(sql);
  return statement;
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code;
}

static void open_store(const char *path) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK) fail(path);
  execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;"
          "PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000;");
  execute("CREATE TABLE orders (id BLOB PRIMARY KEY, number INTEGER, date INTEGER, customer BLOB, flags INTEGER,"
          " comment TEXT) WITHOUT ROWID;"
          "CREATE INDEX orders_date ON orders (date, id);"
          "CREATE TABLE rows (owner BLOB, place INTEGER, service BLOB, sum INTEGER, PRIMARY KEY (owner, place))"
          " WITHOUT ROWID;"
          "CREATE TABLE event (sequence INTEGER PRIMARY KEY, body BLOB);"
          "CREATE TABLE reply (key BLOB PRIMARY KEY, body BLOB) WITHOUT ROWID;");
  begin = prepared("BEGIN IMMEDIATE");
  commit = prepared("COMMIT");
  put_order = prepared("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)");
  put_row = prepared("INSERT INTO rows VALUES (?, ?, ?, ?)");
  put_event = prepared("INSERT INTO event VALUES (?, ?)");
  put_reply = prepared("INSERT INTO reply VALUES (?, ?)");
  get_reply = prepared("SELECT body FROM reply WHERE key = ?");
  get_order = prepared("SELECT id, number, date, customer, flags, comment FROM orders WHERE id = ?");
  list_orders =
      prepared("SELECT id, number, date, customer, flags, comment FROM orders WHERE id < ? ORDER BY id DESC LIMIT 50");
}

static uint8_t *command(const struct order *order, const uint8_t *key, uint8_t *out) {
  sequence++;
  memset(out, 0, reply_bytes);
  memcpy(out, order->id, 16);
  memcpy(out + 16, &sequence, 8);
  sqlite3_bind_blob(put_reply, 1, key, 16, SQLITE_STATIC);
  sqlite3_bind_blob(put_reply, 2, out, reply_bytes, SQLITE_STATIC);
  int code = run(put_reply);
  if (code == SQLITE_CONSTRAINT) {
    sequence--;
    sqlite3_bind_blob(get_reply, 1, key, 16, SQLITE_STATIC);
    if (sqlite3_step(get_reply) != SQLITE_ROW) fail("no reply of the key");
    memcpy(out, sqlite3_column_blob(get_reply, 0), reply_bytes);
    sqlite3_reset(get_reply);
    return out + reply_bytes;
  }
  if (code != SQLITE_DONE) fail("reply");
  sqlite3_bind_blob(put_order, 1, order->id, 16, SQLITE_STATIC);
  sqlite3_bind_int64(put_order, 2, order->number);
  sqlite3_bind_int64(put_order, 3, order->date);
  sqlite3_bind_blob(put_order, 4, order->customer, 16, SQLITE_STATIC);
  sqlite3_bind_int64(put_order, 5, order->flags);
  sqlite3_bind_text(put_order, 6, order->comment, sizeof order->comment, SQLITE_STATIC);
  if (run(put_order) != SQLITE_DONE) fail("order");
  for (int place = 0; place < rows_of_an_order; place++) {
    sqlite3_bind_blob(put_row, 1, order->id, 16, SQLITE_STATIC);
    sqlite3_bind_int(put_row, 2, place);
    sqlite3_bind_blob(put_row, 3, order->rows[place].service, 16, SQLITE_STATIC);
    sqlite3_bind_int64(put_row, 4, order->rows[place].sum);
    if (run(put_row) != SQLITE_DONE) fail("row");
  }
  uint8_t event[event_bytes];
  memset(event, 'e', sizeof event);
  memcpy(event, order->id, 16);
  sqlite3_bind_int64(put_event, 1, sequence);
  sqlite3_bind_blob(put_event, 2, event, sizeof event, SQLITE_STATIC);
  if (run(put_event) != SQLITE_DONE) fail("event");
  return out + reply_bytes;
}

static uint8_t *found(sqlite3_stmt *statement, const uint8_t *id, uint8_t *out) {
  sqlite3_bind_blob(statement, 1, id, 16, SQLITE_STATIC);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    memcpy(out, sqlite3_column_blob(statement, 0), 16);
    for (int column = 1, at = 16; column <= 2; column++, at += 8) {
      int64_t number = sqlite3_column_int64(statement, column);
      memcpy(out + at, &number, 8);
    }
    memcpy(out + 32, sqlite3_column_blob(statement, 3), 16);
    out[48] = (uint8_t)sqlite3_column_int(statement, 4);
    int length = sqlite3_column_bytes(statement, 5);
    out[49] = (uint8_t)length;
    memcpy(out + 50, sqlite3_column_text(statement, 5), (size_t)length);
    out += 50 + length;
  }
  sqlite3_reset(statement);
  return out;
}

// The next message's sender. Looked for so long before sleeping on it.
static int next(zmq_msg_t *sender, void *router, int waits, uint64_t spin) {
  if (zmq_msg_recv(sender, router, ZMQ_DONTWAIT) >= 0) return 1;
  if (!waits) return 0;
  for (uint64_t end = nanoseconds() + spin; nanoseconds() < end;)
    if (zmq_msg_recv(sender, router, ZMQ_DONTWAIT) >= 0) return 1;
  return zmq_msg_recv(sender, router, 0) >= 0;
}

int serve(const char *endpoint, const char *path, uint64_t spin) {
  open_store(path);
  void *context = zmq_ctx_new(), *router = zmq_socket(context, ZMQ_ROUTER);
  if (zmq_bind(router, endpoint) != 0) {
    database = NULL;
    fail(endpoint);
  }
  const char *ready = getenv("DAYBOOK_READY_FD");
  if (ready) {
    if (write(atoi(ready), "ready\n", 6) != 6) return 1;
    close(atoi(ready));
  }
  static zmq_msg_t senders[group];
  static uint8_t replies[group][64 + page * 320];
  static size_t lengths[group];
  zmq_msg_t message;
  zmq_msg_init(&message);
  for (int i = 0; i < group; i++) zmq_msg_init(&senders[i]);
  for (;;) {
    int taken = 0, writes = 0;
    while (taken < group && next(&senders[taken], router, taken == 0, spin)) {
      if (zmq_msg_recv(&message, router, 0) < 17) return 1;
      const uint8_t *request = zmq_msg_data(&message);
      uint8_t *out = replies[taken], *end;
      *out++ = request[0];
      switch (request[0]) {
      case 'C':
        if (zmq_msg_size(&message) != 17 + sizeof(struct order)) return 1;
        if (!writes++) run(begin);
        struct order order;
        memcpy(&order, request + 17, sizeof order);
        end = command(&order, request + 1, out);
        break;
      case 'G': end = found(get_order, request + 1, out); break;
      case 'L': end = found(list_orders, request + 1, out); break;
      default: return 1;
      }
      lengths[taken] = (size_t)(end - replies[taken]);
      taken++;
    }
    if (writes && run(commit) != SQLITE_DONE) fail("commit");
    for (int i = 0; i < taken; i++) {
      zmq_msg_send(&senders[i], router, ZMQ_SNDMORE);
      zmq_send(router, replies[i], lengths[i], 0);
    }
  }
}
