// slurm.conf and the files next to it, for a cluster of virtual nodes on this machine.
// https://slurm.schedmd.com/archive/slurm-22.05.8/slurm.conf.html

import { type ClusterPlan, type NodeGroup, namePrefixOf } from '../cluster-plan.ts';
import { accountingLines } from './accounting.ts';
import type { SlurmSite } from './slurm-site.ts';

export type SlurmFiles = Readonly<Record<string, string>>;

/**
 * Seconds without an answer after which a node is down. The supervisor detects ended nodes immediately; others may just be slow.
 */
const NODE_TIMEOUT = 180;
/** Seconds that a message may take. */
const MESSAGE_TIMEOUT = 30;
/** Seconds between a preemption's SIGTERM and the end of the job. */
const GRACE = 120;

/** The files of SLURM_CONF's folder. */
export function slurmFiles(plan: ClusterPlan, site: SlurmSite): SlurmFiles {
  return {
    'slurm.conf': slurmConf(plan, site),
    'gres.conf': gresConf(plan.groups, site),
    // Without it, slurmd looks for cgroups even if nothing uses them, and exits if they are not mounted.
    'cgroup.conf': 'CgroupPlugin=cgroup/v1\n',
    // With direct connections, ranks of Open MPI occasionally crash in MPI_Init (PMIx 4.2).
    'mpi.conf': 'PMIxDirectConn=false\n',
  };
}

function slurmConf(plan: ClusterPlan, site: SlurmSite): string {
  const { folder, runFolder, port, user, controller } = site;
  const hasSpot = plan.partitions.some(({ capacityType }) => capacityType === 'SPOT');
  const resources = [...new Set(plan.groups.flatMap(({ resource }) => resource?.name ?? []))];
  const lines: readonly (readonly [string, string | number] | string)[] = [
    ['ClusterName', plan.name],
    ['SlurmctldHost', `${controller.host}(${controller.address})`],
    ['SlurmUser', user],
    ['SlurmdUser', user],
    ['SlurmctldPort', port],
    ['SlurmdPort', port + 1],
    ['AuthType', 'auth/munge'],
    // A requeued job waits until its old credential has expired.
    ['AuthInfo', `socket=${runFolder}/munge/munge.sock,cred_expire=5`],
    ['CredType', 'cred/munge'],
    ['StateSaveLocation', `${folder}/state`],
    ['SlurmdSpoolDir', site.spool],
    ['TmpFS', `${runFolder}/t/%n`],
    ['SlurmctldPidFile', `${runFolder}/slurmctld.pid`],
    ['SlurmdPidFile', `${runFolder}/slurmd.%n.pid`],
    ['SlurmctldLogFile', `${folder}/log/slurmctld.log`],
    ['SlurmdLogFile', `${folder}/log/slurmd.%n.log`],
    ['ProctrackType', 'proctrack/linuxproc'],
    ['TaskPlugin', 'task/none'],
    ['JobAcctGatherType', 'jobacct_gather/linux'],
    // With memory-based scheduling, steps that use more than their --mem are killed; there are no control groups for it.
    ...(plan.hasMemoryLimits
      ? ([
          ['JobAcctGatherParams', 'OverMemoryKill'],
          ['JobAcctGatherFrequency', 'task=5'],
        ] as const)
      : []),
    ['SelectType', 'select/cons_tres'],
    ['SelectTypeParameters', plan.hasMemoryLimits ? 'CR_Core_Memory' : 'CR_Core'],
    // The nodes have the cores and the memory of their instance type, not of this machine.
    ['SlurmdParameters', 'config_overrides'],
    ['SwitchType', 'switch/none'],
    ['MpiDefault', 'none'],
    ['ReturnToService', 2],
    ['SlurmctldTimeout', NODE_TIMEOUT],
    ['SlurmdTimeout', NODE_TIMEOUT],
    ['MessageTimeout', MESSAGE_TIMEOUT],
    ['InactiveLimit', 0],
    // Finished jobs stay visible for an hour.
    ['MinJobAge', 3600],
    ['KillWait', 10],
    ['SchedulerType', 'sched/backfill'],
    ['SchedulerParameters', 'bf_interval=2,batch_sched_delay=1,sched_interval=2,sched_min_interval=0'],
    ...accountingLines(plan, site, resources),
    ...(resources.length > 0 ? ([['GresTypes', resources.join(',')]] as const) : []),
    // A job that needs more nodes than there are is rejected, not queued forever.
    ['EnforcePartLimits', 'ALL'],
    ['JobFileAppend', 1],
    ['JobRequeue', 1],
    // The exit code of `trenio run` after a checkpoint on SIGTERM.
    ['RequeueExit', 75],
    ['PropagateResourceLimits', 'NONE'],
    ['MailProg', '/bin/true'],
    ['HealthCheckProgram', `${folder}/bin/health-check.sh`],
    ['HealthCheckInterval', 30],
    ['HealthCheckNodeState', 'ANY'],
    ['Prolog', `${folder}/bin/prolog.sh`],
    ['Epilog', `${folder}/bin/epilog.sh`],
    ['EpilogSlurmctld', `${folder}/bin/epilog-slurmctld.sh`],
    ['TaskProlog', `${folder}/bin/task-prolog.sh`],
    ['SuspendProgram', `${folder}/bin/suspend.sh`],
    ['ResumeProgram', `${folder}/bin/resume.sh`],
    ['SuspendTime', plan.idleSeconds ?? 'INFINITE'],
    ['SuspendTimeout', 10],
    ['ResumeTimeout', 60],
    ['SuspendRate', 0],
    ['ResumeRate', 0],
    [
      'SlurmctldParameters',
      'idle_on_node_suspend,power_save_interval=1,power_save_min_interval=0,preempt_send_user_signal',
    ],
    ['PrivateData', 'cloud'],
    ...(hasSpot
      ? ([
          ['PreemptType', 'preempt/partition_prio'],
          ['PreemptMode', 'REQUEUE'],
        ] as const)
      : []),
    ['TreeWidth', 64],
    ...staticNodes(plan.groups),
    ...plan.slurm.map(lineOf),
    '',
    ...plan.groups.map(group => nodeLine(group, site)),
    'PartitionName=DEFAULT MaxTime=INFINITE State=UP OverSubscribe=NO',
    ...plan.partitions.map(({ name, capacityType, isExclusive, slurm }, i) => {
      const nodes = plan.groups.filter(({ queue }) => queue === name).map(hostList);
      const preemption = !hasSpot
        ? []
        : capacityType === 'SPOT'
          ? ['PriorityTier=1', 'PreemptMode=REQUEUE', `GraceTime=${GRACE}`]
          : ['PriorityTier=10', 'PreemptMode=OFF'];
      return [
        `PartitionName=${name}`,
        `Nodes=${nodes.join(',')}`,
        ...(i === 0 ? ['Default=YES'] : []),
        ...(isExclusive ? ['OverSubscribe=EXCLUSIVE'] : []),
        ...preemption,
        lineOf(slurm),
      ]
        .filter(word => word !== '')
        .join(' ');
    }),
  ];
  return `${lines.map(line => (typeof line === 'string' ? line : line.join('='))).join('\n')}\n`;
}

/** `queue1-st-compute1-[1-16]` */
const hostList = (group: NodeGroup): string =>
  `${namePrefixOf(group)}${group.count === 1 ? '1' : `[1-${group.count}]`}`;

/** Static nodes are never stopped. */
function staticNodes(groups: readonly NodeGroup[]): readonly (readonly [string, string])[] {
  const names = groups.filter(({ kind }) => kind === 'static').map(hostList);
  return names.length === 0 ? [] : [['SuspendExcNodes', names.join(',')]];
}

function nodeLine(group: NodeGroup, site: SlurmSite): string {
  const { cpus, memoryMiB, resource, kind, weight, slurm, queue, name, instanceType } = group;
  const features = [kind, instanceType.replaceAll(/[^\w.-]/g, '_'), `${queue}-${name}`];
  return [
    `NodeName=${hostList(group)}`,
    site.nodeAddresses(group),
    `CPUs=${cpus} Boards=1 SocketsPerBoard=1 CoresPerSocket=${cpus} ThreadsPerCore=1`,
    `RealMemory=${memoryMiB}`,
    ...(resource === undefined ? [] : [`Gres=${resource.name}:${resource.count}`]),
    `Weight=${weight}`,
    `Feature=${features.join(',')}`,
    `State=${kind === 'static' ? 'UNKNOWN' : 'CLOUD'}`,
    lineOf(slurm),
  ]
    .filter(word => word !== '')
    .join(' ');
}

/** Accelerators are represented by files, so that Slurm assigns indices. */
function gresConf(groups: readonly NodeGroup[], { runFolder }: SlurmSite): string {
  const lines = groups.flatMap(group =>
    group.resource === undefined
      ? []
      : [
          `NodeName=${hostList(group)} Name=${group.resource.name} File=${runFolder}/dev/${group.resource.name}[0-${group.resource.count - 1}]`,
        ],
  );
  return `AutoDetect=off\n${lines.map(line => `${line}\n`).join('')}`;
}

const lineOf = (lines: Readonly<Record<string, unknown>>): string =>
  Object.entries(lines)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(' ');
