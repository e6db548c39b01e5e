/* printf(3S), vprintf(3S). */
#include <stdio.h>
#include <string.h>

#include "format.h"
#include "stream.h"

struct stream_sink {
  struct sink sink;
  FILE* stream;
};

static void put_in_stream(struct sink* sink, const char* bytes, size_t count) {
  fwrite(bytes, 1, count, ((struct stream_sink*)sink)->stream);
}

/* What one call writes to an unbuffered stream goes out together. */
int vfprintf(FILE* stream, const char* text, va_list arguments) {
  unsigned char room[BUFSIZ];
  int is_lent = lend_buffer(stream, room, sizeof room);
  struct stream_sink sink = {{put_in_stream, 0}, stream};
  int count = format(&sink.sink, text, arguments);
  if (is_lent) take_buffer_back(stream);
  return ferror(stream) ? EOF : count;
}

struct memory_sink {
  struct sink sink;
  char* at;
  size_t room;
};

static void put_in_memory(struct sink* sink, const char* bytes, size_t count) {
  struct memory_sink* to = (struct memory_sink*)sink;
  if (count > to->room) count = to->room;
  memcpy(to->at, bytes, count);
  to->at += count;
  to->room -= count;
}

int vsnprintf(char* to, size_t size, const char* text, va_list arguments) {
  struct memory_sink sink = {{put_in_memory, 0}, to, size == 0 ? 0 : size - 1};
  int count = format(&sink.sink, text, arguments);
  if (size != 0) *sink.at = 0;
  return count;
}

int vsprintf(char* to, const char* text, va_list arguments) {
  return vsnprintf(to, (size_t)-1 / 2, text, arguments);
}

int vprintf(const char* text, va_list arguments) {
  return vfprintf(stdout, text, arguments);
}

#define FORWARD(call)        \
  va_list arguments;         \
  va_start(arguments, text); \
  int count = call;          \
  va_end(arguments);         \
  return count

int fprintf(FILE* stream, const char* text, ...) {
  FORWARD(vfprintf(stream, text, arguments));
}
int printf(const char* text, ...) {
  FORWARD(vfprintf(stdout, text, arguments));
}
int sprintf(char* to, const char* text, ...) {
  FORWARD(vsprintf(to, text, arguments));
}
int snprintf(char* to, size_t size, const char* text, ...) {
  FORWARD(vsnprintf(to, size, text, arguments));
}
