/* syslog(3C): to the daemon's FIFO or, with LOG_CONS, to the console. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

static const char* tag = "syslog";
static int options, facility = LOG_USER, mask = 0xff;

void openlog(const char* name, int how, int from) {
  if (name != NULL) tag = name;
  options = how;
  if (from != 0 && (from & ~LOG_FACMASK) == 0) facility = from;
}

void closelog(void) {
  tag = "syslog";
}

int setlogmask(int given) {
  int old = mask;
  if (given != 0) mask = given;
  return old;
}

/* %m is the text of errno. */
static void expand(char* to, size_t size, const char* text, int error) {
  char* end = to + size - 1;
  while (*text != 0 && to < end) {
    if (text[0] == '%' && text[1] == 'm') {
      const char* meaning = strerror(error);
      while (*meaning != 0 && to < end) *to++ = *meaning++;
      text += 2;
      continue;
    }
    if (text[0] == '%' && text[1] == '%' && to + 1 < end) *to++ = *text++;
    *to++ = *text++;
  }
  *to = 0;
}

void vsyslog(int priority, const char* text, va_list arguments) {
  char plain[512], line[1024];
  int error = errno;
  if (!(mask >> (priority & 7) & 1)) return;
  if ((priority & LOG_FACMASK) == 0) priority |= facility;
  time_t now = time(NULL);
  int prefix = snprintf(line, sizeof line, "<%d>%.15s %.64s", priority, ctime(&now) + 4, tag);
  if (options & LOG_PID) prefix += sprintf(line + prefix, "[%ld]", (long)getpid());
  prefix += sprintf(line + prefix, ": ");
  expand(plain, sizeof plain, text, error);
  vsnprintf(line + prefix, sizeof line - prefix - 1, plain, arguments);
  strcat(line, "\n");
  int log = open("/dev/log", O_WRONLY | O_NDELAY);
  const char* from = line;
  if (log < 0 && (options & LOG_CONS)) {
    log = open("/dev/console", O_WRONLY);
    from = strchr(line, '>') + 1;
  }
  if (log >= 0) {
    write(log, from, strlen(from));
    close(log);
  }
  errno = error;
}

void syslog(int priority, const char* text, ...) {
  va_list arguments;
  va_start(arguments, text);
  vsyslog(priority, text, arguments);
  va_end(arguments);
}
