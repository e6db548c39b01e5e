_hardclock() {
  local hc_options=() hc_words=() hc_kind= hc_value= hc_separator= hc_guest= hc_prefix= hc_rest=
  # bash splits words at '=', ':' and '@', too, and replaces the last piece only: `kept` is what
  # stands before it.
  local words=() piece i last=-1 glue= kept=
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    if [[ $last -ge 0 && -n $piece && ( -n $glue || -z ${piece//[=:@]/} ) ]]; then
      kept=${words[last]}
      words[last]+=$piece
    else
      kept=
      words[++last]=$piece
    fi
    glue=
    if [[ -n $piece && -z ${piece//[=:@]/} ]]; then
      glue=1
      kept=${words[last]}
    fi
  done
  _hardclock_place "${words[@]}"
  if [[ ${COMP_WORDS[COMP_CWORD - 1]} = *[\<\>]* ]]; then
    hc_kind=files hc_prefix= hc_rest=${COMP_WORDS[COMP_CWORD]} kept=
  fi
  COMPREPLY=()
  case $hc_kind in
    files) mapfile -t COMPREPLY < <(compgen -f -- "$hc_rest") ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$hc_rest") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "${hc_words[*]}" -- "$hc_rest") ;;
  esac
  for i in "${!COMPREPLY[@]}"; do
    piece=$hc_prefix${COMPREPLY[i]}
    COMPREPLY[i]=${piece#"$kept"}
  done
  # compopt complains where no TAB was pressed.
  case $hc_kind in
    files|folders) compopt -o filenames 2>/dev/null ;;
  esac
  if [[ ${COMPREPLY[0]-} = *= ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}

complete -F _hardclock hardclock
