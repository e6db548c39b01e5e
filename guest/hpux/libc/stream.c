/* stdio(3S): opening, positions, lines. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream.h"

int open_flags(const char* mode) {
  int is_update = strchr(mode, '+') != NULL;
  switch (*mode) {
    case 'r':
      return is_update ? O_RDWR : O_RDONLY;
    case 'w':
      return (is_update ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC;
    case 'a':
      return (is_update ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
    default:
      errno = EINVAL;
      return -1;
  }
}

FILE* new_stream(void) {
  for (FILE* each = __iob; each < __iob + _NFILE; ++each) {
    if (each->__flag == 0) return each;
  }
  errno = EMFILE;
  return NULL;
}

FILE* open_stream(FILE* stream, int file, const char* mode) {
  memset(stream, 0, sizeof *stream);
  stream->__fileL = file;
  stream->__fileH = file >> 8;
  stream->__flag = strchr(mode, '+') != NULL ? _IORW : *mode == 'r' ? _IOREAD : _IOWRT;
  if (*mode == 'a') lseek(file, 0, SEEK_END);
  return stream;
}

static FILE* open_path(FILE* stream, const char* path, const char* mode) {
  int flags = open_flags(mode);
  int file = flags < 0 || stream == NULL ? -1 : open(path, flags, 0666);
  return file < 0 ? NULL : open_stream(stream, file, mode);
}

FILE* fopen(const char* path, const char* mode) {
  return open_path(new_stream(), path, mode);
}

FILE* freopen(const char* path, const char* mode, FILE* stream) {
  fclose(stream);
  return open_path(stream, path, mode);
}

FILE* fdopen(int file, const char* mode) {
  FILE* stream = open_flags(mode) < 0 ? NULL : new_stream();
  if (stream == NULL || fcntl(file, F_GETFL) < 0) return NULL;
  return open_stream(stream, file, mode);
}

int feof(FILE* stream) {
  return stream->__flag & _IOEOF;
}
int ferror(FILE* stream) {
  return stream->__flag & _IOERR;
}
int fileno(FILE* stream) {
  return descriptor_of(stream);
}
void clearerr(FILE* stream) {
  stream->__flag &= ~(_IOEOF | _IOERR);
}

void setbuf(FILE* stream, char* room) {
  setvbuf(stream, room, room == NULL ? _IONBF : _IOFBF, BUFSIZ);
}
void setbuffer(FILE* stream, char* room, int size) {
  setvbuf(stream, room, room == NULL ? _IONBF : _IOFBF, size);
}
void setlinebuf(FILE* stream) {
  setvbuf(stream, NULL, _IOLBF, BUFSIZ);
}

static long long seek(const FILE* stream, long long offset, int whence) {
#if __SIZEOF_LONG__ == 8
  return lseek(descriptor_of(stream), offset, whence);
#else
  return __lseek64(descriptor_of(stream), offset, whence);
#endif
}

long long _hc_tell(FILE* stream) {
  long long place = seek(stream, 0, SEEK_CUR);
  if (place < 0) return -1;
  if ((stream->__flag & _IOWRT) && stream->__base != NULL)
    return place + (stream->__ptr - stream->__base);
  return stream->__cnt > 0 ? place - stream->__cnt : place;
}

int _hc_seek(FILE* stream, long long offset, int whence) {
  int failed = flush(stream);
  if (whence == SEEK_CUR && (stream->__flag & _IOREAD) && stream->__cnt > 0)
    offset -= stream->__cnt;
  stream->__flag &= ~_IOEOF;
  if (stream->__flag & _IORW) stream->__flag &= ~(_IOREAD | _IOWRT);
  stream->__ptr = stream->__base;
  stream->__cnt = 0;
  return failed != 0 || seek(stream, offset, whence) < 0 ? -1 : 0;
}

long ftell(FILE* stream) {
  long long place = _hc_tell(stream);
  if (place == (long)place) return place;
  errno = EOVERFLOW;
  return -1;
}
int fseek(FILE* stream, long offset, int whence) {
  return _hc_seek(stream, offset, whence);
}
off_t ftello(FILE* stream) {
  return ftell(stream);
}
int fseeko(FILE* stream, off_t offset, int whence) {
  return fseek(stream, offset, whence);
}

void rewind(FILE* stream) {
  fseek(stream, 0, SEEK_SET);
  stream->__flag &= ~_IOERR;
}

int fgetpos(FILE* stream, fpos_t* place) {
  return (*place = ftell(stream)) < 0 ? -1 : 0;
}
int fsetpos(FILE* stream, const fpos_t* place) {
  return fseek(stream, *place, SEEK_SET);
}

char* fgets(char* to, int size, FILE* stream) {
  char* at = to;
  while (size-- > 1) {
    int c = fgetc(stream);
    if (c == EOF) break;
    *at++ = c;
    if (c == '\n') break;
  }
  if (at == to) return NULL;
  *at = 0;
  return to;
}

char* gets(char* to) {
  char* at = to;
  int c;
  while ((c = getchar()) != EOF && c != '\n') *at++ = c;
  if (c == EOF && at == to) return NULL;
  *at = 0;
  return to;
}

int fputs(const char* text, FILE* stream) {
  size_t length = strlen(text);
  return fwrite(text, 1, length, stream) == length ? (int)length : EOF;
}

int puts(const char* text) {
  return fputs(text, stdout) == EOF || putchar('\n') == EOF ? EOF : 1;
}

int getw(FILE* stream) {
  int word;
  return fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}
int putw(int word, FILE* stream) {
  return fwrite(&word, sizeof word, 1, stream) == 1 ? 0 : EOF;
}

/* ---- Temporary files */

/* "aaa" to "zzz" and the process, as tmpnam(3S) of System V. */
static char* next_name(char* to, const char* directory, const char* prefix) {
  static int serial;
  int n = serial++ % TMP_MAX;
  sprintf(to, "%s/%s%c%c%c%05d", directory, prefix, 'a' + n / 676, 'a' + n / 26 % 26, 'a' + n % 26,
          (int)(getpid() % 100000));
  return to;
}

char* tmpnam(char* to) {
  static char own[L_tmpnam];
  if (to == NULL) to = own;
  do next_name(to, "/var/tmp", "");
  while (access(to, 0) == 0);
  return to;
}

char* tempnam(const char* directory, const char* prefix) {
  const char* wanted = getenv("TMPDIR");
  if (wanted == NULL || access(wanted, 3) != 0) wanted = directory;
  if (wanted == NULL || access(wanted, 3) != 0) wanted = "/var/tmp";
  if (prefix == NULL) prefix = "";
  char* made = malloc(strlen(wanted) + strlen(prefix) + 16);
  if (made == NULL) return NULL;
  do next_name(made, wanted, prefix);
  while (access(made, 0) == 0);
  return made;
}

FILE* tmpfile(void) {
  char name[L_tmpnam];
  FILE* stream = fopen(tmpnam(name), "w+");
  if (stream != NULL) unlink(name);
  return stream;
}

/* Each X, from the right, becomes a digit of the process; then the first a letter until it is new.
 */
char* mktemp(char* template) {
  char *end = template + strlen(template), *first = end;
  long id = getpid();
  while (first > template && first[-1] == 'X') --first;
  if (first == end) return template;
  for (char* at = end; at-- > first; id /= 10) *at = '0' + id % 10;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    *first = letter;
    if (access(template, 0) != 0) return template;
  }
  *template = 0;
  return template;
}

int mkstemp(char* template) {
  return *mktemp(template) == 0 ? -1 : open(template, O_RDWR | O_CREAT | O_EXCL, 0600);
}

char* ctermid(char* to) {
  static char own[L_ctermid];
  return strcpy(to == NULL ? own : to, "/dev/tty");
}
