/* Part 3: the memory objects of a case: buffers of counters with a guard on both sides. */

#if WORD == 0xffffUL
#define OBJECTS 4
#define LONGEST 128 /* bytes of an object */
typedef unsigned short counter;
#else
#define OBJECTS 8
#define LONGEST 8192
typedef unsigned long counter; /* its low 32 bits, or its high ones */
#endif
#define ELEMENTS (LONGEST / 2)
#define GUARD 64

union slot {
  double align;
  unsigned char bytes[GUARD + 8 + LONGEST + GUARD];
};
union slot arena[OBJECTS];

struct object {
  unsigned char* start; /* of its pages */
  unsigned char* memory;
  long size; /* bytes */
  int skew;  /* bytes in front of the first counter */
  int width; /* of a counter */
  int is_paged;
  int is_far;    /* counters in front of it and behind it are the case's, too */
  int is_mapped; /* and can be read */
  int is_writable;
  int is_wanted; /* the case says what it must hold */
};
struct object objects[OBJECTS];
int object_count;

/* By object and counter: what it held before the case in the case's own numbers, what it must hold
   at the end, and the ticks that it got. Of 8-byte counters the upper halves are apart. */
counter preset_low[OBJECTS][ELEMENTS], preset_high[OBJECTS][ELEMENTS];
counter wanted_low[OBJECTS][ELEMENTS], wanted_high[OBJECTS][ELEMENTS];
counter before[OBJECTS][ELEMENTS];
int counted[OBJECTS][ELEMENTS];

int elements_of(const struct object* object) {
  return (int)((object->size - object->skew) / object->width);
}

int is_little_endian(void) {
  short one = 1;
  return *(char*)&one == 1;
}

/* The low 32 bits of a counter, and what lies above them. */
unsigned long load(const struct object* object, int index, int is_high) {
  const unsigned char* at = object->memory + object->skew + (long)index * object->width;
  int i, width = object->width > 4 ? 4 : object->width;
  unsigned long value = 0;
  if (is_high && object->width <= 4) return 0;
  /* Quickly, for ticks find the program looking. */
  if (width == 2 && ((unsigned long)at & 1) == 0) return *(const unsigned short*)at;
  if (object->width > 4 && is_high == is_little_endian()) at += 4;
  for (i = 0; i < width; ++i) value = value << 8 | at[is_little_endian() ? width - 1 - i : i];
  return value;
}

void store(const struct object* object, int index, unsigned long high, unsigned long low) {
  unsigned char* at = object->memory + object->skew + (long)index * object->width;
  int i;
  for (i = 0; i < object->width; ++i) {
    int place = is_little_endian() ? i : object->width - 1 - i;
    at[place] = (unsigned char)((i < 4 ? low : high) >> (8 * (i & 3)));
  }
}

void clear_object(int number) {
  struct object* object = &objects[number];
  long i;
  for (i = 0; i < ELEMENTS; ++i) {
    preset_low[number][i] = preset_high[number][i] = before[number][i] = 0;
    counted[number][i] = 0;
  }
  for (i = 0; i < object->size; ++i) object->memory[i] = 0;
}

/* Memory that can be unmapped. Where there is no mmap(), it begins a little behind the end of the
   data, and is mapped by moving that. */
#define PAGES 0x10000L
#define FAR_PAGES 0x40000L
#define FAR_BEHIND 0x2000L

#if HAS_MMAP
int pages_from(void) {
#if defined(MAP_ANON) || defined(MAP_ANONYMOUS)
  return -1;
#else
  return open("/dev/zero", O_RDWR);
#endif
}
#if defined(MAP_ANON)
#define PAGES_FLAGS (MAP_PRIVATE | MAP_ANON)
#elif defined(MAP_ANONYMOUS)
#define PAGES_FLAGS (MAP_PRIVATE | MAP_ANONYMOUS)
#else
#define PAGES_FLAGS MAP_PRIVATE
#endif

/* At an address of the system's choice when `at` is null. */
void* map_pages(void* at, long length) {
  int flags = PAGES_FLAGS | (at == 0 ? 0 : MAP_FIXED);
  void* pages =
      (void*)mmap(at, (unsigned long)length, PROT_READ | PROT_WRITE, flags, pages_from(), 0);
  if (pages == (void*)-1) give_up("mmap() gives no memory");
  return pages;
}

void unmap_pages(void* at) {
  if (munmap(at, PAGES) != 0) give_up("munmap() fails");
}

unsigned long bad_address(void) {
  void* pages = map_pages((void*)0, PAGES);
  unmap_pages(pages);
  return (unsigned long)pages;
}
#else
char* data_end;

void* map_pages(void* at, long length) {
  (void)length;
  if (at == 0) {
    data_end = sbrk(0);
    at = (void*)(((unsigned long)data_end + 2 * FAR_BEHIND) & ~(FAR_BEHIND - 1UL));
  }
  if (brk((char*)at + FAR_BEHIND) != 0) give_up("there is no memory behind the data");
  return at;
}

void unmap_pages(void* at) {
  (void)at;
  if (brk(data_end) != 0) give_up("the data cannot be shortened");
}

unsigned long bad_address(void) {
  return (unsigned long)sbrk(0) + 2 * FAR_BEHIND;
}
#endif

/* Memory around an object whose region has counters in front of it or behind it: ticks may find any
   text of the program, and must not count in the program's own data. */
unsigned char* far_memory(void) {
#if HAS_MMAP
  return (unsigned char*)map_pages((void*)0, FAR_PAGES) + FAR_PAGES / 2;
#else
  unsigned char* start = (unsigned char*)sbrk((int)FAR_PAGES);
  if ((long)start == -1L) give_up("there is no memory for the counters of all text");
  return start + (FAR_PAGES / 2 - (long)((unsigned long)start & 15));
#endif
}

#define IN_ARENA 0
#define IN_PAGES 1
#define FAR_AWAY 2

/* The object that the case calls number `number`, all zeroes; `alignment` is the remainder of its
   address by 8. */
void new_object(int number, int alignment, long size, int skew, int width, int place) {
  struct object* object = &objects[number];
  object->start = arena[number].bytes + GUARD;
  if (place == IN_PAGES) object->start = (unsigned char*)map_pages((void*)0, PAGES);
  if (place == FAR_AWAY) object->start = far_memory();
  object->memory = object->start + alignment;
  object->size = size;
  object->skew = skew;
  object->width = width;
  object->is_paged = place == IN_PAGES;
  object->is_far = place == FAR_AWAY;
  object->is_mapped = object->is_writable = 1;
  object->is_wanted = 0;
  if (number >= object_count) object_count = number + 1;
  clear_object(number);
}

void map_object(int number) {
  struct object* object = &objects[number];
  if (object->is_paged && !object->is_mapped) map_pages(object->start, PAGES);
  object->is_mapped = object->is_writable = 1;
  clear_object(number);
}

void unmap_object(int number) {
  objects[number].is_mapped = 0;
  unmap_pages(objects[number].start);
}

/* Whether the object can be written from now on. What cannot be written cannot be read either where
   there is no mprotect(); it holds zeroes there. */
void protect_object(int number, int is_writable) {
#if HAS_MMAP
  int protection = is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
  if (mprotect((void*)objects[number].start, PAGES, protection) != 0) {
    give_up("mprotect() fails");
  }
#else
  if (is_writable) {
    map_pages(objects[number].start, PAGES);
  } else {
    unmap_pages(objects[number].start);
  }
  objects[number].is_mapped = is_writable;
#endif
  objects[number].is_writable = is_writable;
}

/* Nothing but the counters may change: the guards, the bytes in front of skewed counters and those
   behind the last whole one. */
void check_guards(void) {
  int i;
  long k;
  for (i = 0; i < object_count; ++i) {
    const struct object* object = &objects[i];
    long first = object->skew;
    long last = first + (long)elements_of(object) * object->width;
    if (!object->is_mapped || object->is_far) continue;
    for (k = object->is_paged ? 0 : -GUARD; k < object->size + GUARD; ++k) {
      if (k >= first && k < last) continue;
      if (object->memory[k] != 0) fail("a byte outside of the buffer", 0, object->memory[k]);
    }
  }
}
