// Never ends: only a limit (--max-instructions, --max-cycles) stops it.
int main(void) {
  for (;;) {
  }
}
