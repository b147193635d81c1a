// limit serve ENDPOINT STORE SPIN-NANOSECONDS
// limit load ENDPOINT REQUESTS REPLIES IN-FLIGHT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Limit.h"

int main(int count, char **arguments) {
  if (count == 5 && strcmp(arguments[1], "serve") == 0)
    return serve(arguments[2], arguments[3], strtoull(arguments[4], NULL, 10));
  if (count == 6 && strcmp(arguments[1], "load") == 0)
    return load(arguments[2], arguments[3], arguments[4], atoi(arguments[5]));
  fputs("usage: limit serve ENDPOINT STORE SPIN-NANOSECONDS | load ENDPOINT REQUESTS REPLIES IN-FLIGHT\n", stderr);
  return 2;
}
