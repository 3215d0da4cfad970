#!/bin/sh
# Makes a data directory out of a backup and the archived log: as of the end of the log, or of a moment before a mistake.
#   restore.sh --pgdata /var/lib/postgresql/17/restored --from /var/backups/vis [--until '2026-11-15 10:00:00+00']
# It starts nothing. Start PostgreSQL on the new directory: it replays the log, and is open for writing when that is done.
set -eu
umask 077

pgdata='' from='' until=''
while [ $# -gt 0 ]; do
  case $1 in
    --pgdata) pgdata=$2 ;;
    --from) from=$2 ;;
    --until) until=$2 ;;
    *) echo "restore: unknown option $1; it takes --pgdata DIR, --from DIR and --until TIME" >&2; exit 2 ;;
  esac
  shift 2
done
if [ -z "$pgdata" ] || [ -z "$from" ]; then
  echo 'restore: say --pgdata DIR (a new one) and --from DIR' >&2
  exit 2
fi
if [ -d "$pgdata" ] && [ -n "$(ls -A "$pgdata")" ]; then
  echo "restore: $pgdata is not empty: restore beside what is there, and move that away when the new one is good" >&2
  exit 1
fi

# The newest backup that was finished before the moment.
latest=$(date -u ${until:+--date "$until"} +%Y%m%dT%H%M%SZ)
base=''
for each in "$from"/base/*; do
  name=${each##*/}
  if [ -d "$each" ] && [ "$(printf '%s\n' "$name" "$latest" | sort | head -n 1)" = "$name" ]; then base=$each; fi
done
[ -n "$base" ] || { echo "restore: $from/base has no backup from before $latest" >&2; exit 1; }

mkdir -p "$pgdata"
cp -R "$base/." "$pgdata/"
chmod 700 "$pgdata"
{
  echo "restore_command = 'cp \"$from/wal/%f\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  # A restored server must not write into the archive of the one that it was made from.
  echo "archive_mode = 'off'"
  if [ -n "$until" ]; then echo "recovery_target_time = '$until'"; fi
} >>"$pgdata/postgresql.auto.conf"
touch "$pgdata/recovery.signal"
echo "restore: $pgdata is made of ${base##*/}; start PostgreSQL on it"
