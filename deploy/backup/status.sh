#!/bin/sh
# Prints the age of the newest backup and the state of WAL archiving as Prometheus metrics, for the textfile collector of
# node_exporter (docs/metrics.md). Run it every minute on the database host, as the operating system user of PostgreSQL.
#   status.sh --from /var/backups/vis [--database vis]
set -eu

from='' database=vis
while [ $# -gt 0 ]; do
  case $1 in
    --from) from=$2 ;;
    --database) database=$2 ;;
    *) echo "status: unknown option $1; it takes --from DIR and --database NAME" >&2; exit 2 ;;
  esac
  shift 2
done
[ -n "$from" ] || { echo 'status: name the backup folder: --from DIR' >&2; exit 2; }

# The name of a backup is the time at which it ended.
newest=$(find "$from/base" -mindepth 1 -maxdepth 1 \( -name '2*Z' -o -name '2*Z.tar.*' \) -printf '%f\n' 2>/dev/null | cut -d . -f 1 | sort | tail -n 1)
ended=0
if [ -n "$newest" ]; then
  ended=$(date -u --date "$(echo "$newest" | sed 's/^\(....\)\(..\)\(..\)T\(..\)\(..\)\(..\)Z$/\1-\2-\3 \4:\5:\6/')" +%s)
fi

# PostgreSQL marks a finished segment as ready until archive_command has succeeded. An idle server has no such segment.
archiving=$(psql --no-psqlrc --quiet --no-align --tuples-only --no-password --field-separator ' ' --dbname "$database" --command "
  select (current_setting('archive_mode') <> 'off')::int,
         coalesce(round(extract(epoch from clock_timestamp() - min(modification))), 0)
    from pg_ls_archive_statusdir()
   where name like '%.ready'")

cat <<END
# HELP vis_backup_last_success_timestamp_seconds Time when the newest backup ended; 0 if there is none
# TYPE vis_backup_last_success_timestamp_seconds gauge
vis_backup_last_success_timestamp_seconds $ended
# HELP vis_backup_wal_archiving 1 if PostgreSQL archives its write-ahead log
# TYPE vis_backup_wal_archiving gauge
vis_backup_wal_archiving ${archiving% *}
# HELP vis_backup_wal_waiting_seconds Time that the oldest finished WAL segment has been waiting to be archived
# TYPE vis_backup_wal_waiting_seconds gauge
vis_backup_wal_waiting_seconds ${archiving#* }
END
