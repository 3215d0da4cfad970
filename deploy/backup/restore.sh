#!/bin/sh
# Creates a data directory from a backup and the archived WAL: with the newest state, or with the state of a given time.
#   restore.sh --pgdata /var/lib/postgresql/17/restored --from /var/backups/vis [--until '2026-11-15 10:00:00+00']
# The script does not start PostgreSQL. Start it on the new directory: it replays the WAL and then accepts writes.
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
  echo 'restore: name a new data directory and the backup folder: --pgdata DIR --from DIR' >&2
  exit 2
fi
if [ -d "$pgdata" ] && [ -n "$(ls -A "$pgdata")" ]; then
  echo "restore: $pgdata is not empty: restore into a new directory and replace the old one after checking the result" >&2
  exit 1
fi

# Choose the newest backup that ended before the wanted time.
latest=$(date -u ${until:+--date "$until"} +%Y%m%dT%H%M%SZ)
base=''
for each in "$from"/base/*; do
  name=${each##*/}
  if [ -d "$each" ] && [ "$(printf '%s\n' "$name" "$latest" | sort | head -n 1)" = "$name" ]; then base=$each; fi
done
[ -n "$base" ] || { echo "restore: $from/base has no backup that ended before $latest" >&2; exit 1; }

mkdir -p "$pgdata"
cp -R "$base/." "$pgdata/"
chmod 700 "$pgdata"
{
  echo "restore_command = 'cp \"$from/wal/%f\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  # The restored server must not write into the WAL archive of the original server.
  echo "archive_mode = 'off'"
  if [ -n "$until" ]; then echo "recovery_target_time = '$until'"; fi
} >>"$pgdata/postgresql.auto.conf"
touch "$pgdata/recovery.signal"
echo "restore: created $pgdata from the backup ${base##*/}; start PostgreSQL on it"
