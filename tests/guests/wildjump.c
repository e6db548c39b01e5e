// Jumps to address 3: must end with a signal. The address is unaligned, and instruction addresses
// must be multiples of four (MIPS RISC Architecture, Address Error exception).
int main(void) {
  void (*volatile nowhere)(void) = (void (*)(void))3;
  nowhere();
  return 0;
}
