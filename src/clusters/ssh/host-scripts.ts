// The programs that ssh runs on ssh hosts. A host has the files of its cluster at the same paths as this machine.
import { quoted } from './ssh-client.ts';

export interface HostPaths {
  /** The cluster's configuration, logs and programs. */
  readonly folder: string;
  /** Sockets and spool. */
  readonly runFolder: string;
}

/** Set for the daemons of a cluster on its hosts: the folder of the cluster. */
const HOST_MARK = 'TRENIO_HOST_OF_CLUSTER';
/** A custom action has failed. */
export const ACTION_FAILED = 3;

/**
 * `host-node.sh NODE START CONFIGURED FAILURE LOG [-b]`: starts munged and slurmd if they are not running, and runs as long as
 * slurmd does. The daemons continue when the connection ends; the next connection finds them.
 */
export const nodeScript = ({ folder, runFolder }: HostPaths): string => `#!/bin/sh
node=$1 start=$2 configured=$3 failure=$4 log=$5
shift 5
folder=${quoted(folder)} run=${quoted(runFolder)}
export ${HOST_MARK}="$folder" SLURM_CONF="$folder/etc/slurm.conf" PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
running() { [ -s "$1" ] && [ "$(cat "/proc/$(cat "$1")/comm" 2>/dev/null)" = "$2" ]; }
act() {
  [ -z "$1" ] || "$1" "$node" "$failure" >> "$log" 2>&1 || exit ${ACTION_FAILED}
}
mkdir -p "$folder/log" "$folder/unhealthy" "$folder/failures" "$run/s" "$run/munge" "$run/t/$node"
chmod 755 "$run"; chmod 711 "$run/munge"; chmod 1777 "$run/t/$node"
if ! running "$run/munge/munged.pid" munged; then
  rm -f "$run/munge/munge.sock"
  munged --force --key-file="$folder/etc/munge.key" --socket="$run/munge/munge.sock" --pid-file="$run/munge/munged.pid" \\
    --log-file="$folder/log/munged.log" --seed-file="$run/munge/munged.seed" >&2 || exit 1
fi
if ! running "$run/node.pid" slurmd; then
  rm -f "$failure"
  act "$start"
  act "$configured"
  setsid slurmd -D -N "$node" "$@" >> "$folder/log/node.$node.out" 2>&1 < /dev/null & echo $! > "$run/node.pid"
  sleep 0.2
fi
# Writing fails when the connection has ended.
while running "$run/node.pid" slurmd; do echo || exit 0; sleep 2; done
`;

/** `host-stop.sh`: ends all daemons of the cluster on the host, and the jobs that they started. */
export const stopScript = ({ folder, runFolder }: HostPaths): string => `#!/bin/sh
folder=${quoted(folder)} run=${quoted(runFolder)}
rm -f "$run/node.pid"
marked() {
  for process in /proc/[0-9]*; do
    tr '\\0' '\\n' < "$process/environ" 2>/dev/null | grep -qxF "${HOST_MARK}=$folder" && echo "\${process#/proc/}"
  done
}
# Children of the marked ones: jobs do not carry the mark.
below() {
  cat /proc/[0-9]*/status 2>/dev/null | awk -v roots="$*" '
    BEGIN { n = split(roots, r, " "); for (i = 1; i <= n; i++) has[r[i]] = 1 }
    $1 == "Pid:" { pid = $2 }
    $1 == "PPid:" { parent[pid] = $2 }
    END { do { more = 0; for (p in parent) if (!(p in has) && (parent[p] in has)) { has[p] = 1; more = 1 } } while (more)
      for (p in has) print p }'
}
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  found=$(marked | grep -vx $$)
  [ -n "$found" ] || exit 0
  below $found | grep -vx $$ | xargs -r kill -KILL 2>/dev/null
  sleep 0.1
done
exit 1
`;
