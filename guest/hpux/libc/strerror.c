/* perror(3C), strerror(3C): texts of HP-UX's errno(2). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char* const sys_errlist[] = {"Error 0",
                                   "Not owner",
                                   "No such file or directory",
                                   "No such process",
                                   "Interrupted system call",
                                   "I/O error",
                                   "No such device or address",
                                   "Arg list too long",
                                   "Exec format error",
                                   "Bad file number",
                                   "No child processes",
                                   "Resource temporarily unavailable",
                                   "Not enough space",
                                   "Permission denied",
                                   "Bad address",
                                   "Block device required",
                                   "Device busy",
                                   "File exists",
                                   "Cross-device link",
                                   "No such device",
                                   "Not a directory",
                                   "Is a directory",
                                   "Invalid argument",
                                   "File table overflow",
                                   "Too many open files",
                                   "Not a typewriter",
                                   "Text file busy",
                                   "File too large",
                                   "No space left on device",
                                   "Illegal seek",
                                   "Read-only file system",
                                   "Too many links",
                                   "Broken pipe",
                                   "Argument out of domain",
                                   "Result too large",
                                   "No message of desired type",
                                   "Identifier removed"};
int sys_nerr = sizeof sys_errlist / sizeof *sys_errlist;

struct text {
  short number;
  const char* text;
};

static const struct text others[] = {{45, "A deadlock would occur"},
                                     {46, "System record lock table was full"},
                                     {47, "Illegal byte sequence"},
                                     {72, "Value too large to be stored in data type"},
                                     {216, "Socket operation on non-socket"},
                                     {217, "Destination address required"},
                                     {218, "Message too long"},
                                     {219, "Protocol wrong type for socket"},
                                     {220, "Protocol not available"},
                                     {221, "Protocol not supported"},
                                     {222, "Socket type not supported"},
                                     {223, "Operation not supported"},
                                     {224, "Protocol family not supported"},
                                     {225, "Address family not supported by protocol family"},
                                     {226, "Address already in use"},
                                     {227, "Cannot assign requested address"},
                                     {228, "Network is down"},
                                     {229, "Network is unreachable"},
                                     {230, "Network dropped connection on reset"},
                                     {231, "Software caused connection abort"},
                                     {232, "Connection reset by peer"},
                                     {233, "No buffer space available"},
                                     {234, "Socket is already connected"},
                                     {235, "Socket is not connected"},
                                     {236, "Cannot send after socket shutdown"},
                                     {237, "Too many references: cannot splice"},
                                     {238, "Connection timed out"},
                                     {239, "Connection refused"},
                                     {241, "Host is down"},
                                     {242, "No route to host"},
                                     {244, "Operation already in progress"},
                                     {245, "Operation now in progress"},
                                     {246, "Operation would block"},
                                     {247, "Directory not empty"},
                                     {248, "File name too long"},
                                     {249, "Too many levels of symbolic links"},
                                     {251, "Function not implemented"}};

char* strerror(int number) {
  static char unknown[32];
  if (number >= 0 && number < sys_nerr) return (char*)sys_errlist[number];
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    if (others[i].number == number) return (char*)others[i].text;
  }
  sprintf(unknown, "Unknown error: %d", number);
  return unknown;
}

void perror(const char* prefix) {
  int number = errno;
  char line[256];
  int is_long = prefix != NULL && strlen(prefix) > sizeof line / 2;
  int length = prefix == NULL || *prefix == 0 || is_long
                   ? sprintf(line, "%s\n", strerror(number))
                   : sprintf(line, "%s: %s\n", prefix, strerror(number));
  if (is_long) write(2, prefix, strlen(prefix)), write(2, ": ", 2);
  write(2, line, length);
}

/* -1 with errno, and always if there is no room for 80 bytes (gnulib, lib/strerror_r.c, on HP-UX 11.31). */
int strerror_r(int number, char* to, int size) {
  enum { least_room = 80 };
  if (size < least_room) {
    errno = ERANGE;
    return -1;
  }
  const char* text = strerror(number);
  strcpy(to, text);
  if (strncmp(text, "Unknown error", 13) != 0) return 0;
  errno = EINVAL;
  return -1;
}
