/* What a dynamic loader asks of the kernel and says to the user, and the few functions of a C library
 * that it needs. */
#pragma once

#include <stddef.h>

enum { page_bytes = 4096 };

/* start.S: the error's number negated, or the result. */
long system_call(long a, long b, long c, long d, long e, long f, long number);

/* ---- system.c */
void* map_anonymous(size_t bytes);                                /* null: there is no memory */
void* map_text(void* place, int file, size_t offset, size_t bytes); /* anywhere if `place` is null */
int open_file(const char* path);
void close_file(int file);
/* Equal for two paths of one file. */
struct file_id {
  int device;
  unsigned long inode;
};
int identify(const char* path, struct file_id* file); /* whether it is there */
int read_at(int file, size_t offset, void* to, size_t bytes); /* whether all of it was there */
void say(const char* const* parts);                           /* in one line; the last is null */
void give_up(void);                                           /* abort(3C) */
int is_equal(const char* a, const char* b);
void copy(void* to, const void* from, size_t bytes);
void* allocate(size_t bytes); /* zeros */
const char* kept(const char* text); /* a copy of it */
