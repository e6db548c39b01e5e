// Which thread takes a signal that is sent to its process: one that does not block it (signal(7)),
// and of those the first one, as complete_signal() of Linux's kernel/signal.c prefers. There, and so
// under QEMU's user mode, the first thread is passed over now and then while it is being waked.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile pid_t handled_by;
static pthread_barrier_t barrier;

static void note_thread(int signal) {
  (void)signal;
  handled_by = (pid_t)syscall(SYS_gettid);
}

static long count_of_first(void) {
  long by_first = 0;
  for (int i = 0; i < 10; i++) {
    handled_by = 0;
    kill(getpid(), SIGUSR2);
    for (int tries = 0; handled_by == 0 && tries < 1000; tries++) usleep(1000);
    by_first += handled_by == getpid();
  }
  return by_first;
}

static void* send_to_process(void* when) {
  if (when != NULL) pthread_barrier_wait(when);
  return (void*)count_of_first();
}

static pthread_t start(void* when) {
  pthread_t thread;
  pthread_create(&thread, NULL, send_to_process, when);
  return thread;
}

static long join(pthread_t thread) {
  void* result = NULL;
  pthread_join(thread, &result);
  return (long)result;
}

int main(void) {
  sigset_t set;
  struct sigaction action = {.sa_handler = note_thread, .sa_flags = SA_RESTART};
  setvbuf(stdout, NULL, _IONBF, 0);
  sigaction(SIGUSR2, &action, NULL);
  printf("by the first thread: %ld\n", join(start(NULL)));
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_barrier_init(&barrier, NULL, 2);
  const pthread_t thread = start(&barrier);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_barrier_wait(&barrier);
  printf("by the first thread, which blocks it: %ld\n", join(thread));
  return 0;
}
