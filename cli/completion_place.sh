# WORD...: those after 'hardclock', up to the cursor. Finds what may stand there: words, files or
# folders (hc_kind, hc_words), behind the part of the last word that stays (hc_prefix).
_hardclock_place() {
  local place=command command= option= word
  hc_prefix=
  while [[ $# -gt 1 ]]; do
    word=$1
    shift
    case "$place $word" in
      'command '*) command=$word place=options ;;
      'operands '*) ;;
      *' --') place=operands ;;
      'value '*) place=options ;;
      'options -'?*)
        option=$word
        _hardclock_table "$command" "$option"
        if [[ $hc_value = required ]]; then place=value; fi ;;
      *)
        _hardclock_table "$command"
        if [[ -n $hc_guest ]]; then place=operands; fi ;;
    esac
  done
  case "$place $1" in
    'command -'*) hc_kind=words hc_words=(--help --version) ;;
    'command '*) hc_kind=commands ;;
    'value '*) _hardclock_table "$command" "$option" ;;
    'options --'*=*)
      option=${1%%=*}
      hc_prefix=$option=
      _hardclock_table "$command" "$option" ;;
    'options -'*)
      _hardclock_table "$command"
      hc_kind=words hc_words=("${hc_options[@]}") ;;
    *)
      _hardclock_table "$command"
      # A guest's own --option=FILE.
      if [[ $place = operands ]]; then hc_prefix=${1%"${1##*=}"}; fi ;;
  esac
  hc_rest=${1#"$hc_prefix"}
  if [[ -n $hc_separator && $hc_rest = *"$hc_separator"* ]]; then
    hc_prefix=$hc_prefix${hc_rest%"$hc_separator"*}$hc_separator
    hc_rest=${hc_rest##*"$hc_separator"}
  fi
  # A name with a slash in it is a file that describes a processor or a machine.
  case $hc_kind,$hc_rest in
    processors,*/*|machines,*/*|models,*/*) hc_kind=files ;;
    words,*|files,*|folders,*) ;;
    *) _hardclock_names "$hc_kind" ;;
  esac
}

