// Built with -pg, profiles itself: all of its time is hot's, in profil_width_code.S.
void hot(int rounds);

int main(void) {
  hot(6000000);
  return 0;
}
