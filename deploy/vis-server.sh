#!/bin/sh
# Runs a command of vis-server on a host with systemd, with the settings in /etc/vis and the database login that the
# command needs. A release contains this script as bin/vis-server.
#   vis-server accounts list
# The files in /etc/vis are readable for root only. VIS_CONFIG_DIRECTORY names another folder.
set -eu

release=$(dirname "$(dirname "$(readlink -f "$0")")")
settings=${VIS_CONFIG_DIRECTORY:-/etc/vis}

# Sets NAME_FILE to a file of the settings folder, unless the caller has set NAME or NAME_FILE.
read_from_file() {
  eval "given=\${$1:-}\${$1_FILE:-}"
  if [ -n "$given" ]; then return; fi
  if [ ! -r "$settings/$2" ]; then
    echo "vis-server: $settings/$2 does not exist or is not readable for $(id -un). Run the command as root; docs/operations.md describes the file." >&2
    exit 1
  fi
  export "$1_FILE=$settings/$2"
}

# The same table as in service/src/commands/command-login.ts.
case ${1:-} in
  serve)
    read_from_file DATABASE_URL api-database-url
    read_from_file CURSOR_SECRET cursor-secret
    read_from_file REDIS_URL redis-url
    ;;
  worker | jobs)
    read_from_file DATABASE_URL worker-database-url
    read_from_file IDENTITY_DATABASE_URL identity-database-url
    read_from_file JOBS_DATABASE_URL jobs-database-url
    if [ "$1" = worker ]; then read_from_file NOTIFY_DATABASE_URL notify-database-url; fi
    ;;
  notify) read_from_file DATABASE_URL notify-database-url ;;
  identity) read_from_file DATABASE_URL identity-database-url ;;
  sync | catalog) read_from_file DATABASE_URL worker-database-url ;;
  feeds)
    # These two commands need no database, so that they run on a host that only downloads.
    case ${2:-} in
      download | key) ;;
      *) read_from_file DATABASE_URL worker-database-url ;;
    esac
    ;;
  migrate | accounts | keys | members | sessions | audit | usage) read_from_file DATABASE_URL migrate-database-url ;;
esac

set -- "$release/service/bin/vis-server.js" "$@"
if [ -r "$settings/vis.env" ]; then set -- --env-file="$settings/vis.env" "$@"; fi
exec "$release/bin/node" "$@"
