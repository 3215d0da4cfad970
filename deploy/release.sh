#!/bin/sh
# Builds a release: one folder with everything the service needs, including Node, for systemd and for offline hosts.
#   deploy/release.sh --to /tmp/vis-0.1.0
# Run it in a checkout, on a host with network access and the same operating system and CPU as the target.
# The build steps are the same as in the Dockerfile.
# The images that the files of the release name get the digests that their registries have now, and a release in which one
# has none fails. --unpinned leaves them out, for a trial on a host that reaches no registry of images.
set -eu

to=''
unpinned=''
while [ $# -gt 0 ]; do
  case $1 in
    --to) to=$2; shift 2 ;;
    --unpinned) unpinned=yes; shift ;;
    *) echo "release: unknown option $1; it takes --to DIR and --unpinned" >&2; exit 2 ;;
  esac
done
if [ -z "$to" ] || [ -e "$to" ]; then echo 'release: name a folder that does not exist yet: --to DIR' >&2; exit 2; fi
cd "$(dirname "$0")/.."

[ -x node_modules/.bin/tsc ] || npm ci --ignore-scripts --no-audit --no-fund
[ -x node_modules/.bin/node ] || npm rebuild node
npm run build --workspace service --workspace console
node_modules/.bin/node tools/make-sbom.ts

mkdir -p "$to/bin" "$to/sbom"
cp package.json package-lock.json .npmrc LICENSE "$to/"
# Files that the documents of the release link to. A test checks that the list is complete.
cp ARCHITECTURE.md CHANGELOG.md SECURITY.md .env.example openapi.json Dockerfile compose.yaml "$to/"
cp sbom/service.cdx.json "$to/sbom/"
for part in service sdk cli console; do
  mkdir -p "$to/$part"
  cp "$part/package.json" "$to/$part/"
done
cp -R service/bin service/migrations service/sample service/dist "$to/service/"
cp -R docs deploy conformance "$to/"
if [ -n "$unpinned" ]; then
  echo 'release: images have no digests; do not give this folder to others' >&2
else
  node_modules/.bin/node tools/pin-images.ts "$to"
fi
cp -L node_modules/.bin/node "$to/bin/node"
cp deploy/vis-server.sh "$to/bin/vis-server"
(cd "$to" && npm ci --ignore-scripts --omit=dev --omit=optional --workspace service --include-workspace-root=false --no-audit --no-fund)
rm -rf "$to/sdk" "$to/cli" "$to/console"
mkdir "$to/console"
cp -R console/dist "$to/console/"
# Remove links to workspaces that are not part of the release.
find "$to/node_modules" -xtype l -delete
# The services run as other users than the one that builds the release.
chmod -R u=rwX,go=rX "$to"
version=$("$to/bin/vis-server" --version)
echo "release: $to, version $version, $(du -sh "$to" | cut -f 1)"
