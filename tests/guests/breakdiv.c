// Divides by zero: the compiler's check executes `break 7`, which the kernel turns into SIGFPE.
// DIV itself never traps (MIPS RISC Architecture, DIV).
int main(void) {
  volatile int one = 1;
  volatile int zero = 0;
  return one / zero;
}
