#include "shell.h"

struct source* source;
bool is_continuation;

enum { input_bytes = 1024 };

static void enter(struct source* made) {
  made->outer = source;
  source = made;
}

void read_from_text(struct source* made, const char* text) {
  *made = (struct source){.text = text, .file = -1, .length = text_length(text)};
  enter(made);
}

void read_from_file(struct source* made, int file, bool by_character) {
  *made = (struct source){.file = file, .by_character = by_character, .bytes = keep(input_bytes)};
  enter(made);
}

void leave_source(void) {
  drop(source->bytes);
  source = source->outer;
}

static void prompt(void) {
  const char* const text = get(is_continuation ? "PS2" : "PS1");
  if (text != NULL) sys_write(2, text, text_length(text));
}

// At a terminal a read gives one line.
static bool fill(void) {
  if (source->prompts) prompt();
  for (;;) {
    const long count =
        sys_read(source->file, source->bytes, source->by_character ? 1 : input_bytes);
    if (count == -EINTR) continue;
    if (count <= 0) return false;
    source->at = 0;
    source->length = (size_t)count;
    if (option('v')) sys_write(2, source->bytes, source->length);
    return true;
  }
}

int next_character(void) {
  if (source->backs > 0) return source->back[--source->backs];
  for (;;) {
    while (source->at < source->length) {
      const char c = (source->text != NULL ? source->text : source->bytes)[source->at++];
      if (c != 0) return (unsigned char)c;
    }
    if (source->text != NULL || !fill()) return end_of_input;
  }
}

void push_back(int c) {
  source->back[source->backs++] = c;
}
