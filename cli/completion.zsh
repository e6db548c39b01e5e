_hardclock() {
  local hc_kind= hc_value= hc_separator= hc_guest= hc_prefix= hc_rest=
  local -a hc_options hc_words before
  before=("${(@Q)words[2,CURRENT-1]}")
  if ((CURRENT == 2)); then before=(); fi
  _hardclock_place "${before[@]}" "$PREFIX"
  compset -p ${#hc_prefix}
  case $hc_kind in
    files) _files ;;
    folders) _files -/ ;;
    *)
      compadd -S '' -- "${(@M)hc_words:#*=}"
      compadd -- "${(@)hc_words:#*=}" ;;
  esac
  ((compstate[nmatches] > 0))
}

if [[ $funcstack[1] = _hardclock ]]; then
  _hardclock "$@"
else
  compdef _hardclock hardclock
fi
