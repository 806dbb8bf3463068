// The programs that Slurm calls: they ask the cluster's supervisor for nodes, and tell tasks their accelerators.
import type { SlurmFiles } from './slurm-conf.ts';

/** Requests to the supervisor are files of this folder of the cluster. */
export const requestFolder = 'requests';

const request = (kind: 'resume' | 'suspend', folder: string): string => `#!/bin/sh
# Called by slurmctld with a list of nodes. The request is kept as a file, so it is not lost if the supervisor is restarted.
name=${folder}/${requestFolder}/$(date +%s%N)-$$
printf '%s\\n' "$1" > "$name.new" && mv "$name.new" "$name.${kind}"
`;

const prolog = (_folder: string): string => `#!/bin/sh
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
`;

/** By path in the cluster's folder. */
export const slurmScripts = (folder: string): SlurmFiles => ({
  'resume.sh': request('resume', folder),
  'suspend.sh': request('suspend', folder),
  'prolog.sh': prolog(folder),
  'task-prolog.sh': taskProlog(folder),
});
