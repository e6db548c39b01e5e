int count;

void __start(void) {
  for (;;)
    count++;
}
