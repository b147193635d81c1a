// A disk that fails on purpose: a SQLite VFS (https://sqlite.org/vfs.html) over the system's own.
//
// Only in debug builds, and only where the environment's DAYBOOK_DISK says what is to fail. It becomes SQLite's default
// before main() begins, so that a service runs on it by the code that it always runs. DAYBOOK_DISK is a list, parted by
// commas, of:
//
//   seed=N        what is random is so by this number; 1 without it.
//   CALL=NAME@N   the N-th call of this kind gives an I/O error, where NAME@N+ means all from the N-th on; CALL is `fail`,
//                 NAME is open, read, write, sync or truncate, as in fail=sync@3.
//   full=N        the N-th write finds no room (SQLITE_FULL), and so do those behind it with full=N+. What came before the
//                 end of the room is written: a part of it, by the seed.
//   room=BYTES    as a disk with so much room: writes that make files longer than this together find none. What truncating
//                 frees can be used again.
//   cut=N         the power goes off at the N-th of all writes, truncations and syncs, which is not done any more: what was not
//                 synced is lost, and the process ends by SIGKILL.
//   cut=exit      the same when the process ends by itself.
//   keep=some     of what was not synced, each sector of 512 bytes is lost or kept by the seed (the default); keep=none: all of
//                 it is lost; keep=all: nothing is.
//   slow=N        each sync takes N microseconds more.
//   sync=lie      syncs do nothing and report success: by this a test shows that its check finds out.
//
// Counted are calls to the files of stores: the database, its write-ahead log or journal; not temporary files, and not the
// shared memory of the write-ahead log, which SQLite makes anew. Files that were made and never synced are gone after a
// power cut. A deleted file does not come back. What a failed sync should have written counts as not synced until it is
// written once more, even where a later sync succeeds: Linux reports an error once, and takes the pages for clean (fsync(2);
// "Can Applications Recover from fsync Failures?", Rebello et al., USENIX ATC 2020).
//
// Each fault is told in a line on standard error, so that the log shows what the service had to live with.

#include "CFaultyDisk.h"

#ifdef FAILPOINTS

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512 };

// MARK: What is to fail

enum call { OPEN, READ, WRITE, SYNC, TRUNCATE, CALLS };
static const char *const call_names[CALLS] = {"open", "read", "write", "sync", "truncate"};

/// The N-th, or the N-th and all behind it; never where `first` is 0.
struct moment {
    uint64_t first;
    int lasting;
};

static struct {
    struct moment fail[CALLS];
    struct moment full;
    int64_t room; // -1: without a limit
    uint64_t cut;
    int cut_at_exit;
    enum { KEEP_SOME, KEEP_NONE, KEEP_ALL } keep;
    useconds_t slow;
    int lies;
} plan = {.room = -1};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t random_state = 1;
static uint64_t counts[CALLS];
/// Writes, truncations and syncs.
static uint64_t changes;

static int is_due(struct moment moment, uint64_t count) {
    return moment.first != 0 && (moment.lasting ? count >= moment.first : count == moment.first);
}

/// SplitMix64.
static uint64_t next_random(void) {
    uint64_t bits = random_state += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

static void tell(const char *format, ...) {
    char line[600];
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (count >= (int)sizeof line) count = sizeof line - 1;
    if (write(STDERR_FILENO, line, (size_t)count) < 0) { /* nobody listens */ }
}

// MARK: What is not synced

/// What a sector was when its file was last synced.
struct sector {
    int64_t number;
    /// Of `old`; less than a sector at the file's end, 0 behind it.
    int length;
    /// Given up by a failed sync, and not written since.
    int is_dropped;
    unsigned char old[SECTOR];
};

/// A file of a store, shared by all that have it open. Kept until the process ends.
struct disk_file {
    struct disk_file *next;
    char *path;
    /// Written since the last sync, in an open hash table by number; `length` is -1 in empty places.
    struct sector *sectors;
    size_t capacity, count;
    /// At the last sync.
    int64_t size;
    /// Made by this process, and not synced yet.
    int is_new;
};

static struct disk_file *files;

static int64_t length_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
}

/// The lengths of all files together.
static int64_t used_room(void) {
    int64_t used = 0;
    for (struct disk_file *file = files; file != NULL; file = file->next) used += length_of(file->path);
    return used;
}

static void *needed(void *memory) {
    if (memory != NULL) return memory;
    tell("faulty disk: no memory\n");
    _exit(2);
}

static void forget(struct disk_file *file) {
    free(file->sectors);
    file->sectors = NULL;
    file->capacity = file->count = 0;
}

static struct disk_file *file_at(const char *path, int was_there) {
    for (struct disk_file *file = files; file != NULL; file = file->next)
        if (strcmp(file->path, path) == 0) {
            if (!was_there) {
                forget(file);
                file->is_new = 1;
                file->size = 0;
            }
            return file;
        }
    struct disk_file *file = needed(calloc(1, sizeof *file));
    file->path = needed(strdup(path));
    file->is_new = !was_there;
    file->size = length_of(path);
    file->next = files;
    files = file;
    return file;
}

static struct sector *place_of(struct sector *sectors, size_t capacity, int64_t number) {
    size_t index = (size_t)(((uint64_t)number * 0x9E3779B97F4A7C15u) >> 20) % capacity;
    while (sectors[index].length >= 0 && sectors[index].number != number) index = (index + 1) % capacity;
    return &sectors[index];
}

static void grow(struct disk_file *file) {
    size_t capacity = file->capacity == 0 ? 256 : file->capacity * 2;
    struct sector *sectors = needed(malloc(capacity * sizeof *sectors));
    for (size_t index = 0; index < capacity; index++) sectors[index].length = -1;
    for (size_t index = 0; index < file->capacity; index++)
        if (file->sectors[index].length >= 0)
            *place_of(sectors, capacity, file->sectors[index].number) = file->sectors[index];
    free(file->sectors);
    file->sectors = sectors;
    file->capacity = capacity;
}

/// Remembers what is there before it is overwritten or cut off.
static void remember(struct disk_file *file, sqlite3_file *real, int64_t from, int64_t to) {
    for (int64_t number = from / SECTOR; number * SECTOR < to; number++) {
        if ((file->count + 1) * 2 > file->capacity) grow(file);
        struct sector *sector = place_of(file->sectors, file->capacity, number);
        if (sector->length >= 0) {
            sector->is_dropped = 0;
            continue;
        }
        int64_t rest = file->size - number * SECTOR;
        int length = rest <= 0 ? 0 : rest < SECTOR ? (int)rest : SECTOR;
        if (length > 0 && real->pMethods->xRead(real, sector->old, length, number * SECTOR) != SQLITE_OK) {
            tell("faulty disk: %s can't be read\n", file->path);
            _exit(2);
        }
        sector->number = number;
        sector->length = length;
        sector->is_dropped = 0;
        file->count++;
    }
}

/// What was written is on the disk now, but for what a failed sync gave up.
static void synced(struct disk_file *file) {
    struct disk_file before = *file;
    file->sectors = NULL;
    file->capacity = file->count = 0;
    for (size_t index = 0; index < before.capacity; index++) {
        struct sector *sector = &before.sectors[index];
        if (sector->length < 0 || !sector->is_dropped) continue;
        if ((file->count + 1) * 2 > file->capacity) grow(file);
        *place_of(file->sectors, file->capacity, sector->number) = *sector;
        file->count++;
    }
    free(before.sectors);
    file->size = length_of(file->path);
    file->is_new = 0;
}

/// Undoes what was not synced of a file, or a part of that, by the file's own path: as the disk would have it after a cut.
///
/// Returns how many sectors were lost.
static size_t lose(struct disk_file *file) {
    if (plan.keep == KEEP_ALL) return 0;
    if (file->is_new && (plan.keep == KEEP_NONE || next_random() % 2 == 0)) {
        unlink(file->path);
        return file->count;
    }
    int descriptor = open(file->path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return 0;
    int64_t now = length_of(file->path);
    int64_t end = 0;
    size_t lost = 0;
    // A file that was cut keeps its length, or is as long as it was.
    int is_cut = now < file->size && plan.keep == KEEP_SOME && next_random() % 2 == 0;
    for (size_t index = 0; index < file->capacity; index++) {
        struct sector *sector = &file->sectors[index];
        if (sector->length < 0) continue;
        int64_t place = sector->number * SECTOR;
        int is_kept = plan.keep == KEEP_SOME && next_random() % 2 == 0;
        if (is_kept && place < now) {
            int64_t last = place + SECTOR < now ? place + SECTOR : now;
            if (last > end) end = last;
            continue;
        }
        lost++;
        unsigned char bytes[SECTOR] = {0};
        memcpy(bytes, sector->old, (size_t)sector->length);
        if (pwrite(descriptor, bytes, SECTOR, place) != SECTOR) tell("faulty disk: %s can't be written\n", file->path);
    }
    int64_t size = is_cut ? now : end > file->size ? end : file->size;
    if (ftruncate(descriptor, size) != 0) tell("faulty disk: %s can't be cut\n", file->path);
    close(descriptor);
    return lost;
}

static void lose_all(const char *when) {
    size_t all = 0, lost = 0;
    for (struct disk_file *file = files; file != NULL; file = file->next) {
        all += file->count;
        lost += lose(file);
    }
    tell("faulty disk: power cut %s, %zu of %zu sectors lost\n", when, lost, all);
}

/// To be called with the lock held, before a write, a truncation or a sync is done.
static void count_change(const char *name, const char *path) {
    changes++;
    if (plan.cut == 0 || changes != plan.cut) return;
    char when[400];
    snprintf(when, sizeof when, "at change %llu (%s of %s)", (unsigned long long)changes, name, path);
    lose_all(when);
    raise(SIGKILL);
}

static int fails(enum call call, const char *path) {
    if (!is_due(plan.fail[call], ++counts[call])) return 0;
    tell("faulty disk: error at %s %llu of %s\n", call_names[call], (unsigned long long)counts[call], path);
    return 1;
}

// MARK: Files

struct faulty_file {
    sqlite3_file base;
    sqlite3_file *real;
    /// NULL for files that are none of a store's.
    struct disk_file *disk;
};

static sqlite3_file *real_of(sqlite3_file *file) { return ((struct faulty_file *)file)->real; }

static int close_file(sqlite3_file *file) {
    sqlite3_file *real = real_of(file);
    return real->pMethods == NULL ? SQLITE_OK : real->pMethods->xClose(real);
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    struct faulty_file *self = (struct faulty_file *)file;
    if (self->disk != NULL) {
        pthread_mutex_lock(&lock);
        int is_failing = fails(READ, self->disk->path);
        pthread_mutex_unlock(&lock);
        if (is_failing) return SQLITE_IOERR_READ;
    }
    return self->real->pMethods->xRead(self->real, bytes, count, offset);
}

/// With the lock held.
static int write_to_disk(struct faulty_file *self, const void *bytes, int count, sqlite3_int64 offset) {
    struct disk_file *disk = self->disk;
    count_change("write", disk->path);
    int is_failing = fails(WRITE, disk->path);
    if (is_failing) return SQLITE_IOERR_WRITE;
    remember(disk, self->real, offset, offset + count);
    int is_full = is_due(plan.full, counts[WRITE]);
    int fitting = is_full ? (int)(next_random() % (uint64_t)count) : count;
    if (!is_full && plan.room >= 0) {
        int64_t length = length_of(disk->path);
        int64_t growth = offset + count > length ? offset + count - length : 0;
        int64_t left = plan.room - used_room();
        if (growth > 0 && growth > left) {
            is_full = 1;
            fitting = (int)(count - growth + (left > 0 ? left : 0));
            if (fitting < 0) fitting = 0;
        }
    }
    int code = fitting == 0 ? SQLITE_OK : self->real->pMethods->xWrite(self->real, bytes, fitting, offset);
    if (!is_full) return code;
    tell("faulty disk: full at write %llu of %s, %d of %d bytes written\n", (unsigned long long)counts[WRITE], disk->path,
         fitting, count);
    return SQLITE_FULL;
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    struct faulty_file *self = (struct faulty_file *)file;
    if (self->disk == NULL) return self->real->pMethods->xWrite(self->real, bytes, count, offset);
    pthread_mutex_lock(&lock);
    int code = write_to_disk(self, bytes, count, offset);
    pthread_mutex_unlock(&lock);
    return code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    struct faulty_file *self = (struct faulty_file *)file;
    if (self->disk == NULL) return self->real->pMethods->xTruncate(self->real, size);
    pthread_mutex_lock(&lock);
    count_change("truncate", self->disk->path);
    int code = SQLITE_IOERR_TRUNCATE;
    if (!fails(TRUNCATE, self->disk->path)) {
        int64_t before = length_of(self->disk->path);
        remember(self->disk, self->real, size, before < self->disk->size ? before : self->disk->size);
        code = self->real->pMethods->xTruncate(self->real, size);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int sync_file(sqlite3_file *file, int flags) {
    struct faulty_file *self = (struct faulty_file *)file;
    if (self->disk == NULL) return self->real->pMethods->xSync(self->real, flags);
    if (plan.slow > 0) usleep(plan.slow);
    pthread_mutex_lock(&lock);
    count_change("sync", self->disk->path);
    int code = SQLITE_IOERR_FSYNC;
    if (fails(SYNC, self->disk->path)) {
        for (size_t index = 0; index < self->disk->capacity; index++) self->disk->sectors[index].is_dropped = 1;
    } else if (plan.lies) {
        code = SQLITE_OK;
    } else {
        code = self->real->pMethods->xSync(self->real, flags);
        if (code == SQLITE_OK) synced(self->disk);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int lock_file(sqlite3_file *file, int level) { return real_of(file)->pMethods->xLock(real_of(file), level); }

static int unlock_file(sqlite3_file *file, int level) { return real_of(file)->pMethods->xUnlock(real_of(file), level); }

static int check_lock(sqlite3_file *file, int *result) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}

static int control(sqlite3_file *file, int operation, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }

/// That a write of a sector is whole is all that is promised.
static int characteristics(sqlite3_file *file) {
    struct faulty_file *self = (struct faulty_file *)file;
    return self->disk != NULL ? 0 : self->real->pMethods->xDeviceCharacteristics(self->real);
}

static int map_shared(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void order_shared(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }

static int unmap_shared(sqlite3_file *file, int remove) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

/// Of version 2: without memory-mapped reads, which could not fail.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = order_shared,
    .xShmUnmap = unmap_shared,
};

// MARK: The VFS

static sqlite3_vfs faulty_vfs;

static sqlite3_vfs *system_vfs(void) { return faulty_vfs.pAppData; }

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    struct faulty_file *self = (struct faulty_file *)file;
    self->base.pMethods = NULL;
    self->real = (sqlite3_file *)(self + 1);
    self->real->pMethods = NULL;
    self->disk = NULL;
    int is_store = name != NULL && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    pthread_mutex_lock(&lock);
    int is_failing = is_store && fails(OPEN, name);
    int was_there = is_store && access(name, F_OK) == 0;
    int code = is_failing ? SQLITE_CANTOPEN : system_vfs()->xOpen(system_vfs(), name, self->real, flags, out_flags);
    if (code == SQLITE_OK && is_store) self->disk = file_at(name, was_there);
    pthread_mutex_unlock(&lock);
    if (self->real->pMethods != NULL) self->base.pMethods = &methods;
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
    pthread_mutex_lock(&lock);
    int code = system_vfs()->xDelete(system_vfs(), name, syncs);
    for (struct disk_file *file = files; code == SQLITE_OK && file != NULL; file = file->next)
        if (strcmp(file->path, name) == 0) {
            forget(file);
            file->size = 0;
        }
    pthread_mutex_unlock(&lock);
    return code;
}

static int full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
    return system_vfs()->xFullPathname(system_vfs(), name, count, path);
}

// MARK: Setting it up

static void refuse(const char *item) {
    tell("DAYBOOK_DISK can't be read at '%s': write seed=7,cut=120 or fail=sync@3\n", item);
    _exit(2);
}

/// A number from 1 on, or `first` from 0 on, with `+` behind it where that is allowed.
static uint64_t number(const char *text, int *lasting, const char *item) {
    char *end;
    if (*text < '0' || *text > '9') refuse(item);
    uint64_t value = strtoull(text, &end, 10);
    if (lasting != NULL && *end == '+') {
        *lasting = 1;
        end++;
    }
    if (*end != 0) refuse(item);
    return value;
}

static void read_item(const char *item) {
    char key[16] = "";
    const char *value = strchr(item, '=');
    if (value == NULL || value - item >= (ptrdiff_t)sizeof key) refuse(item);
    memcpy(key, item, (size_t)(value++ - item));
    if (strcmp(key, "seed") == 0) random_state = number(value, NULL, item);
    else if (strcmp(key, "full") == 0) plan.full.first = number(value, &plan.full.lasting, item);
    else if (strcmp(key, "room") == 0) plan.room = (int64_t)number(value, NULL, item);
    else if (strcmp(key, "slow") == 0) plan.slow = (useconds_t)number(value, NULL, item);
    else if (strcmp(key, "cut") == 0 && strcmp(value, "exit") == 0) plan.cut_at_exit = 1;
    else if (strcmp(key, "cut") == 0) plan.cut = number(value, NULL, item);
    else if (strcmp(key, "sync") == 0 && strcmp(value, "lie") == 0) plan.lies = 1;
    else if (strcmp(key, "keep") == 0 && strcmp(value, "some") == 0) plan.keep = KEEP_SOME;
    else if (strcmp(key, "keep") == 0 && strcmp(value, "none") == 0) plan.keep = KEEP_NONE;
    else if (strcmp(key, "keep") == 0 && strcmp(value, "all") == 0) plan.keep = KEEP_ALL;
    else if (strcmp(key, "fail") == 0) {
        const char *at = strchr(value, '@');
        if (at == NULL) refuse(item);
        for (int call = 0; call < CALLS; call++)
            if (strlen(call_names[call]) == (size_t)(at - value) && strncmp(call_names[call], value, (size_t)(at - value)) == 0) {
                plan.fail[call].first = number(at + 1, &plan.fail[call].lasting, item);
                return;
            }
        refuse(item);
    } else refuse(item);
}

static void lose_at_exit(void) {
    pthread_mutex_lock(&lock);
    lose_all("at exit");
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void set_up(void) {
    const char *text = getenv("DAYBOOK_DISK");
    if (text == NULL || *text == 0) return;
    char *copy = needed(strdup(text));
    for (char *item = strtok(copy, ","); item != NULL; item = strtok(NULL, ",")) read_item(item);
    free(copy);
    sqlite3_vfs *system = sqlite3_vfs_find(NULL);
    if (system == NULL) refuse("SQLite");
    faulty_vfs = *system;
    faulty_vfs.pNext = NULL;
    faulty_vfs.zName = "faulty";
    faulty_vfs.pAppData = system;
    faulty_vfs.szOsFile = (int)sizeof(struct faulty_file) + system->szOsFile;
    faulty_vfs.xOpen = open_file;
    faulty_vfs.xDelete = delete_file;
    faulty_vfs.xFullPathname = full_path;
    if (sqlite3_vfs_register(&faulty_vfs, 1) != SQLITE_OK) refuse("SQLite");
    if (plan.cut_at_exit) atexit(lose_at_exit);
}

#endif
