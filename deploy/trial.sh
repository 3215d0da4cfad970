#!/bin/bash
# Tries out the deployment on one Linux machine, as root, and prints how long each part takes:
#   deploy/trial.sh [image] [compose] [systemd]          (default: all three, in this order)
# image    builds the container image of the Dockerfile
# compose  starts the services of compose.yaml with podman and calls the API
# systemd  runs the commands of docs/operations.md, exactly as written, on an empty Debian system under systemd: install,
#          serve, back up; then removes the system and restores the backup on another empty one
# Needs network access for Debian's and npm's packages, and these packages of Debian:
#   apt-get install --no-install-recommends podman buildah runc crun debootstrap podman-compose netavark aardvark-dns iptables
# The base images come from debootstrap and not from a registry. The folder TRIAL (default: /var/tmp/vis-trial) keeps
# them for the next run. CI does not run this script.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo 'trial: run it as root' >&2; exit 1; }
# systemd in a container needs the unified hierarchy of cgroups. On a machine that mounts another one, the trial runs in a
# mount namespace of its own.
if [ "$(stat --file-system --format %T /sys/fs/cgroup)" != cgroup2fs ]; then
  exec unshare --mount bash -euc 'umount --recursive /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; exec "$0" "$@"' "$(readlink -f "$0")" "$@"
fi
cd "$(dirname "$0")/.."

work=${TRIAL:-/var/tmp/vis-trial}
mkdir -p "$work"
version=$(sed -n 's/^ARG VERSION=//p' Dockerfile)
node_tag=$(sed -n 's/^ARG NODE=//p' Dockerfile)
debian=localhost/vis-trial-debian

say() { printf '\n=== %s\n' "$*"; }
# Runs a command and prints its duration.
timed() {
  local name=$1 begun
  shift
  begun=$(date +%s.%N)
  "$@"
  printf '%s: %.1f s\n' "=== $name" "$(awk -v a="$begun" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')"
}

# Some machines allow a container neither the limits that podman sets by default nor cgroup controllers.
cat >"$work/containers.conf" <<END
[containers]
default_ulimits = ["nofile=16384:16384", "nproc=16384:16384"]
pids_limit = 0
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
END
export CONTAINERS_CONF=$work/containers.conf

make_debian() {
  if podman image exists "$debian"; then return; fi
  rm -rf "$work/debian"
  debootstrap --variant=minbase --include=ca-certificates,systemd,systemd-sysv,dbus bookworm "$work/debian" >"$work/debootstrap.log"
  # The certificate authorities of this machine may include one of a proxy between it and the registries.
  cp /etc/ssl/certs/ca-certificates.crt "$work/debian/etc/ssl/certs/"
  tar --create --directory "$work/debian" . | podman import --quiet - "$debian" >/dev/null
  rm -rf "$work/debian"
}

# Makes an image from Debian: its name, then a shell command that runs inside, then further arguments of "buildah config".
make_image() {
  local name=$1 setup=$2 container
  shift 2
  container=$(buildah from --pull-never "$debian")
  if [ -n "${files:-}" ]; then buildah copy --quiet "$container" "$files" /; fi
  buildah run --isolation chroot "$container" sh -euc "$setup"
  buildah config "$@" "$container"
  buildah commit --quiet --rm "$container" "$name" >/dev/null
}

make_node_base() {
  local files=$work/node npm
  rm -rf "$files"
  mkdir -p "$files/usr/local/bin" "$files/usr/local/lib/node_modules"
  [ -x node_modules/.bin/node ] || { npm ci --ignore-scripts --no-audit --no-fund && npm rebuild node; }
  cp -L node_modules/.bin/node "$files/usr/local/bin/node"
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  cp -R "$npm" "$files/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$files/usr/local/bin/npm"
  make_image "docker.io/library/node:$node_tag" 'node --version && npm --version' \
    --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
  rm -rf "$files"
}

build_image() {
  buildah bud --isolation chroot --network host --pull-never --tag "vis:$version" \
    --build-arg "REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)" . >"$work/image.log" 2>&1 ||
    { tail -n 30 "$work/image.log"; exit 1; }
}

try_image() {
  say 'image: Debian as the base image, with Node'
  timed 'base images' eval 'make_debian && make_node_base'
  say "image: vis:$version"
  timed 'image built' build_image
  podman image inspect "vis:$version" --format '{{.Config.User}} {{.Size}} bytes, labels: {{json .Config.Labels}}'
  podman run --rm --read-only --tmpfs /tmp --network none "vis:$version" --version
  podman run --rm --read-only --tmpfs /tmp --network none --entrypoint vis-server "vis:$version" --help | sed -n 1,3p
}

# compose.yaml names images of PostgreSQL and Valkey. The trial uses Debian's PostgreSQL and Redis under these names.
make_service_images() {
  local images
  images=$(sed -n 's/^ *image: \(postgres\|valkey.*\):/\1:/p' compose.yaml)
  # shellcheck disable=SC2016
  make_image "docker.io/library/$(echo "$images" | grep ^postgres)" '
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null
    ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/ 2>/dev/null || true
    printf "%s\n" "#!/bin/sh" "set -e" \
      "if [ \$(id -u) = 0 ]; then" \
      "  mkdir -p \$PGDATA && chown postgres:postgres \$PGDATA /var/run/postgresql" \
      "  exec setpriv --reuid postgres --regid postgres --init-groups \$0" \
      "fi" \
      "if [ ! -s \$PGDATA/PG_VERSION ]; then" \
      "  initdb --auth=\$POSTGRES_HOST_AUTH_METHOD --encoding=UTF8 --no-locale -U postgres" \
      "  echo \"host all all all \$POSTGRES_HOST_AUTH_METHOD\" >> \$PGDATA/pg_hba.conf" \
      "  pg_ctl -w start -o \"-c listen_addresses=\" && createdb -U postgres \$POSTGRES_DB && pg_ctl -w stop" \
      "fi" "exec postgres -c listen_addresses=*" > /usr/local/bin/start && chmod 755 /usr/local/bin/start' \
    --env PGDATA=/var/lib/postgresql/data --env PGHOST=/var/run/postgresql --entrypoint '["/usr/local/bin/start"]'
  make_image "docker.io/$(echo "$images" | grep ^valkey)" '
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server >/dev/null
    ln -s /usr/bin/redis-server /usr/local/bin/valkey-server
    ln -s /usr/bin/redis-cli /usr/local/bin/valkey-cli'
}

# Prints the commands of a section of docs/operations.md; for "With systemd", only those of the given steps.
commands_of() {
  awk -v heading="$1" -v steps="${2:-}" '
    /^#+ / { inside = ($0 ~ ("^#+ " heading "$")); step = 0 }
    /^[0-9]+\. / { step = $1 + 0 }
    /^ *```sh$/ { code = inside && (steps == "" || index(" " steps " ", " " step " ")); next }
    /^ *```$/ { code = 0 }
    code { sub(/^   /, ""); print }
  ' docs/operations.md
}

try_compose() {
  local folder=$work/compose
  say 'compose: images of PostgreSQL and Redis from Debian'
  timed 'service images' make_service_images
  rm -rf "$folder"
  mkdir -p "$folder"
  # podman-compose builds an image if the file says so; the image exists already. A PostgreSQL of this machine may use the
  # published port.
  grep -v -e '^  build: ' -e '5432:5432' compose.yaml >"$folder/compose.yaml"
  say 'compose: the commands of docs/operations.md with podman-compose'
  (
    cd "$folder"
    trap 'podman-compose down --volumes >/dev/null 2>&1 || true' EXIT
    # podman-compose has neither --wait nor conditions of depends_on, so the script waits and starts the rest again.
    (cd "$OLDPWD" && commands_of 'With containers') | grep -v '^docker compose' >secrets.sh
    bash -euo pipefail secrets.sh
    podman-compose up --detach postgres redis >up.log 2>&1 || { cat up.log; exit 1; }
    sleep 10
    podman-compose run --rm --no-deps migrate migrate 2>&1 | tail -n 3
    podman-compose up --detach api worker >>up.log 2>&1 || { cat up.log; exit 1; }
    curl --fail --silent --show-error --retry 30 --retry-all-errors --retry-delay 1 http://127.0.0.1:9464/ready
    api=$(podman ps --filter name=api --format '{{.Names}}')
    account=$(podman exec "$api" vis-server accounts create --name me --plan free)
    key=$(podman exec "$api" vis-server keys issue --account "$account")
    curl --fail --silent --show-error --header "X-API-Key: $key" http://127.0.0.1:3000/api/v1/ping
    echo
    podman ps --format '{{.Names}} {{.Status}}'
  )
}

# Starts an empty Debian system under systemd, which needs shared mounts to pass credentials to its units.
start_system() {
  podman --runtime crun run --detach --name "$1" --replace --hostname "$1" --privileged --systemd=always \
    --volume "$work/release:/tmp/vis-$version:ro" --volume "$work/backups:/var/backups/vis" "$debian" \
    sh -c 'mount --make-rshared / && exec /sbin/init' >/dev/null
  for _ in $(seq 60); do
    if podman exec "$1" systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded'; then return; fi
    sleep 0.5
  done
  echo 'trial: systemd did not start' >&2
  exit 1
}

# Runs commands in a system, as root in one shell that stops at the first error.
inside() {
  if podman exec --interactive --env DEBIAN_FRONTEND=noninteractive --env LC_ALL=C.UTF-8 "$1" bash -euo pipefail -s; then return; fi
  podman exec "$1" journalctl --no-pager --lines 40 --unit 'vis-*' --unit 'postgresql@*' --unit redis-server >&2
  return 1
}

# Waits until the current segment of the write-ahead log is in the archive, as archive_timeout promises.
wait_for_archive='
query() { runuser -u postgres -- psql --no-align --tuples-only --dbname vis --command "$1"; }
segment=$(query "select pg_walfile_name(pg_current_wal_lsn())")
for _ in $(seq 90); do
  if [ -e "/var/backups/vis/wal/$segment" ]; then ls /var/backups/vis/*; exit 0; fi
  sleep 1
done
query "select * from pg_stat_archiver"
exit 1'

fingerprint() {
  echo "runuser -u postgres -- psql --no-psqlrc --tuples-only --dbname vis --file /opt/vis/current/deploy/backup/fingerprint.sql" |
    inside "$1"
}

# Calls the API three times with a key and shows the used credits and the state of the units.
use_api() {
  inside "$1" <<END
for _ in 1 2 3; do curl --fail --silent --header "X-API-Key: $2" http://127.0.0.1:3000/api/v1/cve/CVE-2021-44228 | head -c 120; echo; done
curl --fail --silent --header "X-API-Key: $2" http://127.0.0.1:3000/api/v1/usage; echo
vis-server --version
vis-server feeds
systemctl --no-pager --plain --no-legend list-units 'vis-*' 'postgresql@*' 'redis*'
END
}

try_systemd() {
  local key
  # A system of an interrupted run would still write into the backup folder.
  podman rm --force --ignore --time 0 vis-trial vis-trial-new >/dev/null
  mkdir -p "$work/backups"
  rm -rf "$work/release" "${work:?}/backups"/*
  make_debian
  say 'systemd: build the release'
  timed 'release' deploy/release.sh --to "$work/release" --unpinned
  trap 'podman rm --force --ignore --time 0 vis-trial vis-trial-new >/dev/null 2>&1 || true' EXIT

  say 'systemd: an empty Debian system; all steps of "With systemd"'
  start_system vis-trial
  timed 'steps 1 to 9' eval 'commands_of "With systemd" | inside vis-trial'
  say 'systemd: import the sample, use the API, look at the units'
  # The worker would try to download the same feeds.
  echo 'systemctl stop vis-worker && vis-server sync --from /opt/vis/current/service/sample && systemctl start vis-worker' | inside vis-trial
  key=$(echo 'vis-server keys issue --account 1' | inside vis-trial)
  use_api vis-trial "$key"
  # Nothing writes after the fingerprint.
  echo 'systemctl stop vis-api vis-worker' | inside vis-trial
  fingerprint vis-trial >"$work/before"
  say 'systemd: wait until PostgreSQL has archived the last changes, at most a minute'
  timed 'archived' eval 'echo "$wait_for_archive" | inside vis-trial'
  timed 'host destroyed' podman rm --force --time 0 vis-trial

  say 'systemd: another empty Debian system; "Restore on a new host"'
  start_system vis-trial-new
  timed 'steps 1 and 2' eval 'commands_of "With systemd" "1 2" | inside vis-trial-new'
  timed 'restore' eval 'commands_of "Restore on a new host" | inside vis-trial-new' 
  fingerprint vis-trial-new >"$work/after"
  say 'systemd: compare the tables before and after'
  diff "$work/before" "$work/after"
  echo "all $(wc -l <"$work/before") lines of the fingerprint are equal"
  timed 'steps 4, 5 and 7' eval 'commands_of "With systemd" "4 5 7" | inside vis-trial-new'
  say 'systemd: the key of the lost host still works'
  use_api vis-trial-new "$key"
}

[ $# -gt 0 ] || set -- image compose systemd
for part in "$@"; do
  case $part in
    image) try_image ;;
    compose) try_compose ;;
    systemd) try_systemd ;;
    *) echo "trial: unknown part $part; the parts are image, compose and systemd" >&2; exit 2 ;;
  esac
done
