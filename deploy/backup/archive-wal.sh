#!/bin/sh
# archive_command of PostgreSQL: copies one finished WAL segment into the archive. In postgresql.conf:
#   archive_mode = on
#   archive_timeout = 60s
#   archive_command = '/opt/vis/deploy/backup/archive-wal.sh "%p" /var/backups/vis/wal "%f"'
# After a crash PostgreSQL may archive a segment again: the script succeeds if both copies are equal and fails otherwise.
set -eu
from=$1
folder=$2
name=$3

if [ -e "$folder/$name" ]; then
  cmp -s "$from" "$folder/$name" && exit 0
  echo "archive-wal: $folder/$name exists already and differs: two servers must not share an archive" >&2
  exit 1
fi
mkdir -p "$folder"
cp "$from" "$folder/.$name.part"
sync "$folder/.$name.part"
mv "$folder/.$name.part" "$folder/$name"
sync "$folder"
