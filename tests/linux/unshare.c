// unshare(2): what a thread has for itself, and what cannot be taken apart while others have it.
// unshare.expected is what this prints, run natively by an ordinary user.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char* what, long result) {
  printf("%s: %ld %s\n", what, result, result < 0 ? strerror(errno) : "");
}

static void refuse(const char* who) {
  printf("%s\n", who);
  say("unknown flag", unshare(1));
  say("nothing", unshare(0));
  say("memory", unshare(CLONE_VM));
  say("handlers", unshare(CLONE_SIGHAND));
  say("threads", unshare(CLONE_THREAD));
}

static int is_open(int number) {
  return fcntl(number, F_GETFD) >= 0;
}

static char first_place[PATH_MAX];

static int is_first_place(void) {
  char now[PATH_MAX];
  return getcwd(now, sizeof now) != NULL && strcmp(now, first_place) == 0;
}

static mode_t mask(void) {
  mode_t now = umask(0);
  umask(now);
  return now;
}

static void run(void* (*function)(void*)) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, NULL);
  pthread_join(thread, NULL);
}

static pthread_barrier_t barrier;

static void* look(void* nothing) {
  printf("its thread: / %d, umask %03o\n", !is_first_place(), mask());
  return nothing;
}

static void* go_away(void* nothing) {
  say("paths", unshare(CLONE_FS));
  say("chdir", chdir("/"));
  umask(077);
  printf("thread: / %d, umask %03o\n", !is_first_place(), mask());
  run(look);
  fflush(stdout);
  if (fork() == 0) {
    printf("its child: / %d, umask %03o\n", !is_first_place(), mask());
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
  return nothing;
}

// What Go's TestLockOSThreadAvoidsStatePropagation does, and umask(2).
static void paths(void) {
  umask(022);
  getcwd(first_place, sizeof first_place);
  run(go_away);
  printf("first: / %d, umask %03o\n", !is_first_place(), mask());
}

static int ends[2], its_file;

static void* open_own(void* nothing) {
  say("files", unshare(CLONE_FILES));
  printf("ends %d %d\n", is_open(ends[0]), is_open(ends[1]));
  close(ends[0]);
  its_file = dup2(ends[1], 100);
  printf("thread: %d %d %d\n", is_open(ends[0]), is_open(ends[1]), is_open(its_file));
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return nothing;
}

// A writer that only the thread's table has ends with the thread.
static void files(void) {
  char byte;
  pthread_t thread;
  pipe(ends);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, open_own, NULL);
  pthread_barrier_wait(&barrier);
  printf("first: %d %d %d\n", is_open(ends[0]), is_open(ends[1]), is_open(its_file));
  close(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  say("with a writer", read(ends[0], &byte, 1));
  pthread_barrier_wait(&barrier);
  pthread_join(thread, NULL);
  // The kernel wakes the joiner before it closes the files.
  fcntl(ends[0], F_SETFL, 0);
  say("without one", read(ends[0], &byte, 1));
  close(ends[0]);
}

static void* exec_with_own(void* program) {
  fcntl(1, F_SETFD, 0);
  say("files", unshare(CLONE_FILES | CLONE_FS));
  chdir("/");
  dup2(1, 101);
  fflush(stdout);
  execl(program, program, "after exec", NULL);
  return NULL;
}

// The thread that execs takes its own along.
static void exec_of_thread(char* program) {
  fflush(stdout);
  if (fork() == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, exec_with_own, program);
    pthread_join(thread, NULL);
    _exit(1);
  }
  wait(NULL);
}

static int set;

static void change(int by) {
  struct sembuf operation = {0, (short)by, SEM_UNDO};
  semop(set, &operation, 1);
}

static int value(void) {
  return semctl(set, 0, GETVAL, 0);
}

static void* undo_own(void* nothing) {
  change(1);
  say("undo", unshare(CLONE_SYSVSEM));
  printf("shared: %d\n", value());
  change(2);
  return nothing;
}

static void semaphores(void) {
  set = semget(IPC_PRIVATE, 1, 0600);
  change(4);
  say("alone", unshare(CLONE_SYSVSEM));
  printf("undone: %d\n", value());
  change(8);
  run(undo_own);
  // The end of the thread undoes its own after it has woken the joiner.
  for (int i = 0; i < 100 && value() != 9; i++) usleep(10000);
  printf("after the thread: %d\n", value());
  semctl(set, 0, IPC_RMID);
}

// A child of clone(2) with name spaces of its own.
static void start(const char* what, unsigned long flags) {
  const long child = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  say(what, child > 0 ? 0 : child);
}

static void* refuse_in_thread(void* nothing) {
  refuse("two threads");
  return nothing;
}

int main(int argc, char** argv) {
  if (argc > 1) {
    printf("%s: 101 %d, / %d\n", argv[1], is_open(101), access("proc", F_OK) == 0);
    return 0;
  }
  char program[PATH_MAX];
  realpath(argv[0], program);
  setvbuf(stdout, NULL, _IONBF, 0);
  refuse("one thread");
  paths();
  files();
  exec_of_thread(program);
  semaphores();
  run(refuse_in_thread);
  say("mounts", unshare(CLONE_NEWNS));
  say("names", unshare(CLONE_NEWUTS));
  say("IPC", unshare(CLONE_NEWIPC));
  say("network", unshare(CLONE_NEWNET));
  say("processes", unshare(CLONE_NEWPID));
  start("child, nothing", 0);
  start("child, mounts", CLONE_NEWNS);
  start("child, names", CLONE_NEWUTS);
  start("child, IPC", CLONE_NEWIPC);
  start("child, network", CLONE_NEWNET);
  start("child, processes", CLONE_NEWPID);
  start("child, mounts, with a common directory", CLONE_NEWNS | CLONE_FS);
  start("child, users, with a common directory", CLONE_NEWUSER | CLONE_FS);
  start("thread, users", CLONE_NEWUSER | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM);
  return 0;
}
