#!/bin/sh
# Makes a verified backup of the whole PostgreSQL server and a dump of the accounts. Run it daily, as a login with
# REPLICATION.
#   backup.sh --to /var/backups/vis [--keep 7] [--database vis]
# The server is chosen by the variables of libpq (PGHOST, PGPORT, PGUSER, PGPASSFILE). With the WAL segments that
# archive-wal.sh stores in DIR/wal, restore.sh can restore any time since the end of the oldest kept backup.
set -eu
umask 077

to='' keep=7 database=vis
while [ $# -gt 0 ]; do
  case $1 in
    --to) to=$2 ;;
    --keep) keep=$2 ;;
    --database) database=$2 ;;
    *) echo "backup: unknown option $1; it takes --to DIR, --keep NUMBER and --database NAME" >&2; exit 2 ;;
  esac
  shift 2
done
[ -n "$to" ] || { echo 'backup: name the backup folder: --to DIR' >&2; exit 2; }

# Debian does not put all PostgreSQL programs on the PATH.
for bin in /usr/lib/postgresql/*/bin; do PATH=$PATH:$bin; done

mkdir -p "$to/base" "$to/accounts"

# The backup has another name until it is complete and verified, so restore.sh never uses an incomplete one.
part=$to/base/.part
rm -rf "$part"
pg_basebackup --pgdata "$part" --checkpoint=fast --wal-method=stream --no-password
pg_verifybackup --quiet "$part"
# The name is the end time of the backup, because it can restore any later time.
stamp=$(date -u +%Y%m%dT%H%M%SZ)
mv "$part" "$to/base/$stamp"

# Feed data can be downloaded again, accounts cannot: a second copy as a dump, which newer PostgreSQL versions can read.
pg_dump --dbname "$database" --schema accounts --format custom --no-password --file "$to/accounts/.$stamp.part"
pg_restore --list "$to/accounts/.$stamp.part" >/dev/null
mv "$to/accounts/.$stamp.part" "$to/accounts/$stamp.dump"

# Delete the oldest backups and the WAL segments that only they needed.
list_backups() { find "$to/base" -mindepth 1 -maxdepth 1 -name '2*Z' -printf '%f\n' | sort -r; }
list_backups | tail -n "+$((keep + 1))" | while read -r old; do rm -rf "$to/base/$old" "$to/accounts/$old.dump"; done
oldest=$(list_backups | tail -n 1)
if [ -d "$to/wal" ]; then
  needed=$(sed -n 's/^START WAL LOCATION: .*(file \(.*\))$/\1/p' "$to/base/$oldest/backup_label")
  pg_archivecleanup "$to/wal" "$needed"
fi
echo "backup: $to/base/$stamp, verified; the oldest kept backup is $oldest"
