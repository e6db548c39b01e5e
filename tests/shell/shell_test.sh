#!/bin/bash
# shell_test.sh HARDCLOCK OWN EXPECTED PROGRAM...: programs find a shell where their root has none, and the root's own where it
# has one; scripts run; the doctor says so. PROGRAM of system.c, or spawn_NAME of spawn.c.
set -u
hardclock=$(realpath "$1")
own=$(realpath "$2")
expected=$(realpath "$3")
shift 3
programs=()
for each in "$@"; do programs+=("$(realpath "$each")"); done
cd "$(mktemp -d)" || exit 1
failed=0

# WHAT EXPECTED GOT
same() {
  [[ $2 == "$3" ]] && return
  printf '%s: expected\n%s\nnot\n%s\n' "$1" "$2" "$3"
  failed=1
}

# Of a PA-RISC program that needs HP-UX's libc.1, which hardclock has as well.
run() { "$hardclock" run --timing=functional --cwd=rw "$@" 2>&1; }

for program in "${programs[@]}"; do
  case $program in
    */spawn_*) wanted=$(for i in 1 2 3; do printf 'from sh\nstatus 7\n'; done) ;;
    *) wanted=$(cat "$expected") ;;
  esac
  same "$program" "$wanted" "$(run "$program")"
done

mkdir -p root/bin other/bin
cp "$own" root/bin/sh
linux=${programs[0]}
same "the root's own shell" "own shell: echo from system; exit 7" "$(run -L root "$linux" | head -1)"
same "a root with other programs" "from system" "$(run -L other "$linux" | head -1)"

printf '#!/bin/sh -e\necho "$1" $#; false; echo never\n' >script
chmod +x script
for os in linux irix hpux; do
  same "a script, --os=$os" "a b 2" "$(run --os=$os ./script 'a b' c)"
done
message="hardclock: ./script: a script whose interpreter /bin/sh cannot run: no such file or directory; \
hardclock's own shell runs it if --os NAME says for which system"
same "a script of no system" "$message" "$(run ./script)"

printf '#!/bin/sh\n./plain; ./binary; echo $?\n' >script
printf 'echo plain script\n' >plain
printf '\177ELF\0' >binary
chmod +x plain binary
same "files of other formats" $'plain script\n126' "$(run --os=linux ./script | grep -v binary)"

says() { "$hardclock" doctor "$@" | grep '^shell'; }
same "the doctor" "shell           hardclock's own /bin/sh: no guest root has one" "$(says "$linux")"
same "the doctor, of a root's own" "" "$(says "$linux" -L root)"
exit $failed
