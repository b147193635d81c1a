// Sends prepared requests from one DEALER, so many in flight, and keeps the replies: the same client for all that is
// measured.
//
// Requests: u32 messages, then for each u32 frames, then for each frame u32 bytes and the bytes.
// Replies: u64 nanoseconds in all; then for each reply, in the order of arrival: u64 nanoseconds since its request was sent
// (they come in the order of the requests), u32 frames, and for each u32 bytes and the first 200 of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "Limit.h"

enum { kept = 200, most_frames = 8 };

static uint8_t *contents(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) return NULL;
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(size + 1);
  if (fread(bytes, 1, size, file) != size) return NULL;
  fclose(file);
  return bytes;
}

static uint32_t number(const uint8_t **at) {
  uint32_t value;
  memcpy(&value, *at, 4);
  *at += 4;
  return value;
}

struct reply {
  uint64_t time;
  uint32_t frames;
  struct {
    uint32_t size;
    uint8_t start[kept];
  } frame[most_frames];
};

int load(const char *endpoint, const char *requests, const char *replies, int window) {
  const uint8_t *at = contents(requests);
  if (!at) return perror(requests), 1;
  uint32_t count = number(&at);
  struct reply *taken = calloc(count, sizeof *taken);
  // Touched before the clock starts.
  memset(taken, 1, count * sizeof *taken);
  uint64_t *sent = calloc(count, sizeof *sent);
  void *context = zmq_ctx_new(), *dealer = zmq_socket(context, ZMQ_DEALER);
  int patience = 20000;
  zmq_setsockopt(dealer, ZMQ_RCVTIMEO, &patience, sizeof patience);
  if (zmq_connect(dealer, endpoint) != 0) return 1;
  zmq_msg_t message;
  zmq_msg_init(&message);
  uint32_t asked = 0;
  uint64_t start = nanoseconds();
  for (uint32_t got = 0; got < count; got++) {
    while (asked < count && asked - got < (uint32_t)window) {
      sent[asked++] = nanoseconds();
      for (uint32_t frames = number(&at); frames > 0; frames--) {
        uint32_t size = number(&at);
        if (zmq_send(dealer, at, size, frames > 1 ? ZMQ_SNDMORE : 0) < 0) return 1;
        at += size;
      }
    }
    struct reply *reply = &taken[got];
    reply->frames = 0;
    do {
      int size = zmq_msg_recv(&message, dealer, 0);
      if (size < 0) {
        fprintf(stderr, "limit: no reply %u of %u: %s\n", got, count, zmq_strerror(zmq_errno()));
        return 1;
      }
      if (reply->frames < most_frames) {
        reply->frame[reply->frames].size = (uint32_t)size;
        memcpy(reply->frame[reply->frames++].start, zmq_msg_data(&message), size < kept ? (size_t)size : kept);
      }
    } while (zmq_msg_more(&message));
    reply->time = nanoseconds() - sent[got];
  }
  uint64_t time = nanoseconds() - start;
  FILE *file = fopen(replies, "wb");
  if (!file) return perror(replies), 1;
  fwrite(&time, sizeof time, 1, file);
  for (uint32_t i = 0; i < count; i++) {
    fwrite(&taken[i].time, 8, 1, file);
    fwrite(&taken[i].frames, 4, 1, file);
    for (uint32_t k = 0; k < taken[i].frames; k++) {
      uint32_t size = taken[i].frame[k].size;
      fwrite(&size, 4, 1, file);
      fwrite(taken[i].frame[k].start, 1, size < kept ? size : kept, file);
    }
  }
  if (fclose(file) != 0) return perror(replies), 1;
  zmq_close(dealer);
  zmq_ctx_term(context);
  return 0;
}
