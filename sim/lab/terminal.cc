#include "sim/lab/terminal.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
// Its macros hide names of others, so it comes last.
#define NCURSES_NOMACROS 1
#include <curses.h>

#include "sim/lab/panes.h"
#include "sim/lab/screen.h"

namespace hardclock::lab {
namespace {

constexpr int poll_milliseconds = 200;

// A terminal in ncurses's hands.
class Curses {
 public:
  Curses() : screen_(::newterm(nullptr, stdout, stdin)) {
    if (screen_ == nullptr) return;
    ::set_term(screen_);
    ::cbreak();
    ::noecho();
    ::nonl();
    ::keypad(stdscr, TRUE);
    ::curs_set(0);
    constexpr int escape_milliseconds = 50;
    ::set_escdelay(escape_milliseconds);
    // So that a signal is noticed while nobody presses a key.
    ::wtimeout(stdscr, poll_milliseconds);
    use_colours();
  }
  ~Curses() {
    if (screen_ == nullptr) return;
    ::endwin();
    ::delscreen(screen_);
  }
  Curses(const Curses&) = delete;
  Curses& operator=(const Curses&) = delete;

  bool is_there() const { return screen_ != nullptr; }

  void draw(const Ui& ui) {
    ::werase(stdscr);
    const ScreenSize size{static_cast<std::size_t>(::getmaxx(stdscr)),
                          static_cast<std::size_t>(::getmaxy(stdscr))};
    int row = 0;
    for (const Line& line : screen_of(ui, size)) {
      ::wmove(stdscr, row++, 0);
      for (const Span& span : line) {
        ::wattrset(stdscr, static_cast<int>(attribute(span.style)));
        ::waddnstr(stdscr, span.text.c_str(), static_cast<int>(span.text.size()));
      }
    }
    ::wattrset(stdscr, A_NORMAL);
    ::wrefresh(stdscr);
  }

  // Far away ticks and functions take a while.
  void say_that_it_runs() {
    ::wattrset(stdscr, static_cast<int>(attribute(Style::tick)));
    ::mvwaddnstr(stdscr, ::getmaxy(stdscr) - 1, 0, "running ... Ctrl-C stops it", -1);
    ::wclrtoeol(stdscr);
    ::wattrset(stdscr, A_NORMAL);
    ::wrefresh(stdscr);
  }

  // Control-C is a key in between, and no signal.
  void begin_to_run() {
    ::raw();
    ::wtimeout(stdscr, 0);
    next_look_ = Clock::now() + between_looks;
    is_running_ = true;
  }
  void end_to_run() {
    is_running_ = false;
    ::wtimeout(stdscr, poll_milliseconds);
    ::noraw();
    ::cbreak();
  }
  // What else has been typed is for later.
  bool is_stop_wanted() {
    if (!is_running_ || Clock::now() < next_look_) return false;
    next_look_ = Clock::now() + between_looks;
    bool is_wanted = false;
    for (int key = ::wgetch(stdscr); key != ERR; key = ::wgetch(stdscr)) {
      if (key == control_c)
        is_wanted = true;
      else
        typed_ahead_.push_back(key);
    }
    return is_wanted;
  }

  // A key as the user interface takes it; no_key: none was pressed, or the size has changed.
  int key() {
    switch (const int key = next_key(); key) {
      case ERR:
      case KEY_RESIZE:
        return Ui::no_key;
      case KEY_RIGHT:
      case KEY_DOWN:
        return 's';
      case KEY_LEFT:
      case KEY_UP:
        return 'b';
      case KEY_ENTER:
      case '\r':
        return Ui::enter;
      case KEY_BACKSPACE:
      case '\b':
        return Ui::backspace;
      default:
        return key;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds between_looks{50};
  static constexpr int control_c = 3;

  int next_key() {
    if (typed_ahead_.empty()) return ::wgetch(stdscr);
    const int key = typed_ahead_.front();
    typed_ahead_.pop_front();
    return key;
  }

  void use_colours() {
    const char* const wish = std::getenv("NO_COLOR");
    const bool is_unwanted = wish != nullptr && *wish != '\0';
    if (is_unwanted || !::has_colors() || ::start_color() == ERR) return;
    ::use_default_colors();
    constexpr short of_the_terminal = -1;
    ::init_pair(1, COLOR_YELLOW, of_the_terminal);
    ::init_pair(2, COLOR_CYAN, of_the_terminal);
    ::init_pair(3, COLOR_GREEN, of_the_terminal);
    ::init_pair(4, COLOR_RED, of_the_terminal);
    has_colours_ = true;
  }

  attr_t attribute(Style style) const {
    const auto colour = [&](short pair) {
      return has_colours_ ? static_cast<attr_t>(COLOR_PAIR(pair)) : attr_t{A_NORMAL};
    };
    switch (style) {
      case Style::plain:
        return A_NORMAL;
      case Style::title:
        return A_BOLD;
      case Style::soft:
        return A_DIM;
      case Style::changed:
        return A_BOLD | colour(1);
      case Style::tick:
        return A_BOLD | colour(2);
      case Style::good:
        return A_BOLD | colour(3);
      case Style::bad:
        return A_BOLD | colour(4);
    }
    return A_NORMAL;
  }

  SCREEN* screen_ = nullptr;
  bool has_colours_ = false;
  std::deque<int> typed_ahead_;
  bool is_running_ = false;
  Clock::time_point next_look_;
};

bool may_take_long(int key) {
  return key == 't' || key == 'b' || key == Ui::enter;
}

}  // namespace

Result<Ok, std::string> work_at_terminal(Ui& ui, const std::function<bool()>& is_to_end) {
  Curses terminal;
  if (!terminal.is_there()) {
    return Failure{
        std::string("the terminal's type in TERM is unknown; set TERM, or print screens "
                    "with --keys 's t'")};
  }
  ui.stop_if([&terminal] { return terminal.is_stop_wanted(); });
  while (!ui.is_over() && !is_to_end()) {
    terminal.draw(ui);
    int key = Ui::no_key;
    while (key == Ui::no_key && !is_to_end()) {
      key = terminal.key();
      if (key == Ui::no_key) terminal.draw(ui);
    }
    if (key == Ui::no_key) continue;
    if (!may_take_long(key)) {
      ui.press(key);
      continue;
    }
    terminal.begin_to_run();
    terminal.say_that_it_runs();
    ui.press(key);
    terminal.end_to_run();
  }
  ui.stop_if(nullptr);
  return Ok{};
}

}  // namespace hardclock::lab
