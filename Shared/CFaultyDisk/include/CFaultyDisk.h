#ifndef DAYBOOK_CFAULTYDISK_H
#define DAYBOOK_CFAULTYDISK_H

// A layer below SQLite that fails on purpose, for tests: see FaultyDisk.c. It is there in debug builds alone and puts
// itself in place where the environment's DAYBOOK_DISK says so; nothing has to be called.

#endif
