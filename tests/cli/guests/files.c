// Does what its arguments say, one line of result each:
//
//   r PATH      reads the file's first bytes     "r PATH: 'bytes'" or "r PATH: errno N"
//   w PATH      creates or truncates the file and writes "guest\n"
//   u PATH      unlinks it
//   c FD        closes a descriptor
//   d FD        writes "to FD\n" to the descriptor
//   e NAME      prints the environment variable
//   a           prints the arguments
//   p           waits in pause(2) until an alarm interrupts it, one second later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(char verb, const char* what, int result) {
  if (result < 0) {
    printf("%c %s: errno %d\n", verb, what, errno);
  } else {
    printf("%c %s: %d\n", verb, what, result);
  }
}

static void read_start(const char* path) {
  char buffer[33];
  int fd = open(path, O_RDONLY);
  int size = fd < 0 ? -1 : read(fd, buffer, sizeof buffer - 1);
  if (fd >= 0) close(fd);
  if (size < 0) {
    say('r', path, -1);
    return;
  }
  buffer[size] = 0;
  printf("r %s: '%s'\n", path, buffer);
}

static int write_new(const char* path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0) return -1;
  int size = write(fd, "guest\n", 6);
  close(fd);
  return size;
}

static int write_to(const char* number) {
  char text[16] = "to ";
  strcpy(text + 3, number);
  size_t size = strlen(text);
  text[size] = '\n';
  return write(atoi(number), text, size + 1);
}

static void print_variable(const char* name) {
  size_t size = strlen(name);
  for (char** variable = environ; *variable != NULL; ++variable) {
    if (strncmp(*variable, name, size) != 0 || (*variable)[size] != '=') continue;
    printf("e %s\n", *variable);
    return;
  }
  printf("e %s is not set\n", name);
}

static void on_alarm(int sig) {
  (void)sig;
}

static void pause_for_alarm(void) {
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  alarm(1);
  say('p', "", pause());
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    char verb = argv[i][0];
    if (verb == 'p') {
      pause_for_alarm();
      continue;
    }
    if (verb == 'a') {
      for (int j = 0; j < argc; ++j) printf("a %d '%s'\n", j, argv[j]);
      continue;
    }
    if (i + 1 == argc) return 2;
    const char* what = argv[++i];
    if (verb == 'r') read_start(what);
    if (verb == 'w') say(verb, what, write_new(what));
    if (verb == 'u') say(verb, what, unlink(what));
    if (verb == 'c') say(verb, what, close(atoi(what)));
    if (verb == 'd') say(verb, what, write_to(what));
    if (verb == 'e') print_variable(what);
  }
  return 0;
}
