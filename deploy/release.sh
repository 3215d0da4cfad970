#!/bin/sh
# A release as one folder that needs nothing of its machine, Node included: for systemd, and for machines without network.
#   deploy/release.sh --to /tmp/vis-0.1.0     in a checkout, on a machine with network and of the same kind
# The steps are those of the Dockerfile.
set -eu

to=''
while [ $# -gt 0 ]; do
  case $1 in
    --to) to=$2 ;;
    *) echo "release: unknown option $1; it takes --to DIR" >&2; exit 2 ;;
  esac
  shift 2
done
if [ -z "$to" ] || [ -e "$to" ]; then echo 'release: where to? Say --to DIR, which must not be there yet' >&2; exit 2; fi
cd "$(dirname "$0")/.."

[ -x node_modules/.bin/tsc ] || npm ci --ignore-scripts --no-audit --no-fund
[ -x node_modules/.bin/node ] || npm rebuild node
npx tsc -p service/tsconfig.build.json

mkdir -p "$to/bin"
cp package.json package-lock.json .npmrc LICENSE "$to/"
for part in service sdk cli console; do
  mkdir -p "$to/$part"
  cp "$part/package.json" "$to/$part/"
done
cp -R service/bin service/migrations service/sample service/dist "$to/service/"
cp -R docs deploy "$to/"
cp -L node_modules/.bin/node "$to/bin/node"
(cd "$to" && npm ci --ignore-scripts --omit=dev --omit=optional --workspace service --include-workspace-root=false --no-audit --no-fund)
rm -rf "$to/sdk" "$to/cli" "$to/console"
# Links of the workspaces that are not part of it.
find "$to/node_modules" -xtype l -delete
"$to/bin/node" "$to/service/bin/vis-server.js" --help >/dev/null
echo "release: $to, $(du -sh "$to" | cut -f 1)"
