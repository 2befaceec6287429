#!/usr/bin/env bash
# Builds the image of the Dockerfile without Docker: with buildah, on a base from Debian's and npm's packages.
#
#   build.sh PACKAGE FOLDER
#
# PACKAGE is what the first stage makes: test/packaging/dockerfile.test.ts takes the steps of that stage.
# All files are in FOLDER afterwards: `base` is the root of the base, `root` leads to that of the image, and
# `image.json` describes the image.
set -euo pipefail

package=$(realpath "$1") folder=$(realpath "$2")
dockerfile=$(cd "$(dirname "$0")/../../.." && pwd)/Dockerfile
base=$(sed -n 's/^FROM \(\S*\)$/\1/p' "$dockerfile")
[[ $base =~ ^node:([0-9.]+)-([a-z]+)-slim$ ]]
version=${BASH_REMATCH[1]} suite=${BASH_REMATCH[2]}
arch=$(node -p process.arch)

export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=${STORAGE_DRIVER:-overlay}
export CONTAINERS_REGISTRIES_CONF=$folder/registries.conf
echo 'unqualified-search-registries = ["docker.io"]' > "$CONTAINERS_REGISTRIES_CONF"
store() { buildah --root "$folder/store" --runroot "$folder/run" "$@"; }

# The base: Debian, Node.js with its headers, npm, and the user `node`.
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
debootstrap --variant=minbase "$suite" "$folder/base" "$mirror" &
npm install --prefix "$folder/node" --no-save --no-audit --no-fund --ignore-scripts --silent "node-linux-$arch@$version" npm@11.21.2
wait $!
cp -a "$folder/node/node_modules/node-linux-$arch/"{bin,include} "$folder/base/usr/local/"
mkdir -p "$folder/base/usr/local/lib/node_modules"
cp -a "$folder/node/node_modules/npm" "$folder/base/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/base/usr/local/bin/npm"
chroot "$folder/base" groupadd --gid 1000 node
chroot "$folder/base" useradd --uid 1000 --gid node --create-home node
rm -rf "$folder/base/var/cache/apt/archives/"*.deb "$folder/base/var/lib/apt/lists/"*
container=$(store from scratch)
store add --quiet "$container" "$folder/base" / > /dev/null
store commit --quiet --format docker --disable-compression "$container" "docker.io/library/$base" > /dev/null

# The image. Its build uses npm and apt with the settings of this machine.
mkdir "$folder/context"
cp "$package" "$folder/context/"
sed -n '/ AS install$/,$p' "$dockerfile" | sed 's/^COPY --from=package \//COPY /' > "$folder/context/Dockerfile"
volumes=(--volume /etc/apt:/etc/apt:ro)
[ ! -d /etc/ssl/certs ] || volumes+=(--volume /etc/ssl/certs:/etc/ssl/certs:ro)
[ ! -f "$HOME/.npmrc" ] || volumes+=(--volume "$HOME/.npmrc:/root/.npmrc:ro")
global=$(npm config get globalconfig)
[ ! -f "$global" ] || volumes+=(--volume "$global:/usr/local/etc/npmrc:ro")
store build --pull-never --format docker --layers=false "${volumes[@]}" --tag moorage "$folder/context"

store inspect --type image moorage > "$folder/image.json"
container=$(store from --pull-never moorage)
ln -s "$(store mount "$container")" "$folder/root"
