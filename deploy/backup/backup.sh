#!/bin/sh
# Makes a verified backup of the whole PostgreSQL server, with its configuration, and a dump of the accounts. Run it daily
# on the database host, as the operating system user of PostgreSQL or with another login that is a superuser.
#   backup.sh --to /var/backups/vis [--keep 7] [--database vis] [--recipients FILE]
# The server is chosen by the variables of libpq (PGHOST, PGPORT, PGUSER, PGPASSFILE). With the WAL segments that
# archive-wal.sh stores in DIR/wal, restore.sh can restore any time since the end of the oldest kept backup.
# --recipients encrypts the backup (encryption.sh). The unencrypted copy is verified in TMPDIR (default: /var/tmp), which
# needs as much free space as the database; it is never in the backup folder.
set -eu
umask 077
. "$(dirname "$0")/encryption.sh"

to='' keep=7 database=vis recipients=''
while [ $# -gt 0 ]; do
  case $1 in
    --to) to=$2 ;;
    --keep) keep=$2 ;;
    --database) database=$2 ;;
    --recipients) recipients=$2 ;;
    *) echo "backup: unknown option $1; it takes --to DIR, --keep NUMBER, --database NAME and --recipients FILE" >&2; exit 2 ;;
  esac
  shift 2
done
[ -n "$to" ] || { echo 'backup: name the backup folder: --to DIR' >&2; exit 2; }

# Debian does not put all PostgreSQL programs on the PATH.
for bin in /usr/lib/postgresql/*/bin; do PATH=$PATH:$bin; done

query() { psql --no-psqlrc --quiet --no-align --tuples-only --no-password --set ON_ERROR_STOP=1 --dbname "$database" --command "$1"; }

mkdir -p "$to/base" "$to/accounts"

# The backup has another name until it is complete and verified, so restore.sh never uses an incomplete one.
work=$to/base/.part
if [ -n "$recipients" ]; then
  [ -s "$recipients" ] || { echo "backup: the file with recipients $recipients does not exist or is empty" >&2; exit 2; }
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/vis-backup.XXXXXX")
fi
trap 'rm -rf "$work"' EXIT
rm -rf "$work"
pg_basebackup --pgdata "$work" --checkpoint=fast --wal-method=stream --no-password
pg_verifybackup --quiet "$work"

# Debian keeps the configuration in /etc and not in the data directory, so pg_basebackup does not copy it. The settings of
# all included files are written into one file, without the paths of the old server.
mkdir "$work/vis-configuration"
query "select name || ' = ''' || replace(replace(setting, '\\', '\\\\'), '''', '''''') || ''''
         from (select distinct on (name) name, setting, seqno
                 from pg_file_settings
                where setting is not null
                  and sourcefile not like '%/postgresql.auto.conf'
                  and name not in ('data_directory', 'hba_file', 'ident_file', 'external_pid_file')
                order by name, seqno desc) as newest
        order by seqno" >"$work/vis-configuration/postgresql.conf"
query "select pg_read_file(current_setting('hba_file'))" >"$work/vis-configuration/pg_hba.conf"
query "select pg_read_file(current_setting('ident_file'))" >"$work/vis-configuration/pg_ident.conf"

# The name is the end time of the backup, because it can restore any later time.
stamp=$(date -u +%Y%m%dT%H%M%SZ)
# Feed data can be downloaded again, accounts cannot: a second copy as a dump, which newer PostgreSQL versions can read.
dump=$to/accounts/.$stamp.part
pg_dump --dbname "$database" --schema accounts --schema jobs --schema notify --format custom --no-password --file "$dump"
pg_restore --list "$dump" >/dev/null

# Prints the first WAL segment that a data directory needs.
find_first_wal() { sed -n 's/^START WAL LOCATION: .*(file \(.*\))$/\1/p' "$1/backup_label"; }

if [ -z "$recipients" ]; then
  mv "$work" "$to/base/$stamp"
  mv "$dump" "$to/accounts/$stamp.dump"
else
  suffix=$(encrypted_suffix "$recipients")
  part=$to/base/.$stamp.part
  # A pipeline returns only the exit code of its last command, so a failure of tar leaves a file behind.
  { tar --create --directory "$work" . || touch "$work/failed"; } | encrypt "$recipients" >"$part"
  [ ! -e "$work/failed" ] || { echo 'backup: tar failed' >&2; exit 1; }
  encrypt "$recipients" <"$dump" >"$to/accounts/$stamp.dump$suffix"
  rm "$dump"
  find_first_wal "$work" >"$to/base/$stamp.first-wal"
  sync "$part"
  mv "$part" "$to/base/$stamp.tar$suffix"
fi

# Delete the oldest backups and the WAL segments that only they needed.
list_backups() { find "$to/base" -mindepth 1 -maxdepth 1 \( -name '2*Z' -o -name '2*Z.tar.*' \) -printf '%f\n' | cut -d . -f 1 | sort -r; }
list_backups | tail -n "+$((keep + 1))" | while read -r old; do
  rm -rf "$to/base/$old" "$to/base/$old".* "$to/accounts/$old".*
done
oldest=$(list_backups | tail -n 1)
if [ -d "$to/wal" ]; then
  if [ -e "$to/base/$oldest.first-wal" ]; then needed=$(cat "$to/base/$oldest.first-wal"); else needed=$(find_first_wal "$to/base/$oldest"); fi
  for suffix in '' .age .gpg .sha256; do pg_archivecleanup ${suffix:+-x "$suffix"} "$to/wal" "$needed"; done
fi
echo "backup: $to/base/$stamp, verified${recipients:+ and encrypted}; the oldest kept backup is $oldest"
