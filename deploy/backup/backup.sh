#!/bin/sh
# A backup of the whole server, verified, and a dump of the accounts beside it; once a day, by a login with REPLICATION.
#   backup.sh --to /var/backups/vis [--keep 7] [--database vis]
# Where the server is, the variables of libpq say (PGHOST, PGPORT, PGUSER, PGPASSFILE). Together with the pieces of the log
# that archive-wal.sh keeps in DIR/wal, restore.sh brings back any moment since the oldest backup that is kept.
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
[ -n "$to" ] || { echo 'backup: where to? Say --to DIR' >&2; exit 2; }

# Debian keeps some of PostgreSQL's programs out of the way.
for bin in /usr/lib/postgresql/*/bin; do PATH=$PATH:$bin; done

mkdir -p "$to/base" "$to/accounts"

# Under another name until it is whole and verified: restore.sh never sees half of one.
part=$to/base/.part
rm -rf "$part"
pg_basebackup --pgdata "$part" --checkpoint=fast --wal-method=stream --no-password
pg_verifybackup --quiet "$part"
# Named for its end: it is good for every moment since then.
stamp=$(date -u +%Y%m%dT%H%M%SZ)
mv "$part" "$to/base/$stamp"

# Feeds can be fetched again, accounts cannot: a second copy, of another kind, that any newer PostgreSQL reads.
pg_dump --dbname "$database" --schema accounts --format custom --no-password --file "$to/accounts/.$stamp.part"
pg_restore --list "$to/accounts/.$stamp.part" >/dev/null
mv "$to/accounts/.$stamp.part" "$to/accounts/$stamp.dump"

# The oldest go; of the log, what only they needed.
names() { find "$to/base" -mindepth 1 -maxdepth 1 -name '2*Z' -printf '%f\n' | sort -r; }
names | tail -n "+$((keep + 1))" | while read -r old; do rm -rf "$to/base/$old" "$to/accounts/$old.dump"; done
oldest=$(names | tail -n 1)
if [ -d "$to/wal" ]; then
  needed=$(sed -n 's/^START WAL LOCATION: .*(file \(.*\))$/\1/p' "$to/base/$oldest/backup_label")
  pg_archivecleanup "$to/wal" "$needed"
fi
echo "backup: $to/base/$stamp, verified; the oldest kept is $oldest"
