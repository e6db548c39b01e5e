/* pthread_stubs(5): what the C library has of threads for a program of one thread. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

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
/* Not known; no thread is made with them. */
int pthread_attr_init(void* attributes) {
  (void)attributes;
  return ENOSYS;
}
int __pthread_attr_init_system(void* attributes) {
  return pthread_attr_init(attributes);
}

/* "Dummy functions returning zero", whatever their arguments. */
#define DUMMY(name) \
  int name(void) { return 0; }
DUMMY(pthread_atfork)
DUMMY(pthread_attr_destroy)
DUMMY(pthread_attr_getdetachstate)
DUMMY(pthread_attr_getguardsize)
DUMMY(pthread_attr_getinheritsched)
DUMMY(pthread_attr_getschedparam)
DUMMY(pthread_attr_getschedpolicy)
DUMMY(pthread_attr_getscope)
DUMMY(pthread_attr_getstackaddr)
DUMMY(pthread_attr_getstacksize)
DUMMY(pthread_attr_setdetachstate)
DUMMY(pthread_attr_setguardsize)
DUMMY(pthread_attr_setinheritsched)
DUMMY(pthread_attr_setschedparam)
DUMMY(pthread_attr_setschedpolicy)
DUMMY(pthread_attr_setscope)
DUMMY(pthread_attr_setstackaddr)
DUMMY(pthread_attr_setstacksize)
DUMMY(pthread_cancel)
DUMMY(pthread_cond_broadcast)
DUMMY(pthread_cond_destroy)
DUMMY(pthread_cond_init)
DUMMY(pthread_cond_signal)
DUMMY(pthread_cond_timedwait)
DUMMY(pthread_cond_wait)
DUMMY(pthread_condattr_destroy)
DUMMY(pthread_condattr_getpshared)
DUMMY(pthread_condattr_init)
DUMMY(pthread_condattr_setpshared)
DUMMY(pthread_detach)
DUMMY(pthread_join)
DUMMY(pthread_mutex_destroy)
DUMMY(pthread_mutex_init)
DUMMY(pthread_mutex_lock)
DUMMY(pthread_mutex_trylock)
DUMMY(pthread_mutex_unlock)
DUMMY(pthread_mutexattr_destroy)
DUMMY(pthread_mutexattr_getpshared)
DUMMY(pthread_mutexattr_gettype)
DUMMY(pthread_mutexattr_init)
DUMMY(pthread_mutexattr_setprotocol)
DUMMY(pthread_mutexattr_setpshared)
DUMMY(pthread_mutexattr_settype)
DUMMY(pthread_once)
DUMMY(pthread_rwlock_destroy)
DUMMY(pthread_rwlock_init)
DUMMY(pthread_rwlock_rdlock)
DUMMY(pthread_rwlock_tryrdlock)
DUMMY(pthread_rwlock_trywrlock)
DUMMY(pthread_rwlock_unlock)
DUMMY(pthread_rwlock_wrlock)
DUMMY(pthread_rwlockattr_destroy)
DUMMY(pthread_rwlockattr_getpshared)
DUMMY(pthread_rwlockattr_init)
DUMMY(pthread_rwlockattr_setpshared)
DUMMY(pthread_setcancelstate)
DUMMY(pthread_setcanceltype)
DUMMY(pthread_setconcurrency)
DUMMY(pthread_setschedparam)
DUMMY(pthread_suspend)
DUMMY(pthread_testcancel)

/* ---- What the one thread keeps; a key is an int (GNAT, s-osinte__hpux.ads). */

enum { most_keys = 128, rounds_at_end = 4 };
static struct key {
  int is_made;
  void (*at_end)(void*);
  void* value;
} keys[most_keys];

static struct key* find_key(int number) {
  return number >= 0 && number < most_keys && keys[number].is_made ? &keys[number] : NULL;
}

int pthread_key_create(int* number, void (*at_end)(void*)) {
  for (int i = 0; i < most_keys; ++i) {
    if (keys[i].is_made) continue;
    keys[i] = (struct key){1, at_end, NULL};
    *number = i;
    return 0;
  }
  return EAGAIN;
}
int pthread_key_delete(int number) {
  struct key* key = find_key(number);
  if (key == NULL) return EINVAL;
  key->is_made = 0;
  return 0;
}
void* pthread_getspecific(int number) {
  const struct key* key = find_key(number);
  return key == NULL ? NULL : key->value;
}
int pthread_setspecific(int number, const void* value) {
  struct key* key = find_key(number);
  if (key == NULL) return EINVAL;
  key->value = (void*)value;
  return 0;
}

/* Each value that is not null is handed to its key's function, which may set it again. */
void pthread_exit(void* result) {
  (void)result;
  for (int round = 0; round < rounds_at_end; ++round) {
    for (struct key* key = keys; key < keys + most_keys; ++key) {
      void* const value = key->value;
      key->value = NULL;
      if (key->is_made && key->at_end != NULL && value != NULL) key->at_end(value);
    }
  }
  exit(0);
}
