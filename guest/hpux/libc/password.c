/* crypt(3C) by the Data Encryption Standard, getpass(3C). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char* __crypt_des(const char* key, const char* setting, char* output); /* musl */
int tcgetattr(int, void*), tcsetattr(int, int, const void*);

char* crypt(const char* key, const char* salt) {
  static char output[128];
  return __crypt_des(key, salt, output);
}

/* struct termios: four words of flags, of which the fourth is the local one; ECHO is 010. */
struct attributes {
  unsigned input, output, control, local, others[12];
};

static char* read_line(int file) {
  enum { most = 8 }; /* PASS_MAX */
  static char line[most + 1];
  int length = 0;
  for (char c; read(file, &c, 1) == 1 && c != '\n';) {
    if (length < most) line[length++] = c;
  }
  line[length] = 0;
  return line;
}

char* getpass(const char* prompt) {
  enum { echo = 010, drained_and_flushed = 2 };
  int file = open("/dev/tty", O_RDWR);
  if (file < 0) return NULL;
  struct attributes before, silent;
  int is_terminal = tcgetattr(file, &before) == 0;
  silent = before;
  silent.local &= ~echo;
  if (is_terminal) tcsetattr(file, drained_and_flushed, &silent);
  write(file, prompt, strlen(prompt));
  char* line = read_line(file);
  write(file, "\n", 1);
  if (is_terminal) tcsetattr(file, drained_and_flushed, &before);
  close(file);
  return line;
}
