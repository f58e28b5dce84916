/* Stands between a program and its files below one folder (LD_PRELOAD): writes down all that
   changes them, in order, and lets some of it fail.

   FAULTS_ROOT names the folder, FAULTS_LOG the file that is written: a line for each call, and the
   bytes it wrote after it. What lies in SQLite's shared memory is left out: it outlives no cut. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MOST_FILES 4096

static char watched[MOST_FILES];
static int log_file = -1;
static long calls, first = -1, last = -1;
static int why, is_short;

/* Let the calls number `from` up to `to`, counted from now, fail for a reason; where that is that
   the disk is full and `halves`, a write writes half of it first. Both -1: none. */
void faults_arm(long from, long to, int reason, int halves) {
    calls = 0, first = from, last = to, why = reason, is_short = halves;
}

static void note(const char *head, const void *bytes, size_t size) {
    if (log_file < 0) {
        const char *path = getenv("FAULTS_LOG");
        log_file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    }
    if (syscall(SYS_write, log_file, head, strlen(head)) < 0) abort();
    if (size && syscall(SYS_write, log_file, bytes, size) < 0) abort();
}

void faults_mark(const char *text) {
    char head[64];
    snprintf(head, sizeof head, "mark %zu\n", strlen(text));
    note(head, text, strlen(text));
}

static int is_watched(const char *path) {
    const char *root = getenv("FAULTS_ROOT");
    size_t size = strlen(path);
    if (!root || strncmp(path, root, strlen(root))) return 0;
    return size < 4 || strcmp(path + size - 4, "-shm");
}

static int is_file(int fd) { return fd >= 0 && fd < MOST_FILES && watched[fd]; }

/* Whether the call that comes now is to fail. */
static int fails(void) {
    long number = calls++;
    return first >= 0 && number >= first && number <= last;
}

static void named(const char *what, const char *path, const char *other) {
    char head[9000];
    snprintf(head, sizeof head, "%s\t%s\t%s\n", what, path, other);
    note(head, "", 0);
}

static int opened(int fd, const char *path, int flags) {
    char head[4600];
    if (fd < 0 || fd >= MOST_FILES) return fd;
    watched[fd] = 1;
    snprintf(head, sizeof head, "open %d %d\t%s\n", fd, !!(flags & O_TRUNC), path);
    note(head, "", 0);
    return fd;
}

static int open_it(const char *path, int flags, mode_t mode) {
    int is_ours = is_watched(path);
    if (is_ours && (flags & O_CREAT) && fails()) return errno = why, -1;
    int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    return is_ours ? opened(fd, path, flags) : fd;
}

#define OPEN(name)                                          \
    int name(const char *path, int flags, ...) {            \
        va_list more;                                       \
        va_start(more, flags);                              \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
        va_end(more);                                       \
        return open_it(path, flags, mode);                  \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    if (is_file(fd)) {
        char head[32];
        watched[fd] = 0;
        snprintf(head, sizeof head, "close %d\n", fd);
        note(head, "", 0);
    }
    return REAL(close)(fd);
}

static ssize_t write_at(int fd, const void *bytes, size_t size, off_t at, int is_moving) {
    char head[80];
    if (is_file(fd) && fails()) {
        size_t half = is_short && why == ENOSPC ? size / 2 : 0;
        if (!half) return errno = why, -1;
        size = half;
    }
    ssize_t done = is_moving ? syscall(SYS_write, fd, bytes, size)
                             : syscall(SYS_pwrite64, fd, bytes, size, at);
    if (is_file(fd) && done > 0) {
        snprintf(head, sizeof head, "write %d %ld %zd\n", fd, (long)at, done);
        note(head, bytes, done);
    }
    return done;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    off_t at = is_file(fd) ? lseek(fd, 0, SEEK_CUR) : 0;
    return write_at(fd, bytes, size, at, 1);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    return write_at(fd, bytes, size, at, 0);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) {
    return write_at(fd, bytes, size, at, 0);
}

/* A call on a file: what it is called in the log, with up to one number. */
#define ON_FILE(name, word, number, ...)                                       \
    if (is_file(fd) && fails()) return errno = why, -1;                        \
    int done = REAL(name)(__VA_ARGS__);                                        \
    if (is_file(fd) && !done) {                                                \
        char head[64];                                                         \
        snprintf(head, sizeof head, word " %d %ld\n", fd, (long)(number));     \
        note(head, "", 0);                                                     \
    }                                                                          \
    return done;

int fsync(int fd) { ON_FILE(fsync, "sync", 0, fd) }
int fdatasync(int fd) { ON_FILE(fdatasync, "sync", 0, fd) }
int ftruncate(int fd, off_t size) { ON_FILE(ftruncate, "cut", size, fd, size) }
int ftruncate64(int fd, off64_t size) { ON_FILE(ftruncate64, "cut", size, fd, size) }

/* A call on names. */
#define ON_NAME(name, word, path, other, ...)                \
    int is_ours = is_watched(path);                          \
    if (is_ours && fails()) return errno = why, -1;          \
    int done = REAL(name)(__VA_ARGS__);                      \
    if (is_ours && !done) named(word, path, other);          \
    return done;

int rename(const char *from, const char *to) { ON_NAME(rename, "rename", from, to, from, to) }
int link(const char *from, const char *to) { ON_NAME(link, "link", from, to, from, to) }
int unlink(const char *path) { ON_NAME(unlink, "unlink", path, "", path) }
int mkdir(const char *path, mode_t mode) { ON_NAME(mkdir, "mkdir", path, "", path, mode) }
int linkat(int a, const char *from, int b, const char *to, int how) {
    ON_NAME(linkat, "link", from, to, a, from, b, to, how)
}
