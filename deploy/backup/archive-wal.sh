#!/bin/sh
# archive_command of PostgreSQL: copies one finished WAL segment into the archive. In postgresql.conf:
#   archive_mode = on
#   archive_timeout = 60s
#   archive_command = '/opt/vis/current/deploy/backup/archive-wal.sh "%p" /var/backups/vis/wal "%f"'
# With a file of recipients as the fourth argument, the segment is encrypted (encryption.sh).
# After a crash PostgreSQL may archive a segment again: the script succeeds if both copies are equal and fails otherwise.
set -eu
umask 077
. "$(dirname "$0")/encryption.sh"
from=$1
folder=$2
name=$3
recipients=${4:-}

fail_if_different() {
  if "$@"; then exit 0; fi
  echo "archive-wal: $folder/$name exists already and differs: two servers must not share an archive" >&2
  exit 1
}

mkdir -p "$folder"
target=$folder/$name
if [ -z "$recipients" ]; then
  if [ -e "$target" ]; then fail_if_different cmp -s "$from" "$target"; fi
  cp "$from" "$folder/.$name.part"
else
  target=$target$(encrypted_suffix "$recipients")
  # Each encryption gives different bytes, so a second copy is compared by the checksum of the segment.
  checksum=$(sha256sum <"$from" | cut -d ' ' -f 1)
  if [ -e "$target" ]; then fail_if_different grep -qx "$checksum" "$folder/$name.sha256"; fi
  encrypt "$recipients" <"$from" >"$folder/.$name.part"
  echo "$checksum" >"$folder/$name.sha256"
  sync "$folder/$name.sha256"
fi
sync "$folder/.$name.part"
mv "$folder/.$name.part" "$target"
sync "$folder"
