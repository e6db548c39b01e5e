// Threads of the C library: mutexes, conditions, barriers, semaphores, locks for readers and
// writers, joins, thread-local data, cancellation, time limits.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { threads = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_t thread[threads];
static int count, turn;
static __thread int own = 5;

static void start(int how_many, void* (*function)(void*)) {
  for (long i = 0; i < how_many; i++) {
    int error = pthread_create(&thread[i], NULL, function, (void*)i);
    if (error != 0) printf("pthread_create: %s\n", strerror(error));
  }
}

static long join(int how_many) {
  long sum = 0;
  for (int i = 0; i < how_many; i++) {
    void* result = NULL;
    pthread_join(thread[i], &result);
    sum += (long)result;
  }
  return sum;
}

static void* add(void* number) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
  }
  own += (int)(long)number;
  return (void*)(long)own;
}

static void* take_turns(void* number) {
  int me = (int)(long)number;
  for (int i = 0; i < 20; i++) {
    pthread_mutex_lock(&mutex);
    while (turn != me) pthread_cond_wait(&turned, &mutex);
    turn = !me;
    pthread_cond_broadcast(&turned);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

#ifndef __ia64__
static void clean_up(void* what) {
  printf("cleans up %s\n", (char*)what);
}

static void* sleep_on(void* nothing) {
  pthread_cleanup_push(clean_up, "a sleeper");
  for (;;) sleep(100);
  pthread_cleanup_pop(0);
  return nothing;
}
#endif

static pthread_barrier_t barrier;
static int serial_threads;

static void* meet(void* nothing) {
  for (int i = 0; i < 5; i++) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial_threads++;
  }
  return nothing;
}

static sem_t semaphore;

static void* post(void* nothing) {
  for (int i = 0; i < 10; i++) sem_post(&semaphore);
  return nothing;
}

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int written;

static void* read_and_write(void* nothing) {
  for (int i = 0; i < 50; i++) {
    pthread_rwlock_wrlock(&lock);
    written++;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
  }
  return nothing;
}

static volatile sig_atomic_t handled;

static void on_signal(int number) {
  handled = number == SIGUSR1 && pthread_self() == thread[0];
}

static void* wait_for_signal(void* nothing) {
  while (!handled) usleep(1000);
  return nothing;
}

static void wait_in_vain(void) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += 20000000;
  if (end.tv_nsec >= 1000000000) {
    end.tv_nsec -= 1000000000;
    end.tv_sec++;
  }
  pthread_mutex_lock(&mutex);
  int error = pthread_cond_timedwait(&turned, &mutex, &end);
  pthread_mutex_unlock(&mutex);
  printf("in vain: %s\n", strerror(error));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  start(threads, add);
  long sum = join(threads);
  printf("count %d, results %ld, own data %d\n", count, sum, own);
  start(2, take_turns);
  printf("turns end: %ld\n", join(2));
#ifndef __ia64__  // its unwinder needs libgcc_s.so.1
  start(1, sleep_on);
  usleep(10000);
  pthread_cancel(thread[0]);
  printf("cancelled: %d\n", join(1) == (long)PTHREAD_CANCELED);
#endif
  wait_in_vain();
  pthread_barrier_init(&barrier, NULL, 8);
  start(8, meet);
  join(8);
  printf("serial threads %d\n", serial_threads);
  sem_init(&semaphore, 0, 0);
  start(4, post);
  for (int i = 0; i < 40; i++) sem_wait(&semaphore);
  join(4);
  start(8, read_and_write);
  join(8);
  printf("written %d\n", written);
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  start(1, wait_for_signal);
  pthread_kill(thread[0], SIGUSR1);
  join(1);
  printf("handled by its thread: %d\n", handled);
  return 0;
}
