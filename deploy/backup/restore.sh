#!/bin/sh
# Creates a data directory from a backup and the archived WAL: with the newest state, or with the state of a given time.
#   restore.sh --pgdata /var/lib/postgresql/17/restored --from /var/backups/vis [--until '2026-11-15 10:00:00+00'] [--identity PATH]
# --identity is needed for an encrypted backup: the file with the secret key of age, or the home folder of gpg.
# The script does not start PostgreSQL. Start it on the new directory: it replays the WAL and then accepts writes.
set -eu
umask 077
scripts=$(cd "$(dirname "$0")" && pwd)
. "$scripts/encryption.sh"

pgdata='' from='' until='' identity=''
while [ $# -gt 0 ]; do
  case $1 in
    --pgdata) pgdata=$2 ;;
    --from) from=$2 ;;
    --until) until=$2 ;;
    --identity) identity=$2 ;;
    *) echo "restore: unknown option $1; it takes --pgdata DIR, --from DIR, --until TIME and --identity PATH" >&2; exit 2 ;;
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

# Debian does not put all PostgreSQL programs on the PATH.
for bin in /usr/lib/postgresql/*/bin; do PATH=$PATH:$bin; done

# Choose the newest backup that ended before the wanted time.
latest=$(date -u ${until:+--date "$until"} +%Y%m%dT%H%M%SZ)
base=''
for each in "$from"/base/2*; do
  name=${each##*/}
  name=${name%%.*}
  case $each in *.first-wal) continue ;; esac
  if [ -e "$each" ] && [ "$(printf '%s\n' "$name" "$latest" | sort | head -n 1)" = "$name" ]; then base=$each; fi
done
[ -n "$base" ] || { echo "restore: $from/base has no backup that ended before $latest" >&2; exit 1; }
case $base in
  *.age | *.gpg) [ -r "$identity" ] || { echo "restore: $base is encrypted: name the secret key of age or the home folder of gpg: --identity PATH" >&2; exit 2; } ;;
esac

mkdir -p "$pgdata"
chmod 700 "$pgdata"
if [ -d "$base" ]; then
  cp -R "$base/." "$pgdata/"
else
  # A pipeline returns only the exit code of its last command, so a failure leaves a file behind.
  failed=$pgdata/decryption-failed
  { decrypt "$base" "$identity" || touch "$failed"; } | tar --extract --directory "$pgdata" || touch "$failed"
  [ ! -e "$failed" ] || { echo "restore: $base could not be decrypted; $pgdata is incomplete" >&2; exit 1; }
fi
pg_verifybackup --quiet --ignore vis-configuration "$pgdata"

# The backup of a server whose configuration is not in its data directory (Debian) has no postgresql.conf of its own.
if [ ! -e "$pgdata/postgresql.conf" ] && [ -d "$pgdata/vis-configuration" ]; then
  mv "$pgdata"/vis-configuration/* "$pgdata/"
fi
rm -rf "$pgdata/vis-configuration"
{
  echo "restore_command = '\"$scripts/fetch-wal.sh\" \"$from/wal\" \"%f\" \"%p\" \"$identity\"'"
  echo "recovery_target_action = 'promote'"
  # The restored server must not write into the WAL archive of the original server.
  echo "archive_mode = 'off'"
  if [ -n "$until" ]; then echo "recovery_target_time = '$until'"; fi
} >>"$pgdata/postgresql.auto.conf"
touch "$pgdata/recovery.signal"
echo "restore: created $pgdata from the backup ${base##*/}; start PostgreSQL on it"
