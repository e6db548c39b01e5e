// Field splitting and pathname expansion (POSIX.2, 2.6.5 and 2.6.6).
#include "shell.h"

void add_field(struct fields* to, char* value) {
  if (to->count + 1 >= to->room) {
    const int room = to->room == 0 ? 16 : 2 * to->room;
    char** const larger = take((size_t)room * sizeof *larger);
    for (int at = 0; at < to->count; ++at) larger[at] = to->values[at];
    to->values = larger;
    to->room = room;
  }
  to->values[to->count++] = value;
  to->values[to->count] = NULL;
}

static char* plain_text(const struct glyph* glyphs, size_t length) {
  struct buffer text = {0};
  for (size_t at = 0; at < length; ++at) put(&text, glyphs[at].c);
  return finish(&text);
}

static void end_field(struct glyphs* field, bool* exists, struct fields* to) {
  if (*exists) {
    const bool is_literal = option('f') || !is_pattern(field->all, field->count);
    const int before = to->count;
    if (!is_literal) add_paths(field->all, field->count, to);
    if (to->count == before) add_field(to, plain_text(field->all, field->count));
  }
  field->count = 0;
  *exists = false;
}

static bool is_white(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

// A separator that is no white space ends a field, even an empty one, but not the one that white
// space before it has ended.
void split_fields(const struct glyphs* glyphs, struct fields* to) {
  const char* const set_ifs = get("IFS");
  const char* const ifs = set_ifs == NULL ? " \t\n" : set_ifs;
  struct glyphs field = {0};
  bool exists = false, ended_by_white = false;
  for (size_t at = 0; at < glyphs->count; ++at) {
    const struct glyph glyph = glyphs->all[at];
    if (glyph.kind == glyph_break) {
      end_field(&field, &exists, to);
    } else if (glyph.kind == glyph_field) {
      exists = true;
    } else if (glyph.kind != glyph_split || text_find(ifs, glyph.c) == NULL) {
      add_glyph(&field, glyph.c, glyph.kind == glyph_quoted ? glyph_quoted : glyph_literal);
      exists = true;
    } else if (is_white(glyph.c)) {
      if (exists) ended_by_white = true;
      end_field(&field, &exists, to);
      continue;
    } else if (!ended_by_white || exists) {
      exists = true;
      end_field(&field, &exists, to);
    }
    ended_by_white = false;
  }
  end_field(&field, &exists, to);
}

// ---- Paths.

static size_t component_length(const struct glyph* pattern, size_t length) {
  size_t at = 0;
  while (at < length && pattern[at].c != '/') ++at;
  return at;
}

enum { entry_buffer_bytes = 2048 };

// The names in a directory that match; those that begin with a period, only if the pattern does.
static void matching_names(const char* directory, const struct glyph* pattern, size_t length,
                           struct fields* to) {
  const long file = sys_open(directory, open_read, false);
  if (file < 0) return;
  uint64_t* const buffer = take(entry_buffer_bytes);
  long count;
  while ((count = sys_entries((int)file, buffer, entry_buffer_bytes)) > 0) {
    for (size_t at = 0, bytes; at < (size_t)count; at += bytes) {
      const char* const name = sys_entry_name((const char*)buffer + at, &bytes);
      if (bytes == 0) break;
      if (name == NULL || (*name == '.' && (length == 0 || pattern[0].c != '.'))) continue;
      const size_t name_bytes = text_length(name);
      if (matches(pattern, length, name, name_bytes)) add_field(to, take_text(name, name_bytes));
    }
  }
  sys_close((int)file);
}

static void add_paths_below(const char* front, const struct glyph* pattern, size_t length,
                            struct fields* to) {
  const size_t size = component_length(pattern, length);
  size_t slashes = size;
  while (slashes < length && pattern[slashes].c == '/') ++slashes;
  const char* const behind = plain_text(pattern + size, slashes - size);
  struct fields names = {0};
  if (is_pattern(pattern, size)) {
    matching_names(*front == 0 ? "." : front, pattern, size, &names);
  } else {
    add_field(&names, plain_text(pattern, size));
  }
  for (int at = 0; at < names.count; ++at) {
    char* const path = join(front, names.values[at], behind, NULL);
    struct file_status status;
    if (slashes < length) {
      add_paths_below(path, pattern + slashes, length - slashes, to);
    } else if (sys_status(path, *behind != 0, &status) >= 0) {
      add_field(to, path);
    }
  }
}

// Shell's sort.
static void sort(char** all, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2) {
    for (int at = gap; at < count; ++at) {
      char* const moved = all[at];
      int to = at;
      for (; to >= gap && text_compare(all[to - gap], moved) > 0; to -= gap)
        all[to] = all[to - gap];
      all[to] = moved;
    }
  }
}

void add_paths(const struct glyph* pattern, size_t length, struct fields* to) {
  const int before = to->count;
  add_paths_below("", pattern, length, to);
  sort(to->values + before, to->count - before);
}
