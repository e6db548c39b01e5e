#include "shell.h"

// ---- Blocks of powers of two, with a list of free ones for each.

enum { smallest = 16, sizes = 40, grow_bytes = 32 << 10 };

union block {
  union block* next;  // of a free one
  size_t size;        // the list that it goes to
  char align[smallest];
};

static union block* free_blocks[sizes];
static uintptr_t heap_at, heap_end;

static void no_memory(void) {
  static const char message[] = "sh: no memory\n";
  sys_write(2, message, sizeof message - 1);
  sys_exit(2);
}

static void* more(size_t bytes) {
  if (heap_end == 0) heap_at = heap_end = (sys_break(0) + smallest - 1) & -(uintptr_t)smallest;
  if (heap_end - heap_at < bytes) {
    const size_t growth = bytes > grow_bytes ? bytes : grow_bytes;
    if (growth < bytes || heap_end + growth < heap_end ||
        sys_break(heap_end + growth) < heap_end + growth)
      no_memory();
    heap_end += growth;
  }
  void* const made = (void*)heap_at;
  heap_at += bytes;
  return made;
}

void* keep(size_t bytes) {
  size_t size = 0, room = smallest;
  if (bytes > (size_t)-1 / 4) no_memory();
  while (room < bytes + sizeof(union block)) room <<= 1, ++size;
  union block* made = free_blocks[size];
  if (made != NULL) {
    free_blocks[size] = made->next;
  } else {
    made = more(room);
  }
  made->size = size;
  return made + 1;
}

void drop(void* memory) {
  if (memory == NULL) return;
  union block* const block = (union block*)memory - 1;
  const size_t size = block->size;
  block->next = free_blocks[size];
  free_blocks[size] = block;
}

char* keep_text(const char* text) {
  const size_t bytes = text_length(text) + 1;
  return memcpy(keep(bytes), text, bytes);
}

// ---- Arenas.

struct chunk {
  struct chunk* below;
  size_t used, room;
};

enum { chunk_bytes = 2000, alignment = 8 };

struct arena scratch;

void* arena_take(struct arena* arena, size_t bytes) {
  bytes = (bytes + alignment - 1) & -(size_t)alignment;
  struct chunk* top = arena->top;
  if (top == NULL || top->room - top->used < bytes) {
    const size_t room = bytes > chunk_bytes ? bytes : chunk_bytes;
    struct chunk* const made = keep(sizeof *made + alignment + room);
    *made = (struct chunk){.below = top, .used = 0, .room = room};
    arena->top = top = made;
  }
  char* const first = (char*)(((uintptr_t)(top + 1) + alignment - 1) & -(uintptr_t)alignment);
  void* const taken = first + top->used;
  top->used += bytes;
  return taken;
}

struct mark arena_mark(const struct arena* arena) {
  return (struct mark){arena->top, arena->top == NULL ? 0 : arena->top->used};
}

void arena_release(struct arena* arena, struct mark mark) {
  while (arena->top != mark.top) {
    struct chunk* const below = arena->top->below;
    drop(arena->top);
    arena->top = below;
  }
  if (arena->top != NULL) arena->top->used = mark.used;
}

void* take(size_t bytes) {
  return arena_take(&scratch, bytes);
}

char* take_text(const char* text, size_t length) {
  char* const made = take(length + 1);
  memcpy(made, text, length);
  made[length] = 0;
  return made;
}

char* join(const char* first, ...) {
  struct buffer buffer = {0};
  va_list more_texts;
  va_start(more_texts, first);
  for (const char* each = first; each != NULL; each = va_arg(more_texts, const char*)) {
    put_text(&buffer, each);
  }
  va_end(more_texts);
  return finish(&buffer);
}

// ---- Buffers.

void put(struct buffer* buffer, char c) {
  if (buffer->length == buffer->room) {
    const size_t room = buffer->room == 0 ? 64 : 2 * buffer->room;
    char* const larger = take(room);
    if (buffer->length != 0) memcpy(larger, buffer->text, buffer->length);
    buffer->text = larger;
    buffer->room = room;
  }
  buffer->text[buffer->length++] = c;
}

void put_text(struct buffer* buffer, const char* text) {
  for (; *text != 0; ++text) put(buffer, *text);
}

char* finish(struct buffer* buffer) {
  put(buffer, 0);
  return buffer->text;
}
