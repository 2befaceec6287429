#!/usr/bin/env bash
# A throw-away S3 store on loopback: Ceph's monitor, one object store daemon and the RADOS gateway (Debian: ceph-mon, ceph-osd, radosgw).
#
#   start-rgw.sh ACCESS_KEY SECRET_KEY
#
# It stays in the foreground, says `ready PORT` when requests are answered, and obeys one word per line on standard input: `kill` ends
# the gateway as a crash would, `start` brings it back (and says `ready PORT` again). At the end of the input it ends what it started
# and removes its folder, so nothing outlives the process that holds the other end.
#
# RGW_STORE=bluestore keeps the objects on disk below TMPDIR instead of in memory. It has no authentication inside: for test machines only.
set -euo pipefail

access_key=$1 secret_key=$2
# The first of so many in a row, all of them below those that outgoing connections get.
port='' ports=46
store=${RGW_STORE:-memstore}
folder=$(mktemp -d "${TMPDIR:-/tmp}/moorage-rgw-XXXXXX")
conf=$folder/ceph.conf
# Names the daemons that run, by role; all of them are children of this shell.
declare -A pids=()

main() {
  trap 'exit 1' INT TERM HUP
  trap finish EXIT
  cd "$folder"
  mkdir monitor osd gateway log
  choose_ports
  configure
  monitor
  object_store
  user
  gateway
  while read -r order; do
    case $order in
      kill) end gateway ;;
      # With its cache it would wait half a minute for an answer of the one that was killed.
      start) gateway --rgw-cache-enabled=false ;;
      *) echo "unknown order: $order" >&2 ;;
    esac
  done
}

choose_ports() {
  for _ in $(seq 50); do
    port=$((20000 + RANDOM % 100 * 50))
    if are_free; then return 0; fi
  done
  echo 'There are no free ports between 20000 and 25000.' >&2
  exit 1
}

are_free() {
  local offset
  for ((offset = 0; offset < ports; offset += 1)); do
    if listens $((port + offset)); then return 1; fi
  done
}

listens() {
  (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

configure() {
  local fsid classes
  fsid=$(cat /proc/sys/kernel/random/uuid)
  classes=/usr/lib/$(uname -m)-linux-gnu/rados-classes
  cat > "$conf" <<END
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$((port + 1)),v1:127.0.0.1:$((port + 2))]
mon initial members = a
mon data = $folder/monitor
osd data = $folder/osd
rgw data = $folder/gateway
run dir = $folder
admin socket =
log file = $folder/log/\$name.log
mon cluster log file = $folder/log/cluster.log
crash dir = $folder/log
keyring = /dev/null

public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind port min = $((port + 5))
ms bind port max = $((port + ports - 1))
auth cluster required = none
auth service required = none
auth client required = none

osd objectstore = $store
memstore device bytes = 8589934592
memstore page set = true
bluestore block size = 34359738368
$([ -d "$classes" ] && echo "osd class dir = $classes")
osd class update on start = false
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 4000
mon data avail warn = 1
mon data avail crit = 1
paxos propose interval = 0.05
paxos min wait = 0.01

[client.rgw]
# Without authentication the gateway cannot speak the encrypted mode that it prefers, and would wait for ever.
ms mon client mode = crc
rgw frontends = beast endpoint=127.0.0.1:$port tcp_nodelay=1
# Lets buckets be addressed as hosts (bucket.s3.localhost) as well as by path.
rgw dns name = s3.localhost
rgw dynamic resharding = false
rgw enable lc threads = false
rgw enable quota threads = false
rgw enable usage log = false
rgw verify ssl = false
END
  export CEPH_CONF=$conf CEPH_ARGS=--no-mon-config
}

monitor() {
  quietly monmaptool --create --clobber --fsid "$(sed -n 's/^fsid = //p' "$conf")" --addv a "[v2:127.0.0.1:$((port + 1)),v1:127.0.0.1:$((port + 2))]" monmap
  quietly ceph-mon -i a --mkfs --monmap monmap
  run monitor ceph-mon -i a -f
}

object_store() {
  local uuid id making
  uuid=$(cat /proc/sys/kernel/random/uuid)
  quietly ceph-osd -i 0 --mkfs --osd-uuid "$uuid" &
  making=$!
  id=$(CEPH_ARGS='' timeout 30 ceph osd new "$uuid" 2> log/new.out) || fail log/new.out
  [ "$id" = 0 ] || fail log/new.out
  wait "$making"
  run osd ceph-osd -i 0 -f
}

user() {
  quietly timeout 60 radosgw-admin -n client.rgw user create --uid=tester --display-name=tester --access-key="$access_key" --secret-key="$secret_key"
}

gateway() {
  [ -z "${pids[gateway]:-}" ] || return 0
  run gateway radosgw -n client.rgw -f "$@"
  for _ in $(seq 300); do
    kill -0 "${pids[gateway]}" 2> /dev/null || fail log/gateway.out
    if listens "$port"; then echo "ready $port"; return 0; fi
    sleep 0.05
  done
  fail log/gateway.out
}

# Starts a daemon under a role.
run() {
  local role=$1
  shift
  "$@" < /dev/null > "log/$role.out" 2>&1 &
  pids[$role]=$!
}

# Ends a daemon at once: there is nothing that it would have to save.
end() {
  local pid=${pids[$1]:-}
  [ -n "$pid" ] || return 0
  kill -9 "$pid" 2> /dev/null || true
  wait "$pid" 2> /dev/null || true
  unset "pids[$1]"
}

# Runs a program that only matters when it fails.
quietly() {
  "$@" > "log/$1.out" 2>&1 < /dev/null || fail "log/$1.out"
}

fail() {
  echo "Ceph did not start: $(tail -n 5 "$1" | tr '\n' ' ')" >&2
  exit 1
}

finish() {
  local role
  for role in gateway osd monitor; do end "$role"; done
  cd /
  rm -rf "$folder"
}

main
