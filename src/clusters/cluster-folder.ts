// The folder of a cluster: its configuration, its state, and its processes.
//
//   cluster.json      name, states, times, addresses       written atomically by commands and the supervisor
//   config.yaml       the configuration file of the user
//   processes.json    supervisor, munged, slurmctld, nodes  written by the supervisor
//   reservations.json  Slurm reservations of blocks         written by the supervisor
//   etc/ bin/ log/ state/ requests/                         Slurm's files; requests to the supervisor
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { expectFileError } from '../base/file-error.ts';
import { nearestName } from '../base/nearest.ts';
import { formatIdentity, lifeOf, ownIdentity, parseIdentity } from '../base/process-identity.ts';
import { ownHostSchema } from './ssh/host-check.ts';
import { type Throughput, throughputSchema } from './storage/throughput.ts';
import { volumeSchema } from './storage/volume.ts';

export const clusterStatuses = [
  'CREATE_IN_PROGRESS',
  'CREATE_FAILED',
  'CREATE_COMPLETE',
  'UPDATE_IN_PROGRESS',
  'UPDATE_FAILED',
  'UPDATE_COMPLETE',
  'DELETE_IN_PROGRESS',
  'DELETE_FAILED',
] as const;

const fleetStatuses = ['STARTING', 'RUNNING', 'STOPPING', 'STOPPED'] as const;
export type FleetStatus = (typeof fleetStatuses)[number];

export const providers = ['local', 'ssh', 'existing'] as const;

const stateSchema = z.object({
  name: z.string(),
  /** `local`: virtual nodes of this machine. `ssh`: ssh hosts. `existing`: a running Slurm, to which jobs are submitted. */
  provider: z.enum(providers).default('local'),
  region: z.string(),
  status: z.enum(clusterStatuses),
  /** The reason of a failure. */
  reason: z.string().optional(),
  fleetStatus: z.enum(fleetStatuses),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** The command that creates, updates or deletes it, in the format of `formatIdentity`. */
  changedBy: z.string().optional(),
  fleetUpdatedAt: z.iso.datetime(),
  /** The folder of sockets and spool, with a short path. */
  runFolder: z.string(),
  /** slurmctld's port; those of the nodes follow. */
  port: z.int(),
  /** The second number of the nodes' addresses, 10.N.0.0/16; null: nodes share the machine's network. */
  subnet: z.int().nullable(),
  /** The index of each node among the addresses or ports, which does not change when other nodes are added or removed. */
  places: z.record(z.string(), z.int()),
  /** The shared storage. */
  volumes: z.array(volumeSchema).readonly().default([]),
  /** Directories that were created on this machine for mounts. */
  mountPoints: z.array(z.string()).readonly().default([]),
  /** The folder of the job server, whose table contains the capacity blocks. */
  serverFolder: z.string().optional(),
  /** The user's hosts, by node name. */
  hosts: z.record(z.string(), ownHostSchema).default({}),
  /** The address of this machine for ssh hosts. */
  controller: z.string().optional(),
  /** The configuration file of ssh; without it, the user's. */
  sshConfig: z.string().optional(),
});
export type ClusterState = Readonly<z.output<typeof stateSchema>>;

/** Process identities in the format of `formatIdentity`. */
const processesSchema = z.object({
  supervisor: z.string().optional(),
  munged: z.string().optional(),
  slurmctld: z.string().optional(),
  /** The processes of the accounting database. */
  mariadbd: z.string().optional(),
  slurmdbd: z.string().optional(),
  nodes: z.record(z.string(), z.object({ process: z.string(), startedAt: z.iso.datetime() })),
});
export type ClusterProcesses = Readonly<z.output<typeof processesSchema>>;
const noProcesses: ClusterProcesses = { nodes: {} };

/** The folder of this user's clusters. */
export const clustersFolder = (environment: Variables): string =>
  join(readVariable('XDG_DATA_HOME', environment) ?? join(homedir(), '.local/share'), 'trenio/clusters');

export class ClusterFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get conf(): string {
    return join(this.path, 'etc/slurm.conf');
  }

  get lock(): string {
    return `${this.path}.lock`;
  }

  /** Undefined if there is no cluster in this folder. A change whose command was killed has failed. */
  state(): ClusterState | undefined {
    const state = this.#read('cluster.json', stateSchema);
    return state === undefined ? undefined : withoutInterrupted(state);
  }

  writeState({ changedBy: _before, ...state }: ClusterState): void {
    const changedBy = isChanging(state.status) ? { changedBy: formatIdentity(ownIdentity()) } : {};
    this.#write('cluster.json', { ...state, ...changedBy });
  }

  processes(): ClusterProcesses {
    return this.#read('processes.json', processesSchema) ?? noProcesses;
  }

  writeProcesses(processes: ClusterProcesses): void {
    this.#write('processes.json', processes);
  }

  /** The measured throughputs, by the name of the volume. */
  throughputs(): Readonly<Record<string, Throughput>> {
    return this.#read('throughput.json', z.record(z.string(), throughputSchema)) ?? {};
  }

  writeThroughputs(throughputs: Readonly<Record<string, Throughput>>): void {
    this.#write('throughput.json', throughputs);
  }

  /** The Slurm reservations that were created for capacity blocks, sorted; others are an administrator's. */
  reservations(): readonly string[] {
    return this.#read('reservations.json', z.array(z.string()).readonly()) ?? [];
  }

  writeReservations(names: readonly string[]): void {
    this.#write('reservations.json', names);
  }

  config(): string {
    return readFileSync(join(this.path, 'config.yaml'), 'utf8');
  }

  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    let text: string;
    try {
      text = readFileSync(join(this.path, name), 'utf8');
    } catch (error) {
      expectFileError(error);
      return undefined;
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      throw new TrenioError('CLUSTER_DAMAGED', { file: join(this.path, name) });
    }
  }

  #write(name: string, value: object): void {
    const path = join(this.path, name);
    const temporary = `${path}.${process.pid}.new`;
    try {
      writeFileSync(temporary, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

const isChanging = (status: ClusterState['status']): boolean => status.endsWith('_IN_PROGRESS');

/** The status of a change whose command was killed, and what to do. */
const interrupted: Partial<Readonly<Record<ClusterState['status'], Pick<ClusterState, 'status' | 'reason'>>>> = {
  CREATE_IN_PROGRESS: { status: 'CREATE_FAILED', reason: 'create-cluster was interrupted: delete the cluster' },
  UPDATE_IN_PROGRESS: { status: 'UPDATE_FAILED', reason: 'update-cluster was interrupted: run it again' },
  DELETE_IN_PROGRESS: { status: 'DELETE_FAILED', reason: 'delete-cluster was interrupted: run it again' },
};

function withoutInterrupted(state: ClusterState): ClusterState {
  const identity = parseIdentity(state.changedBy ?? '');
  const isInterrupted = identity !== undefined && lifeOf(identity) === 'ended';
  return isInterrupted ? { ...state, ...interrupted[state.status] } : state;
}

/** The clusters in a folder, by name. */
export function listClusters(root: string): readonly ClusterState[] {
  let names: readonly string[];
  try {
    names = readdirSync(root).sort();
  } catch (error) {
    expectFileError(error);
    return [];
  }
  return names.flatMap(name => {
    try {
      return new ClusterFolder(join(root, name)).state() ?? [];
    } catch (error) {
      // A damaged cluster must not prevent others from being listed or created; commands that name it report the damage.
      if (error instanceof TrenioError && error.code === 'CLUSTER_DAMAGED') return [];
      throw error;
    }
  });
}

/** The state of a cluster, reconstructed from its other files, so that a cluster with a damaged cluster.json can be deleted. */
export function salvagedState(folder: ClusterFolder, name: string): ClusterState {
  const read = (file: string): string => {
    try {
      return readFileSync(join(folder.path, file), 'utf8');
    } catch (error) {
      expectFileError(error);
      return '';
    }
  };
  const conf = read('etc/slurm.conf');
  const subnet = /^SlurmctldHost=.*\(10\.(\d+)\.0\.1\)/m.exec(conf)?.[1];
  const now = new Date().toISOString();
  return {
    name,
    provider: conf === '' || /^AuthInfo=socket=\S*\/tc-\w+\/munge/m.test(conf) ? 'local' : 'existing',
    region: 'unknown',
    status: 'DELETE_IN_PROGRESS',
    fleetStatus: 'STOPPED',
    createdAt: now,
    updatedAt: now,
    fleetUpdatedAt: now,
    runFolder: /^AuthInfo=socket=(\S*\/tc-\w+)\/munge/m.exec(conf)?.[1] ?? '',
    port: Number(/^SlurmctldPort=(\d+)/m.exec(conf)?.[1] ?? 0),
    subnet: subnet === undefined ? null : Number(subnet),
    places: {},
    hosts: {},
    volumes: [],
    mountPoints: read('etc/mounts').split('\n').filter(Boolean),
  };
}

/** @throws {UNKNOWN_CLUSTER} with the nearest name */
export function findCluster(
  root: string,
  name: string,
): { readonly folder: ClusterFolder; readonly state: ClusterState } {
  const folder = new ClusterFolder(join(root, name));
  const state = name.includes('/') ? undefined : folder.state();
  if (state === undefined)
    throw new TrenioError('UNKNOWN_CLUSTER', {
      cluster: name,
      nearest: nearestName(
        name,
        listClusters(root).map(one => one.name),
      ),
    });
  return { folder, state };
}
