#pragma once
#include <stdint.h>
#include <time.h>

enum { rows_of_an_order = 3 };

// As it goes over the wire, in the machine's byte order: 341 bytes or so, like an order of Daybook's.
struct __attribute__((packed)) order {
  uint8_t id[16], customer[16];
  int64_t number, date;
  uint8_t flags;
  char comment[145];
  struct __attribute__((packed)) {
    uint8_t service[16];
    int64_t sum;
  } rows[rows_of_an_order];
};

static inline uint64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int serve(const char *endpoint, const char *path, uint64_t spin);
int load(const char *endpoint, const char *requests, const char *replies, int window);
