// A robust lock whose owner ends, as a thread and as a process: pthread_mutex_lock() is EOWNERDEAD.
// QEMU's user mode does without set_robust_list(2).
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void* lock(void* mutex) {
  pthread_mutex_lock(mutex);
  return NULL;
}

static void take_over(const char* from, pthread_mutex_t* mutex) {
  int error = pthread_mutex_lock(mutex);
  printf("from %s: %s\n", from, error == EOWNERDEAD ? "EOWNERDEAD" : strerror(error));
  printf("consistent %d, unlocked %d\n", pthread_mutex_consistent(mutex),
         pthread_mutex_unlock(mutex));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  pthread_mutex_t* mutex =
      mmap(NULL, sizeof *mutex, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(mutex, &attributes);

  pthread_t thread;
  pthread_create(&thread, NULL, lock, mutex);
  pthread_join(thread, NULL);
  take_over("a thread", mutex);

  pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(mutex);
    usleep(500000);
    _exit(0);
  }
  usleep(200000);
  take_over("a process", mutex);
  waitpid(child, NULL, 0);
  return 0;
}
