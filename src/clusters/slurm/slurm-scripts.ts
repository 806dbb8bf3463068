// The programs that Slurm calls: they request nodes from the cluster's supervisor, and set the accelerators of tasks.
import type { SlurmFiles } from './slurm-conf.ts';

/** The cluster's folder for requests to the supervisor, which are files. */
export const requestFolder = 'requests';
/** With less free space than this, jobs fail in confusing ways. */
const MIN_FREE_KIB = 65_536;

const request = (kind: 'resume' | 'suspend', folder: string): string => `#!/bin/sh
# Called by slurmctld with a list of nodes. The request is stored as a file, so it is not lost if the supervisor is restarted.
name=${folder}/${requestFolder}/$(date +%s%N)-$$
printf '%s\\n' "$1" > "$name.new" && mv "$name.new" "$name.${kind}"
`;

/** The user's programs that run before and after each job on a node, in the cluster's folder. */
export const jobFolders = ['prolog.d', 'epilog.d'] as const;

const aroundJobs = (path: string): string => `#!/bin/sh
# Called by slurmd with the variables of the job. When a program fails, Slurm drains the node, and requeues a job that is starting.
for program in ${path}/*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  "$program" || { code=$?; echo "$program: exit code $code" >&2; exit "$code"; }
done
exit 0
`;

/** Lines it prints as "export NAME=VALUE" set the environment of the task. */
const taskProlog = (folder: string): string => `#!/bin/sh
export SLURM_CONF=${folder}/etc/slurm.conf
indices=$(scontrol -d -o show job "$SLURM_JOB_ID" 2>/dev/null | tr ' ' '\\n' |
  awk -v node="$SLURMD_NODENAME" '
    /^Nodes=/ { here = 0; cmd = "scontrol show hostnames " substr($0, 7); while ((cmd | getline name) > 0) if (name == node) here = 1; close(cmd) }
    here && /^GRES=.*neuroncore/ { if (match($0, /IDX:[0-9,-]+/)) print substr($0, RSTART + 4, RLENGTH - 4) }' | head -n 1)
[ -z "$indices" ] || echo "export NEURON_RT_VISIBLE_CORES=$indices"
# The price of a job is that of its nodes.
type=$(sinfo -h -N -n "$SLURMD_NODENAME" -o %f 2>/dev/null | head -n 1 | cut -d, -f2)
[ -z "$type" ] || echo "export TRENIO_INSTANCE_TYPE=$type"
`;

/**
 * A job that is preempted may end within its grace time, with an exit code of its own: Slurm then takes it for finished. A script
 * that ignores the failed `srun` even ends with 0. Whether it has ended, or was canceled, is known when it is not completing; the
 * code of a step that failed may come a moment later still.
 */
const epilogSlurmctld = (folder: string): string => `#!/bin/sh
# Called by slurmctld after each job: one that was preempted, and has failed since, is requeued.
export SLURM_CONF=${folder}/etc/slurm.conf
id=$SLURM_JOB_ID
record=$(scontrol -o -d show job "$id") || exit 0
of() { printf '%s\\n' "$record" | sed -n "s/.* $1=\\([^ ]*\\).*/\\1/p"; }
preempted=$(of PreemptTime)
[ "$preempted" != None ] || exit 0
# A time of an earlier start of the job says nothing.
[ "$(date -d "$preempted" +%s)" -ge "$(date -d "$(of StartTime)" +%s)" ] || exit 0
case "$(of Reason)" in
  TimeLimit) ;;
  None)
    # slurmctld kills the group of this script when it ends: it ends after the other one has left the group.
    left=$(setsid sh -c 'exec >> "$2" 2>&1
    ended=0
    for i in $(seq 600); do
      [ -e "$SLURM_CONF" ] || exit # the cluster is deleted
      record=$(scontrol -o -d show job "$1")
      case "$record" in
        *" JobState=COMPLETING "*) ;;
        *" JobState=COMPLETED "*)
          case "$record" in
            *" ExitCode=0:0 "*" DerivedExitCode=0:0 "*) ended=$((ended + 1)); [ "$ended" -lt 30 ] || exit;;
            *) scontrol requeue "$1" && exit;;
          esac
          ;;
        *" JobState="*) exit;;
      esac
      sleep 0.1
    done' sh "$id" ${folder}/log/epilog-slurmctld.log &)
    ;;
  *) scontrol requeue "$id" ;;
esac
exit 0
`;

/** The folder of the user's health checks, in the cluster's folder. */
export const healthFolder = 'health.d';

/**
 * Drains a node that fails a check, and resumes it when it passes all. Nodes that were drained for other reasons stay drained.
 */
const healthCheck = (folder: string): string => `#!/bin/bash
# Called by slurmd every half minute, like LBNL Node Health Check.
export SLURM_CONF=${folder}/etc/slurm.conf
node=\${SLURMD_NODENAME:-$(hostname)}
mark=${folder}/unhealthy/$node
# One at a time: a check that began before a repair must not drain the node after it.
exec 9> "$mark.lock" && flock 9
fail() {
  [ "$(cat "$mark" 2>/dev/null)" = "$1" ] && exit 0
  scontrol update nodename="$node" state=drain reason="health check: $1" && printf '%s\\n' "$1" > "$mark"
  exit 0
}
free=$(df --output=avail -k /tmp | tail -n 1)
[ "$free" -ge ${MIN_FREE_KIB} ] || fail "/tmp has $((free / 1024)) MiB left"
while read -r dir; do
  [ -z "$dir" ] || mountpoint -q "$dir" || fail "$dir is not mounted"
done < ${folder}/etc/mounts
for check in ${folder}/${healthFolder}/*; do
  [ -f "$check" ] && [ -x "$check" ] || continue
  message=$(timeout 20 "$check" "$node" 2>&1) || fail "\${check##*/}: $(printf '%s' "$message" | tail -n 1 | cut -c 1-150)"
done
[ -e "$mark" ] || exit 0
scontrol update nodename="$node" state=resume && rm -f "$mark"
`;

/** The scripts, by path in the cluster's folder. */
export const slurmScripts = (folder: string): SlurmFiles => ({
  'resume.sh': request('resume', folder),
  'suspend.sh': request('suspend', folder),
  'health-check.sh': healthCheck(folder),
  'prolog.sh': aroundJobs(`${folder}/${jobFolders[0]}`),
  'epilog.sh': aroundJobs(`${folder}/${jobFolders[1]}`),
  'epilog-slurmctld.sh': epilogSlurmctld(folder),
  'task-prolog.sh': taskProlog(folder),
});
