/* What a program does at its terminal, by its first argument. With Linux's own headers: what they
   call the settings is what the kernel has to mean. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void say(const char *text) {
  if (write(1, text, strlen(text)) < 0) _exit(9);
}

static void show_window(int signal) {
  char text[80];
  struct winsize size = {0};
  if (ioctl(0, TIOCGWINSZ, &size) != 0) exit(8);
  snprintf(text, sizeof text, "window %d x %d%s\n", size.ws_col, size.ws_row,
           signal != 0 ? " now" : "");
  say(text);
}

static void on_interrupt(int signal) {
  say(signal == SIGINT ? "got SIGINT\n" : "got SIGQUIT\n");
}

static void on_continue(int signal) {
  (void)signal;
  say("goes on\n");
}

/* A settings structure of which every part differs from the usual one. */
static void change_settings(void) {
  struct termios mode;
  if (tcgetattr(0, &mode) != 0) exit(8);
  mode.c_iflag = (mode.c_iflag & ~ICRNL) | ISTRIP | IXANY;
  mode.c_oflag &= ~ONLCR;
  mode.c_cflag |= CSTOPB;
  mode.c_lflag = (mode.c_lflag & ~(ICANON | ECHO)) | TOSTOP;
  mode.c_cc[VINTR] = 'i';
  mode.c_cc[VEOF] = 'e';
  mode.c_cc[VSUSP] = 's';
  mode.c_cc[VMIN] = 3;
  mode.c_cc[VTIME] = 0;
  if (tcsetattr(0, TCSADRAIN, &mode) != 0) exit(8);
}

static void show_settings(void) {
  char text[200];
  struct termios mode;
  if (tcgetattr(0, &mode) != 0) exit(8);
  snprintf(text, sizeof text, "icrnl %d istrip %d onlcr %d cstopb %d icanon %d echo %d tostop %d\n"
           "intr %d eof %d susp %d min %d time %d bits %d speed %d\n",
           (mode.c_iflag & ICRNL) != 0, (mode.c_iflag & ISTRIP) != 0, (mode.c_oflag & ONLCR) != 0,
           (mode.c_cflag & CSTOPB) != 0, (mode.c_lflag & ICANON) != 0, (mode.c_lflag & ECHO) != 0,
           (mode.c_lflag & TOSTOP) != 0, mode.c_cc[VINTR], mode.c_cc[VEOF], mode.c_cc[VSUSP],
           mode.c_cc[VMIN], mode.c_cc[VTIME], (mode.c_cflag & CSIZE) == CS8 ? 8 : 0,
           cfgetospeed(&mode) == B38400 ? 38400 : 0);
  say(text);
}

static void be_raw(int min, int time) {
  struct termios mode;
  if (tcgetattr(0, &mode) != 0) exit(8);
  cfmakeraw(&mode);
  mode.c_cc[VMIN] = (cc_t)min;
  mode.c_cc[VTIME] = (cc_t)time;
  if (tcsetattr(0, TCSAFLUSH, &mode) != 0) exit(8);
  say("raw\r\n");
}

static void read_raw(void) {
  char text[20], c;
  while (read(0, &c, 1) == 1) {
    snprintf(text, sizeof text, "<%d>", c);
    say(text);
    if (c == 'q') exit(0);
  }
  exit(7);
}

/* A child in a process group of its own, which is not in the foreground. */
static void run_in_background(void (*job)(void)) {
  char text[80];
  int status;
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    job();
    _exit(4);
  }
  setpgid(child, child);
  if (waitpid(child, &status, WUNTRACED) != child) exit(8);
  snprintf(text, sizeof text, "stopped by SIGTTIN %d SIGTTOU %d\n",
           WIFSTOPPED(status) && WSTOPSIG(status) == SIGTTIN,
           WIFSTOPPED(status) && WSTOPSIG(status) == SIGTTOU);
  say(text);
  signal(SIGTTOU, SIG_IGN);
  if (tcsetpgrp(0, child) != 0) exit(8);
  kill(child, SIGCONT);
  if (waitpid(child, &status, 0) != child) exit(8);
  if (tcsetpgrp(0, getpgrp()) != 0) exit(8);
  snprintf(text, sizeof text, "status %d\n", WEXITSTATUS(status));
  say(text);
}

static volatile sig_atomic_t has_news;

static void on_news(int signal) {
  has_news = signal == SIGIO;
}

/* Waits for nothing but the signal that says that there is a line. */
static void wait_for_news(void) {
  sigset_t blocked, before;
  char line[80];
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGIO);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  signal(SIGIO, on_news);
  fcntl(0, F_SETOWN, getpid());
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_ASYNC);
  say("ready\n");
  while (!has_news) sigsuspend(&before);
  const ssize_t size = read(0, line, sizeof line - 1);
  line[size < 0 ? 0 : size] = 0;
  say("told of ");
  say(line);
}

static void read_a_line(void) {
  char line[80];
  ssize_t size = read(0, line, sizeof line);
  _exit(size == 3 ? 5 : 6);
}

static void set_the_settings(void) {
  struct termios mode;
  if (tcgetattr(0, &mode) != 0) _exit(8);
  _exit(tcsetattr(0, TCSANOW, &mode) == 0 ? 5 : 6);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  struct sigaction action;
  memset(&action, 0, sizeof action);
  if (strcmp(what, "ask") == 0) {
    printf("terminals %d %d %d\n", isatty(0), isatty(1), isatty(2));
    printf("foreground %d tty %d\n", tcgetpgrp(0) == getpgrp(), open("/dev/tty", O_RDWR) >= 0);
    const char *name = ttyname(0);
    printf("name %s\n", name == NULL ? strerror(errno) : name);
    fflush(stdout);
    show_window(0);
  } else if (strcmp(what, "lacks") == 0) {
    int lacks = isatty(0) == 0 && errno == ENOTTY;
    printf("terminals %d %d lacks %d tty %d\n", isatty(0), isatty(1), lacks,
           open("/dev/tty", O_RDWR) >= 0);
  } else if (strcmp(what, "settings") == 0) {
    show_settings();
    change_settings();
    show_settings();
    read_a_line();
  } else if (strcmp(what, "raw") == 0) {
    be_raw(1, 0);
    read_raw();
  } else if (strcmp(what, "time") == 0) {
    char c;
    be_raw(0, 3);
    say(read(0, &c, 1) == 0 ? "nothing came\r\n" : "something came\r\n");
  } else if (strcmp(what, "signals") == 0) {
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGQUIT, &action, NULL);
    say("ready\n");
    for (;;) pause();
  } else if (strcmp(what, "spin") == 0) {
    signal(SIGINT, SIG_IGN);
    be_raw(1, 0);
    say("ready\n");
    for (;;) continue;
  } else if (strcmp(what, "news") == 0) {
    wait_for_news();
  } else if (strcmp(what, "window") == 0) {
    action.sa_handler = show_window;
    sigaction(SIGWINCH, &action, NULL);
    show_window(0);
    pause();
  } else if (strcmp(what, "stop") == 0) {
    char c;
    action.sa_handler = on_continue;
    action.sa_flags = SA_RESTART;
    sigaction(SIGCONT, &action, NULL);
    be_raw(1, 0);
    {
      struct termios mode;
      tcgetattr(0, &mode);
      mode.c_lflag |= ISIG;
      tcsetattr(0, TCSANOW, &mode);
    }
    say("ready\r\n");
    return read(0, &c, 1) == 1 && c == 'x' ? 3 : 4;
  } else if (strcmp(what, "read") == 0) {
    run_in_background(read_a_line);
  } else if (strcmp(what, "set") == 0) {
    run_in_background(set_the_settings);
  }
  return 0;
}
