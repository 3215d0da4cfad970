#!/bin/sh
# PostgreSQL's archive_command: keeps one finished piece of its log. In postgresql.conf:
#   archive_mode = on
#   archive_timeout = 60s
#   archive_command = '/opt/vis/deploy/backup/archive-wal.sh "%p" /var/backups/vis/wal "%f"'
# Called again for a piece that is there already (after a crash), it succeeds if the two are equal and fails if not.
set -eu
from=$1
folder=$2
name=$3

if [ -e "$folder/$name" ]; then
  cmp -s "$from" "$folder/$name" && exit 0
  echo "archive-wal: $folder/$name is there already and is different: two servers must not share an archive" >&2
  exit 1
fi
mkdir -p "$folder"
cp "$from" "$folder/.$name.part"
sync "$folder/.$name.part"
mv "$folder/.$name.part" "$folder/$name"
sync "$folder"
