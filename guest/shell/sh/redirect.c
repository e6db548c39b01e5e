// Redirection (POSIX.2, 2.7).
#include "shell.h"

enum { high_files = 10, pipe_bytes = 4096 };

int open_high(const char* path) {
  const long file = sys_open(path, open_read, false);
  if (file < 0) return (int)file;
  const long high = sys_duplicate((int)file, high_files);
  sys_close((int)file);
  if (high >= 0) sys_close_on_exec((int)high);
  return (int)high;
}

void move_file(int from, int to) {
  if (from == to) return;
  sys_close(to);
  sys_duplicate(from, to);
  sys_close(from);
}

// What a pipe does not hold at once a child writes.
static int document_file(const char* text) {
  const size_t length = text_length(text);
  int ends[2];
  if (sys_pipe(ends) < 0) return -1;
  const long child = length > pipe_bytes ? fork_shell() : 0;
  if (child == 0) {
    for (size_t at = 0; at < length;) {
      const long count = sys_write(ends[1], text + at, length - at);
      if (count < 0 && count != -EINTR) break;
      if (count > 0) at += (size_t)count;
    }
    if (length > pipe_bytes) sys_exit(0);
  }
  sys_close(ends[1]);
  return ends[0];
}

static bool opens_new(const struct redirection* redirection, const char* path) {
  struct file_status status;
  if (redirection->kind != redirect_out || !option('c')) return false;
  return sys_status(path, true, &status) < 0 || (status.mode & mode_format) == mode_regular;
}

static long open_target(const struct redirection* redirection, const char* path) {
  static const enum open_how how[] = {
      [redirect_in] = open_read,   [redirect_out] = open_write,     [redirect_append] = open_append,
      [redirect_both] = open_both, [redirect_clobber] = open_write,
  };
  const long file = sys_open(path, how[redirection->kind], opens_new(redirection, path));
  if (file < 0) {
    complain(redirection->kind == redirect_in ? "cannot open " : "cannot create ", path, ": ",
             error_text(file), NULL);
  }
  return file;
}

static void save_file(int file, struct saved_file** saved) {
  if (saved == NULL) return;
  for (const struct saved_file* each = *saved; each != NULL; each = each->next) {
    if (each->file == file) return;
  }
  const long copy = sys_duplicate(file, high_files);
  if (copy >= 0) sys_close_on_exec((int)copy);
  struct saved_file* const made = keep(sizeof *made);
  *made = (struct saved_file){.next = *saved, .file = file, .copy = copy < 0 ? -1 : (int)copy};
  *saved = made;
}

// <&N, >&N and <&-.
static bool copy_file(int file, const char* target, struct saved_file** saved) {
  const int from = parse_number(target);
  if (from < 0 && !text_is(target, "-")) {
    complain("bad file descriptor: ", target, NULL);
    return false;
  }
  if (from == file) return true;
  save_file(file, saved);
  if (from >= 0) {
    const long copy = sys_duplicate(from, high_files);
    if (copy < 0) {
      complain(target, ": ", error_text(copy), NULL);
      return false;
    }
    move_file((int)copy, file);
  } else {
    sys_close(file);
  }
  return true;
}

static bool redirect_one(const struct redirection* redirection, struct saved_file** saved) {
  const char* const target = expand_to_text(redirection->target);
  if (redirection->kind == redirect_copy) return copy_file(redirection->file, target, saved);
  const long file = redirection->kind == redirect_document ? document_file(target)
                                                           : open_target(redirection, target);
  if (file < 0) return false;
  if (file != redirection->file) {
    save_file(redirection->file, saved);
    move_file((int)file, redirection->file);
  } else if (saved != NULL) {
    struct saved_file* const made = keep(sizeof *made);
    *made = (struct saved_file){.next = *saved, .file = (int)file, .copy = -1};
    *saved = made;
  }
  return true;
}

bool redirect(const struct redirection* all, struct saved_file** saved) {
  for (const struct redirection* each = all; each != NULL; each = each->next) {
    if (!redirect_one(each, saved)) return false;
  }
  return true;
}

void restore_files(struct saved_file* saved) {
  while (saved != NULL) {
    struct saved_file* const next = saved->next;
    sys_close(saved->file);
    if (saved->copy >= 0) move_file(saved->copy, saved->file);
    drop(saved);
    saved = next;
  }
}
