#!/bin/sh
# Runs the benchmark in a network namespace, so that it can change settings of the kernel.
set -e
ip link set lo up
# The receive buffers of real clients are on other machines.
echo '4096 65536 131072' > /proc/sys/net/ipv4/tcp_rmem
# As the page about performance recommends.
echo 131072 > /proc/sys/net/ipv4/tcp_notsent_lowat
exec tsx bench/downloads/main.ts "$@"
