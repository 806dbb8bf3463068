// For tests: a real Slurm on virtual hosts, with a controller on the first one and a daemon on each. All processes end with the
// hosts.
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canMakeHosts, type VirtualHost, VirtualNetwork } from './namespaces.testing.ts';

const daemons = ['munged', 'slurmctld', 'slurmd', 'srun'];

/** Whether this machine meets all requirements. */
export function canStartSlurm(): boolean {
  return canMakeHosts() && daemons.every(name => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);
}

export class SlurmCluster implements AsyncDisposable {
  readonly network: VirtualNetwork;
  readonly folder: string;

  private constructor(network: VirtualNetwork, folder: string) {
    this.network = network;
    this.folder = folder;
  }

  static async start(nodes: number): Promise<SlurmCluster> {
    const network = await VirtualNetwork.make(nodes);
    // Slurm's sockets have long names, and the system allows 108 bytes.
    const cluster = new SlurmCluster(network, mkdtempSync('/tmp/trenio-s-'));
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  get controller(): VirtualHost {
    return this.network.hosts[0]!;
  }
  /** For the commands of Slurm. */
  get variables(): Readonly<Record<string, string>> {
    return { SLURM_CONF: join(this.folder, 'slurm.conf') };
  }

  /** Runs a command of Slurm on the controller. */
  command(...words: readonly string[]): SpawnSyncReturns<string> {
    const [enter = '', ...place] = this.controller.enter;
    return spawnSync(enter, [...place, ...words], { encoding: 'utf8', env: { ...process.env, ...this.variables } });
  }

  async #start(): Promise<void> {
    const { folder, controller } = this;
    const { hosts } = this.network;
    chmodSync(folder, 0o711);
    for (const name of ['state', ...hosts.flatMap(({ name }) => [`spool.${name}`, `tmp.${name}`])])
      mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'munge.key'), randomBytes(128), { mode: 0o600 });
    // A slurmd that finds no such file looks for cgroups, and ends where there are none.
    writeFileSync(join(folder, 'cgroup.conf'), 'CgroupPlugin=cgroup/v1\n');
    // Without it, Open MPI's ranks sometimes die at startup.
    writeFileSync(join(folder, 'mpi.conf'), 'PMIxDirectConn=false\n');
    writeFileSync(join(folder, 'slurm.conf'), configuration(folder, hosts));
    const munge = [
      'key-file=munge.key',
      'socket=munge.sock',
      'pid-file=munged.pid',
      'log-file=munged.log',
      'seed-file=munged.seed',
    ];
    const paths = munge.map(word => `--${word.replace('=', `=${folder}/`)}`);
    const inside = (host: VirtualHost, ...words: readonly string[]): void => {
      const [enter = '', ...place] = host.enter;
      execFileSync(enter, [...place, ...words], { env: { ...process.env, ...this.variables }, stdio: 'ignore' });
    };
    inside(controller, 'munged', '--force', '--num-threads=2', ...paths);
    inside(controller, 'slurmctld');
    for (const host of hosts) inside(host, 'slurmd', '-N', host.name);
    while (this.command('sinfo', '-h', '-N', '-o', '%T').stdout.match(/^idle$/gm)?.length !== hosts.length)
      await sleep(50);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.network[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// A requeued job starts when the credentials of its first start have expired.
const configuration = (folder: string, hosts: readonly VirtualHost[]): string => `ClusterName=test
SlurmctldHost=${hosts[0]!.name}(${hosts[0]!.address})
SlurmUser=root
SlurmdUser=root
SlurmctldPort=6817
SlurmdPort=6818
AuthType=auth/munge
AuthInfo=socket=${folder}/munge.sock,cred_expire=5
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool.%n
TmpFS=${folder}/tmp.%n
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.%n.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
MessageTimeout=60
Waittime=0
SchedulerParameters=bf_interval=1,batch_sched_delay=0,sched_interval=1,sched_min_interval=0
AccountingStorageType=accounting_storage/none
JobRequeue=1
RequeueExit=75
JobFileAppend=1
PropagateResourceLimits=NONE
MailProg=/bin/true
${hosts.map(({ name, address }) => `NodeName=${name} NodeAddr=${address} CPUs=4 Boards=1 SocketsPerBoard=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000`).join('\n')}
PartitionName=all Nodes=${hosts.map(({ name }) => name).join(',')} Default=YES MaxTime=INFINITE State=UP
`;
