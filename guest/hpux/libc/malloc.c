/* malloc(3C): boundary tags, and a list of free chunks for each power of two. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#undef malloc
#undef free
#undef calloc

void* (*_hc_malloc)(size_t) = malloc, *(*_hc_calloc)(size_t, size_t) = calloc;
void (*_hc_free)(void*) = free;

/* In front of what the program gets. A chunk in use is not in a list. */
struct chunk {
  size_t previous; /* the size of the chunk in front; 0: there is none */
  size_t size;     /* with the header; a multiple of `grain`, plus `in_use` */
  struct chunk *next_free, *previous_free;
};
enum { header = 2 * sizeof(size_t), grain = 2 * sizeof(size_t), in_use = 1, lists = 32 };
enum { smallest = sizeof(struct chunk), growth = 65536 };

static struct chunk* free_list[lists];
static size_t arena; /* bytes that the break has been moved by */
static struct chunk* top; /* a chunk of size 0 in use, at the end of the heap */

static size_t size_of(const struct chunk* c) {
  return c->size & ~(size_t)in_use;
}
static struct chunk* behind(struct chunk* c) {
  return (struct chunk*)((char*)c + size_of(c));
}
static struct chunk* chunk_of(void* p) {
  return (struct chunk*)((char*)p - header);
}
static void* content(struct chunk* c) {
  return (char*)c + header;
}

static int list_of(size_t size) {
  int list = 0;
  while (size > smallest && list < lists - 1) size >>= 1, ++list;
  return list;
}

static void take_out(struct chunk* c) {
  if (c->previous_free != NULL) {
    c->previous_free->next_free = c->next_free;
  } else {
    free_list[list_of(size_of(c))] = c->next_free;
  }
  if (c->next_free != NULL) c->next_free->previous_free = c->previous_free;
}

static void put_in(struct chunk* c) {
  struct chunk** list = &free_list[list_of(size_of(c))];
  c->next_free = *list;
  c->previous_free = NULL;
  if (*list != NULL) (*list)->previous_free = c;
  *list = c;
}

static void set_size(struct chunk* c, size_t size, int used) {
  c->size = size | used;
  behind(c)->previous = size;
}

/* Joins a chunk that is in no list with its free neighbours, and lists it. */
static void release(struct chunk* c) {
  size_t size = size_of(c);
  struct chunk* next = behind(c);
  if (!(next->size & in_use)) {
    take_out(next);
    size += size_of(next);
  }
  if (c->previous != 0) {
    struct chunk* front = (struct chunk*)((char*)c - c->previous);
    if (!(front->size & in_use)) {
      take_out(front);
      size += size_of(front);
      c = front;
    }
  }
  set_size(c, size, 0);
  put_in(c);
}

/* Room at the end of the heap; the program may have moved the break itself. */
static int grow(size_t size) {
  size_t wanted = (size + 2 * header + growth - 1) / growth * growth;
  if (wanted < size) return 0;
  char* place = sbrk(wanted);
  if (place == (char*)-1) return 0;
  arena += wanted;
  char* start = (char*)(((uintptr_t)place + grain - 1) / grain * grain);
  char* end = (char*)(((uintptr_t)place + wanted) / grain * grain);
  struct chunk* made = (struct chunk*)start;
  if (top != NULL && (char*)top + header == start) {
    made = top;
  } else {
    made->previous = 0;
  }
  top = (struct chunk*)(end - header);
  made->size = (char*)top - (char*)made;
  top->size = in_use;
  top->previous = made->size;
  release(made);
  return 1;
}

static struct chunk* find_free(size_t size) {
  for (int list = list_of(size); list < lists; ++list) {
    for (struct chunk* c = free_list[list]; c != NULL; c = c->next_free) {
      if (size_of(c) >= size) return c;
    }
  }
  return NULL;
}

/* Cuts what is more than `size` off a chunk in use. */
static void trim(struct chunk* c, size_t size) {
  size_t whole = size_of(c);
  if (whole - size < smallest) return;
  set_size(c, size, in_use);
  struct chunk* rest = behind(c);
  set_size(rest, whole - size, in_use);
  release(rest);
}

static size_t chunk_size(size_t size) {
  size_t needed = (size + header + grain - 1) / grain * grain;
  if (needed < size) return 0;
  return needed < smallest ? smallest : needed;
}

void* malloc(size_t size) {
  size_t needed = chunk_size(size);
  struct chunk* found = needed == 0 ? NULL : find_free(needed);
  if (found == NULL && needed != 0 && grow(needed)) found = find_free(needed);
  if (found == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  take_out(found);
  found->size |= in_use;
  trim(found, needed);
  return content(found);
}

void free(void* p) {
  if (p != NULL && (chunk_of(p)->size & in_use)) release(chunk_of(p));
}

void* calloc(size_t count, size_t size) {
  if (size != 0 && count > (size_t)-1 / size) {
    errno = ENOMEM;
    return NULL;
  }
  void* made = malloc(count * size);
  return made == NULL ? NULL : memset(made, 0, count * size);
}

void cfree(void* p) {
  free(p);
}

void* realloc(void* p, size_t size) {
  if (p == NULL) return malloc(size);
  struct chunk* c = chunk_of(p);
  size_t needed = chunk_size(size);
  if (!(c->size & in_use)) take_out(c), c->size |= in_use; /* as old programs do after free() */
  struct chunk* next = behind(c);
  if (needed != 0 && size_of(c) < needed && !(next->size & in_use) &&
      size_of(c) + size_of(next) >= needed) {
    take_out(next);
    set_size(c, size_of(c) + size_of(next), in_use);
  }
  if (needed != 0 && size_of(c) >= needed) {
    trim(c, needed);
    return p;
  }
  void* moved = malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, p, size_of(c) - header);
  free(p);
  return moved;
}

/* A chunk of which the front is given back, so that the rest has the alignment; a power of two. */
void* memalign(size_t alignment, size_t size) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    errno = EINVAL;
    return NULL;
  }
  if (alignment <= grain) return malloc(size);
  size_t extra = alignment + smallest;
  char* p = size + extra < size ? NULL : malloc(size + extra);
  if (p == NULL) return NULL;
  char* aligned = (char*)(((uintptr_t)p + alignment - 1) & ~(uintptr_t)(alignment - 1));
  if (aligned == p) return p;
  if ((size_t)(aligned - p) < smallest) aligned += alignment;
  struct chunk* front = chunk_of(p);
  size_t whole = size_of(front), cut = aligned - p;
  set_size(front, cut, in_use);
  set_size(chunk_of(aligned), whole - cut, in_use);
  release(front);
  trim(chunk_of(aligned), chunk_size(size));
  return aligned;
}

void* valloc(size_t size) {
  return memalign(getpagesize(), size);
}

/* mallinfo(3X): there are no small blocks of their own. Bytes in ordinary blocks, from the first on. */
struct mallinfo {
  int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};

struct mallinfo mallinfo(void) {
  struct mallinfo info = {0};
  for (int list = 0; list < lists; ++list) {
    for (const struct chunk* c = free_list[list]; c != NULL; c = c->next_free) {
      ++info.ordblks;
      info.fordblks += size_of(c);
    }
  }
  info.arena = arena;
  info.uordblks = arena - info.fordblks;
  return info;
}

/* Every size is served in the one way. */
int mallopt(int command, int value) {
  (void)command, (void)value;
  return 0;
}
