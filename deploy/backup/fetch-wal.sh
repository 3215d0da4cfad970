#!/bin/sh
# restore_command of PostgreSQL: copies one WAL segment from the archive and decrypts it if needed. restore.sh configures
# PostgreSQL to run this script.
#   fetch-wal.sh /var/backups/vis/wal "%f" "%p" [IDENTITY]
# Exit code 1 tells PostgreSQL that the archive has no such segment, so that recovery ends. After any other error recovery
# must stop with an error, because it would otherwise lose later changes; PostgreSQL does so for exit codes above 125.
set -eu
. "$(dirname "$0")/encryption.sh"
readonly ABORT_RECOVERY=150
folder=$1
name=$2
to=$3
identity=${4:-}

for found in "$folder/$name" "$folder/$name.age" "$folder/$name.gpg"; do
  [ -e "$found" ] || continue
  case $found in
    *.age | *.gpg) decrypt "$found" "$identity" >"$to" || exit "$ABORT_RECOVERY" ;;
    *) cp "$found" "$to" || exit "$ABORT_RECOVERY" ;;
  esac
  exit 0
done
exit 1
