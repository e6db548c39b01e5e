/* stdio(3S): buffers, and characters in and out of them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream.h"

FILE __iob[_NFILE] = {[0] = {.__flag = _IOREAD, .__fileL = 0},
                      [1] = {.__flag = _IOWRT, .__fileL = 1},
                      [2] = {.__flag = _IOWRT | _IONBF, .__fileL = 2}};
unsigned char* __bufendtab[_NFILE];

/* For unbuffered streams, and others when there is no memory. */
static unsigned char small_buffer[_NFILE][8];

static unsigned char** end_of(FILE* stream) {
  return &__bufendtab[stream - __iob];
}
static size_t size_of(FILE* stream) {
  return *end_of(stream) - stream->__base;
}

int descriptor_of(const FILE* stream) {
  return stream->__fileH << 8 | stream->__fileL;
}

static void set_buffer(FILE* stream, unsigned char* base, size_t size) {
  stream->__base = stream->__ptr = base;
  *end_of(stream) = base + size;
  stream->__cnt = 0;
}

static void need_buffer(FILE* stream) {
  if (stream->__base != NULL) return;
  unsigned char* made = stream->__flag & _IONBF ? NULL : malloc(_DBUFSIZ);
  if (made == NULL) {
    set_buffer(stream, small_buffer[stream - __iob], sizeof *small_buffer);
    return;
  }
  set_buffer(stream, made, _DBUFSIZ);
  stream->__flag |= _IOMYBUF;
  int is_output = (stream->__flag & _IOWRT) != 0;
  if (is_output && !(stream->__flag & _IOLBF) && isatty(descriptor_of(stream)))
    stream->__flag |= _IOLBF;
}

static void drop_buffer(FILE* stream) {
  if (stream->__flag & _IOMYBUF) free(stream->__base);
  stream->__flag &= ~_IOMYBUF;
  stream->__base = stream->__ptr = *end_of(stream) = NULL;
  stream->__cnt = 0;
}

static int write_all(FILE* stream, const unsigned char* bytes, size_t count) {
  while (count != 0) {
    ssize_t done = write(descriptor_of(stream), bytes, count);
    if (done < 0) {
      stream->__flag |= _IOERR;
      return EOF;
    }
    bytes += done;
    count -= done;
  }
  return 0;
}

/* Only putc() of fully buffered streams may go past this file. */
static void set_room(FILE* stream) {
  int is_full = !(stream->__flag & (_IOLBF | _IONBF));
  stream->__cnt = is_full ? *end_of(stream) - stream->__ptr : 0;
}

int flush(FILE* stream) {
  if (!(stream->__flag & _IOWRT) || stream->__base == NULL) return 0;
  size_t count = stream->__ptr - stream->__base;
  stream->__ptr = stream->__base;
  set_room(stream);
  return write_all(stream, stream->__base, count);
}

int start_writing(FILE* stream) {
  if (!(stream->__flag & _IOWRT)) {
    if (!(stream->__flag & _IORW)) {
      stream->__flag |= _IOERR;
      errno = EBADF;
      return EOF;
    }
    /* What was read ahead does not count. */
    if (stream->__cnt > 0) lseek(descriptor_of(stream), -stream->__cnt, SEEK_CUR);
    stream->__flag = (stream->__flag & ~(_IOREAD | _IOEOF)) | _IOWRT;
    stream->__ptr = stream->__base;
    stream->__cnt = 0;
  }
  need_buffer(stream);
  return 0;
}

static void append(FILE* stream, const unsigned char* bytes, size_t count) {
  memcpy(stream->__ptr, bytes, count);
  stream->__ptr += count;
  set_room(stream);
}

static int has_line_end(const unsigned char* bytes, size_t count) {
  return memchr(bytes, '\n', count) != NULL;
}

static int put_bytes(FILE* stream, const unsigned char* bytes, size_t count) {
  if (start_writing(stream) != 0) return EOF;
  int failed = 0;
  if (stream->__ptr + count > *end_of(stream)) failed = flush(stream);
  if (count >= size_of(stream)) return failed != 0 ? failed : write_all(stream, bytes, count);
  append(stream, bytes, count);
  int goes_out =
      (stream->__flag & _IONBF) || ((stream->__flag & _IOLBF) && has_line_end(bytes, count));
  return goes_out ? flush(stream) : failed;
}

int __flsbuf(unsigned char byte, FILE* stream) {
  stream->__cnt = 0;
  return put_bytes(stream, &byte, 1) != 0 ? EOF : byte;
}

size_t fwrite(const void* bytes, size_t size, size_t count, FILE* stream) {
  size_t all = size * count;
  if (all == 0) return 0;
  return put_bytes(stream, bytes, all) != 0 ? 0 : count;
}

static int start_reading(FILE* stream) {
  if (!(stream->__flag & _IOREAD)) {
    if (!(stream->__flag & _IORW)) {
      stream->__flag |= _IOERR;
      errno = EBADF;
      return EOF;
    }
    flush(stream);
    stream->__flag = (stream->__flag & ~_IOWRT) | _IOREAD;
    stream->__cnt = 0;
    stream->__ptr = stream->__base;
  }
  need_buffer(stream);
  return 0;
}

/* Whoever waits at a terminal should see what was asked. */
static void flush_lines(void) {
  for (FILE* each = __iob; each < __iob + _NFILE; ++each) {
    if ((each->__flag & _IOWRT) && (each->__flag & _IOLBF)) flush(each);
  }
}

int __filbuf(FILE* stream) {
  stream->__cnt = 0;
  if (start_reading(stream) != 0) return EOF;
  if (stream->__flag & (_IONBF | _IOLBF)) flush_lines();
  stream->__ptr = stream->__base;
  size_t room = stream->__flag & _IONBF ? 1 : size_of(stream);
  ssize_t count = read(descriptor_of(stream), stream->__base, room);
  if (count <= 0) {
    stream->__flag |= count == 0 ? _IOEOF : _IOERR;
    if (count == 0 && (stream->__flag & _IORW)) stream->__flag &= ~_IOREAD;
    return EOF;
  }
  stream->__cnt = count - 1;
  return *stream->__ptr++;
}

int fgetc(FILE* stream) {
  return --stream->__cnt < 0 ? __filbuf(stream) : *stream->__ptr++;
}
int getc(FILE* stream) {
  return fgetc(stream);
}
int getchar(void) {
  return fgetc(stdin);
}

int fputc(int c, FILE* stream) {
  unsigned char byte = c;
  if (--stream->__cnt < 0) return __flsbuf(byte, stream);
  *stream->__ptr++ = byte;
  return byte;
}
int putc(int c, FILE* stream) {
  return fputc(c, stream);
}
int putchar(int c) {
  return fputc(c, stdout);
}

/* One byte may always be put back, in front of the buffer's first if need be. */
int ungetc(int c, FILE* stream) {
  if (c == EOF || start_reading(stream) != 0) return EOF;
  if (stream->__ptr == stream->__base) {
    if (stream->__cnt > 0) return EOF;
    ++stream->__ptr;
  }
  if (stream->__cnt < 0) stream->__cnt = 0;
  *--stream->__ptr = c;
  ++stream->__cnt;
  stream->__flag &= ~_IOEOF;
  return (unsigned char)c;
}

size_t fread(void* to, size_t size, size_t count, FILE* stream) {
  char* at = to;
  size_t all = size * count, left = all;
  if (all == 0) return 0;
  while (left != 0) {
    if (stream->__cnt <= 0) {
      int c = __filbuf(stream);
      if (c == EOF) break;
      *at++ = c;
      --left;
      continue;
    }
    size_t part = (size_t)stream->__cnt < left ? (size_t)stream->__cnt : left;
    memcpy(at, stream->__ptr, part);
    stream->__ptr += part;
    stream->__cnt -= part;
    at += part;
    left -= part;
  }
  return (all - left) / size;
}

int fflush(FILE* stream) {
  if (stream != NULL) return flush(stream);
  int failed = 0;
  for (FILE* each = __iob; each < __iob + _NFILE; ++each) failed |= flush(each);
  return failed;
}

int fclose(FILE* stream) {
  if (stream->__flag == 0) {
    errno = EBADF;
    return EOF;
  }
  int failed = flush(stream);
  /* The next process on the same file goes on where this one stopped. */
  if ((stream->__flag & _IOREAD) && stream->__cnt > 0)
    lseek(descriptor_of(stream), -stream->__cnt, SEEK_CUR);
  drop_buffer(stream);
  failed |= close(descriptor_of(stream));
  memset(stream, 0, sizeof *stream);
  return failed == 0 ? 0 : EOF;
}

int setvbuf(FILE* stream, char* room, int kind, size_t size) {
  drop_buffer(stream);
  stream->__flag = (stream->__flag & ~(_IONBF | _IOLBF)) | kind;
  if (kind == _IONBF) return 0;
  if (kind != _IOFBF && kind != _IOLBF) return EOF;
  if (room != NULL && size != 0) {
    set_buffer(stream, (unsigned char*)room, size);
  } else if (size != 0 && (room = malloc(size)) != NULL) {
    set_buffer(stream, (unsigned char*)room, size);
    stream->__flag |= _IOMYBUF;
  }
  return 0;
}

int lend_buffer(FILE* stream, unsigned char* room, size_t size) {
  if (!(stream->__flag & _IONBF) || start_writing(stream) != 0) return 0;
  flush(stream);
  stream->__flag &= ~_IONBF;
  set_buffer(stream, room, size);
  set_room(stream);
  return 1;
}

void take_buffer_back(FILE* stream) {
  flush(stream);
  stream->__flag |= _IONBF;
  stream->__base = NULL;
  need_buffer(stream);
}
