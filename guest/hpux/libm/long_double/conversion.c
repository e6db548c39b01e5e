/* What GCC calls of its own libgcc: HP's library has no conversion of an unsigned integer of 32 bits to a quad. */
long double __floatunsitf(unsigned value) {
  return (long double)(long long)value;
}
