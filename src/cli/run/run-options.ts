// The options of `trenio run`, with torchrun's names and meanings, and the settings derived from them. Text becomes settings
// here, once.
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { currentJob, type Job, jobPort } from '../../distributed/launch/job.ts';
import type { LaunchOptions, RendezvousOptions } from '../../distributed/launch/launch.ts';
import { parseStreams, type StreamChoice } from '../../distributed/launch/rank-logs.ts';
import { DEFAULT_PORT, formatEndpoint, parseEndpoint } from '../../distributed/rendezvous/endpoint.ts';
import type { OptionValues } from '../command/command.ts';
import { countRanks } from './ranks-option.ts';
import { acceptedOptions, hasConfWithoutEffect, withoutAccepted } from './torchrun-options.ts';

export const runOptions = {
  'nproc-per-node': {
    kind: 'text',
    placeholder: 'N',
    description: "Ranks on this machine; 'auto': one per core (1 without a C compiler), 'gpu': one per GPU. Default 1.",
  },
  layout: {
    kind: 'text',
    placeholder: 'AXIS=N,…',
    description:
      'The mesh of initDeviceMesh(), such as dp_shard=2,tp=2. Its ranks are the default of --nproc-per-node.',
  },
  nnodes: {
    kind: 'text',
    placeholder: 'N|MIN:MAX',
    description: 'Machines, each with its own trenio run; a range: the run continues while at least MIN are present.',
  },
  'node-rank': {
    kind: 'text',
    placeholder: 'K',
    description: 'Number of this machine, from 0. Default: decided by the rendezvous.',
  },
  'rdzv-endpoint': {
    kind: 'text',
    mayBeEmpty: true,
    placeholder: 'HOST:PORT',
    description: `Where the launchers meet; the one on HOST hosts it. Default port ${DEFAULT_PORT}.`,
  },
  'rdzv-backend': {
    kind: 'text',
    placeholder: 'NAME',
    description: 'c10d: the rendezvous assigns node ranks; static: --node-rank does. Default c10d.',
  },
  'rdzv-id': {
    kind: 'text',
    mayBeEmpty: true,
    placeholder: 'ID',
    description: 'Name of the run; launchers of another one are refused. Default none.',
  },
  'rdzv-conf': {
    kind: 'text',
    mayBeEmpty: true,
    placeholder: 'KEY=VALUE,…',
    description:
      'timeout, join_timeout, last_call_timeout, heartbeat_interval, heartbeat_timeout, is_host, secret_file.',
  },
  'master-addr': {
    kind: 'text',
    mayBeEmpty: true,
    placeholder: 'HOST',
    description: 'The host of a static rendezvous: node 0.',
  },
  'master-port': { kind: 'text', placeholder: 'PORT', description: `Its port. Default ${DEFAULT_PORT}.` },
  'local-addr': {
    kind: 'text',
    mayBeEmpty: true,
    placeholder: 'HOST',
    description: 'The address at which other machines reach the ranks of this one. Default: that of its connection.',
  },
  'shutdown-timeout': {
    kind: 'integer',
    placeholder: 'S',
    min: 0,
    max: 1_000_000,
    description: 'Seconds until ranks that were asked to end are killed. Default 5; after a signal 30.',
  },
  'no-python': {
    kind: 'flag',
    description: 'Run the script as a program of its own, without Node: a shell script, for example.',
  },
  module: { kind: 'flag', short: 'm', description: 'Not supported: pass the file of the script.' },
  standalone: {
    kind: 'flag',
    description: 'One machine, at a free port: the default unless options name an endpoint.',
  },
  'max-restarts': {
    kind: 'integer',
    placeholder: 'N',
    min: 0,
    max: 1_000_000,
    default: 0,
    description: 'The maximum number of times that all ranks are restarted after a failure.',
  },
  timeout: {
    kind: 'integer',
    placeholder: 'S',
    min: 0,
    max: 1_000_000_000,
    description: 'End the run if a collective waits, or a rank is stopped, for longer. Default 1800; 0: no limit.',
  },
  ...acceptedOptions,
  role: {
    kind: 'text',
    mayBeEmpty: true,
    placeholder: 'NAME',
    default: 'default',
    description: 'ROLE_NAME of the ranks.',
  },
  'log-dir': {
    kind: 'text',
    mayBeEmpty: true,
    placeholder: 'DIR',
    description: 'Keep error files and logs in DIR/<id>_<random>/attempt_<n>/<local rank>/.',
  },
  redirects: {
    kind: 'text',
    mayBeEmpty: true,
    short: 'r',
    placeholder: 'N',
    description: 'Write output to log files: 1 stdout, 2 stderr, 3 both; by local rank: 0:3,1:2.',
  },
  tee: {
    kind: 'text',
    mayBeEmpty: true,
    short: 't',
    placeholder: 'N',
    description: 'Write output to log files and the console: as --redirects.',
  },
  'local-ranks-filter': {
    kind: 'text',
    mayBeEmpty: true,
    placeholder: 'K,…',
    description: 'Show the output of these local ranks only.',
  },
  json: { kind: 'flag', description: 'At the end, print a report as a line of JSON.' },
  plan: { kind: 'flag', description: 'Predict the time of a training step, and compare it with the measured time.' },
  'explain-comms': {
    kind: 'flag',
    description: 'At the end, print what each rank sent in the last training step, by line of the script.',
  },
  'show-fabric': {
    kind: 'flag',
    description: 'Show transports, MPI, libfabric, UCX and network interfaces; run nothing.',
  },
  'no-pin': { kind: 'flag', description: 'Do not pin ranks to cores.' },
} as const;

/** The machines of the run, and how they find each other. */
const placeNames = [
  'nnodes',
  'node-rank',
  'rdzv-endpoint',
  'rdzv-backend',
  'rdzv-id',
  'rdzv-conf',
  'master-addr',
  'master-port',
  'standalone',
] as const;
type PlaceName = (typeof placeNames)[number];
/** Those options alone, for other commands that run a script on several machines. */
export const placeOptions = Object.fromEntries(placeNames.map(name => [name, runOptions[name]])) as Pick<
  typeof runOptions,
  PlaceName
>;

export type RunOptionValues = OptionValues<typeof runOptions>;

type Asked = Required<
  Pick<LaunchOptions, 'oneRankEach' | 'nprocPerNode' | 'nnodes' | 'maxRestarts' | 'role' | 'redirects' | 'tee'>
> &
  Pick<LaunchOptions, 'rendezvous' | 'logDir' | 'localRanksFilter' | 'shutdownSeconds' | 'isProgram'>;

/** @throws {BAD_ARGUMENT} @throws {MISSING_ARGUMENT} @throws {UNSUPPORTED} */
export function readRunOptions(options: RunOptionValues, variables: Variables): Asked {
  const job = namesRendezvous(options) ? undefined : currentJob(variables);
  const asked = askedFor(options);
  return job === undefined ? asked : { ...asked, ...inJob(job, options) };
}

/** The settings of a run that a job of several tasks gives in place of options. */
export function launchOfJob(job: Job): Required<Pick<LaunchOptions, 'nnodes' | 'oneRankEach'>> & {
  readonly rendezvous: RendezvousOptions;
} {
  const endpoint = formatEndpoint({ host: job.firstHost, port: jobPort(job) });
  return {
    rendezvous: { endpoint, id: job.id, nodeRank: job.task, isHost: job.task === 0 },
    nnodes: job.tasks,
    oneRankEach: job.localTasks > 1,
  };
}

/** A task is one rank if there are several on a machine. @throws {BAD_ARGUMENT} */
export function checkTasks(command: string, job: Job, given: string | undefined): void {
  if (job.localTasks > 1 && given !== undefined && given !== '1')
    throw new TrenioError('BAD_ARGUMENT', {
      command,
      argument: '--nproc-per-node',
      got: `'${given}'`,
      expected: `1, as ${job.kind} has started ${job.localTasks} tasks on this machine; or start one task per machine`,
    });
}

/** The settings that `placeOptions` and the environment of a job ask for. @throws {BAD_ARGUMENT} @throws {MISSING_ARGUMENT} */
export function readPlace(
  options: Pick<RunOptionValues, PlaceName | 'nproc-per-node'>,
  variables: Variables,
): Pick<Asked, 'oneRankEach' | 'nprocPerNode' | 'nnodes' | 'rendezvous'> {
  const none = { redirects: undefined, tee: undefined, 'log-dir': undefined, 'local-ranks-filter': undefined };
  const others = {
    ...none,
    ...withoutAccepted,
    timeout: undefined,
    'local-addr': undefined,
    layout: undefined,
    'shutdown-timeout': undefined,
  };
  const flags = {
    json: false,
    plan: false,
    'explain-comms': false,
    'show-fabric': false,
    'no-pin': false,
    'no-python': false,
    module: false,
  };
  const asked = readRunOptions({ ...others, ...flags, 'max-restarts': 0, role: 'default', ...options }, variables);
  const { oneRankEach, nprocPerNode, nnodes, rendezvous } = asked;
  return { oneRankEach, nprocPerNode, nnodes, rendezvous };
}

/** The position of this process in a job, which replaces the options. */
function inJob(job: Job, options: RunOptionValues): Partial<Asked> {
  const conf = readConf(options['rdzv-conf']);
  const { rendezvous, ...rest } = launchOfJob(job);
  checkTasks('run', job, options['nproc-per-node']);
  return { ...rest, rendezvous: { ...conf, ...rendezvous, id: options['rdzv-id'] ?? rendezvous.id ?? job.id } };
}

function askedFor(options: RunOptionValues): Asked {
  if (options.module)
    throw new TrenioError('UNSUPPORTED', {
      what: '--module',
      where: 'trenio run: modules of Python have no counterpart in Node',
      instead: 'pass the file of the script',
    });
  const nnodes = readNodes(options.nnodes ?? '1');
  const several = nnodes.max > 1;
  const rendezvous = readRendezvous(options, nnodes.max);
  if (several && rendezvous === undefined)
    throw new TrenioError('MISSING_ARGUMENT', {
      command: 'run',
      argument: '--rdzv-endpoint',
      expected: 'HOST:PORT, where the launchers of the machines meet; HOST is one of them',
    });
  return {
    oneRankEach: false,
    nprocPerNode: readRanks(options['nproc-per-node'] ?? '1'),
    nnodes,
    rendezvous,
    maxRestarts: options['max-restarts'],
    role: options.role,
    logDir: options['log-dir'],
    redirects: readStreams('--redirects', options.redirects),
    tee: readStreams('--tee', options.tee),
    localRanksFilter: readFilter(options['local-ranks-filter']),
    shutdownSeconds: options['shutdown-timeout'],
    isProgram: options['no-python'],
  };
}

/** True if an option determines the machines of the run, so that the environment of a job is ignored. */
const namesRendezvous = (options: RunOptionValues): boolean =>
  options.standalone ||
  (['nnodes', 'node-rank', 'rdzv-endpoint', 'rdzv-backend', 'master-addr', 'master-port'] as const).some(
    name => options[name] !== undefined,
  );

const badValue = (argument: string, got: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: 'run', argument, got, expected });
const bad = (argument: string, got: string, expected: string): TrenioError => badValue(argument, `'${got}'`, expected);

function readNodes(text: string): { readonly min: number; readonly max: number } {
  const match = /^(\d{1,6})(?::(\d{1,6}))?$/.exec(text);
  const min = Number(match?.[1]);
  const max = Number(match?.[2] ?? match?.[1]);
  if (match === null || min < 1 || max < min) throw bad('--nnodes', text, 'N, or MIN:MAX with MIN from 1 to MAX');
  return { min, max };
}

function readRanks(text: string): number | 'auto' {
  if (text === 'gpu')
    throw new TrenioError('UNSUPPORTED', {
      what: '--nproc-per-node=gpu',
      where: 'trenio run: no backend for GPUs is installed here',
      instead: 'use --nproc-per-node=auto, one rank per core, or a number',
    });
  return countRanks('run', text);
}

function readRendezvous(options: RunOptionValues, maxNodes: number): RendezvousOptions | undefined {
  const { 'master-addr': address, 'master-port': port, 'rdzv-endpoint': endpoint, standalone } = options;
  const backend = options['rdzv-backend'];
  if (backend !== undefined && backend !== 'c10d' && backend !== 'static')
    throw bad(
      '--rdzv-backend',
      backend,
      "'c10d' or 'static'; other backends of torchrun need servers that trenio does not have",
    );
  if (standalone && maxNodes > 1) throw badValue('--standalone', 'given', 'to be left out, as --nnodes is more than 1');
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    throw bad('--master-port', port, 'a port from 0 to 65535');
  const nodeRank = readNodeRank(options['node-rank'], maxNodes);
  const conf = readConf(options['rdzv-conf']);
  if (endpoint !== undefined) {
    const parsed = parseEndpoint(endpoint);
    if (parsed === undefined) throw bad('--rdzv-endpoint', endpoint, 'HOST:PORT');
    return {
      ...conf,
      endpoint: formatEndpoint(parsed),
      backend: backend ?? 'c10d',
      id: options['rdzv-id'] ?? 'none',
      nodeRank,
    };
  }
  if (address === undefined && port === undefined && maxNodes > 1) return undefined;
  const named = address !== undefined || port !== undefined;
  if (!named && Object.keys(conf).length === 0 && options['rdzv-id'] === undefined) return undefined;
  const host = parseEndpoint(address ?? '127.0.0.1');
  if (host === undefined) throw bad('--master-addr', address ?? '', 'a host name or an address');
  const at = { host: host.host, port: port === undefined ? (named ? DEFAULT_PORT : 0) : Number(port) };
  // As in torchrun, --master-addr means a static rendezvous, and --node-rank is 0 if it is not given.
  const isStatic = (backend ?? 'static') === 'static' && maxNodes > 1;
  return {
    ...conf,
    endpoint: formatEndpoint(at),
    backend: isStatic ? 'static' : 'c10d',
    id: options['rdzv-id'] ?? 'none',
    nodeRank: isStatic ? (nodeRank ?? 0) : nodeRank,
  };
}

function readNodeRank(text: string | undefined, maxNodes: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text) && Number(text) < maxNodes) return Number(text);
  throw bad('--node-rank', text, `a number from 0 to ${maxNodes - 1}`);
}

function readConf(text: string | undefined): Partial<RendezvousOptions> {
  const result: { -readonly [K in keyof RendezvousOptions]?: RendezvousOptions[K] } = {};
  for (const part of (text ?? '').split(',').filter(part => part.trim() !== '')) {
    const at = part.indexOf('=');
    const [key, value] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    const seconds = (): number => {
      if (/^\d+(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value);
      throw bad(`--rdzv-conf ${key}`, value, 'a positive number of seconds');
    };
    switch (at < 0 ? '' : key) {
      case 'timeout':
        result.connectSeconds = seconds();
        break;
      case 'join_timeout':
        result.joinSeconds = seconds();
        break;
      case 'last_call_timeout':
        result.lastCallSeconds = seconds();
        break;
      case 'heartbeat_interval':
        result.heartbeatSeconds = seconds();
        break;
      case 'heartbeat_timeout':
        result.heartbeatTimeoutSeconds = seconds();
        break;
      case 'is_host':
        if (!/^(0|1|true|false)$/i.test(value)) throw bad('--rdzv-conf is_host', value, '0 or 1');
        result.isHost = /^(1|true)$/i.test(value);
        break;
      case 'secret_file':
        result.secretFile = value;
        break;
      default:
        if (at >= 0 && hasConfWithoutEffect(key)) break;
        throw bad(
          '--rdzv-conf',
          part,
          'key=value pairs with timeout, join_timeout, last_call_timeout, heartbeat_interval, heartbeat_timeout, is_host or secret_file',
        );
    }
  }
  return result;
}

function readStreams(argument: string, text: string | undefined): StreamChoice {
  if (text === undefined) return { all: 0, byRank: new Map() };
  const streams = parseStreams(text);
  if (streams === undefined)
    throw bad(argument, text, '0, 1 (stdout), 2 (stderr), 3 (both), or by local rank: 0:3,1:2');
  return streams;
}

function readFilter(text: string | undefined): readonly number[] | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,4}(,\d{1,4})*$/.test(text)) throw bad('--local-ranks-filter', text, 'local ranks, such as 0 or 0,2');
  return text.split(',').map(Number);
}
