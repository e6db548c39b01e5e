/* pthread_stubs(5): what the C library has of threads for a program of one thread. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>

int pthread_mutex_init(void* mutex, const void* attributes) {
  (void)mutex, (void)attributes;
  return 0;
}
int pthread_mutex_destroy(void* mutex) {
  return pthread_mutex_init(mutex, NULL);
}
int pthread_mutex_lock(void* mutex) {
  return pthread_mutex_init(mutex, NULL);
}
int pthread_mutex_trylock(void* mutex) {
  return pthread_mutex_init(mutex, NULL);
}
int pthread_mutex_unlock(void* mutex) {
  return pthread_mutex_init(mutex, NULL);
}

int pthread_self(void) {
  return 1;
}
int pthread_equal(int a, int b) {
  return a == b;
}
int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) {
  return sigprocmask(how, set, old) == 0 ? 0 : errno;
}

int pthread_create(void* thread, const void* attributes, void* (*run)(void*), void* argument) {
  (void)thread, (void)attributes, (void)run, (void)argument;
  return ENOSYS;
}
int __pthread_create_system(void* thread, const void* attributes, void* (*run)(void*),
                            void* argument) {
  return pthread_create(thread, attributes, run, argument);
}
int pthread_detach(int thread) {
  (void)thread;
  return ENOSYS;
}
int pthread_cancel(int thread) {
  return pthread_detach(thread);
}
