// The commands of `trenio cluster`.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create as createTar } from 'tar';
import { defaultServerFolder } from '../../api/server-folder.ts';
import { readVariable } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { readTextFileNow, reasonOf, requireFile } from '../../base/read-file.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { type ReadActions, readActions } from '../../clusters/actions/custom-actions.ts';
import { checkBlocks } from '../../clusters/cluster-checks.ts';
import { clusterStatuses, clustersFolder, findCluster } from '../../clusters/cluster-folder.ts';
import {
  type CreateOptions,
  createCluster,
  deleteCluster,
  registerCluster,
  setFleet,
} from '../../clusters/cluster-life.ts';
import { clusterNameRule, isClusterName } from '../../clusters/cluster-name.ts';
import { type ClusterPlan, planCluster } from '../../clusters/cluster-plan.ts';
import type { ClusterFile } from '../../clusters/config/cluster-file.ts';
import { parseConfig } from '../../clusters/config/parse-config.ts';
import { type ConfigProblem, isError } from '../../clusters/config/problem.ts';
import {
  describeCluster,
  describeInstances,
  SCHEMA_VERSION,
  summarize,
  summarizeClusters,
} from '../../clusters/describe-cluster.ts';
import { batchScript } from '../../clusters/slurm/batch-script.ts';
import { SlurmClient } from '../../clusters/slurm/slurm-client.ts';
import { slurmVariables } from '../../clusters/slurm/slurm-programs.ts';
import { checkHosts } from '../../clusters/ssh/host-check.ts';
import { readHostList } from '../../clusters/ssh/host-list.ts';
import { addressOfHost, assignHosts } from '../../clusters/ssh/own-hosts.ts';
import { checkShared } from '../../clusters/ssh/shared-paths.ts';
import { quoted, runOnHost } from '../../clusters/ssh/ssh-client.ts';
import { withVolumes } from '../../clusters/storage/shared-view.ts';
import { mountDirsOf } from '../../clusters/storage/volume.ts';
import { ensureSupervisor } from '../../clusters/supervisor-life.ts';
import { requireHosts, updateCluster } from '../../clusters/update-cluster.ts';
import type { CliContext } from '../command/command.ts';
import type {
  CreateInput,
  ExportInput,
  FleetInput,
  InstancesInput,
  ListInput,
  LogInput,
  NameInput,
  SubmitInput,
  UpdateInput,
} from './cluster-options.ts';

const DEFAULT_REGION = 'us-east-1';
const WITHOUT_NAMESPACES = `note: this user may not make Linux namespaces with networks, so the nodes share this machine's network, host name and
  processes: ports of jobs can clash, SharedStorage is used at the paths of its folders instead of MountDir. As root, each node has its own.
`;

interface GivenConfig {
  readonly name: string;
  readonly text: string;
  readonly file: ClusterFile;
  readonly problems: readonly ConfigProblem[];
  readonly isDryRun: boolean;
}

/** @throws {CLUSTER_CONFIG_INVALID} */
function givenConfig({ options }: CreateInput | UpdateInput, command: string, cwd: string): GivenConfig {
  const name = nameOf(options, command);
  const given = required(options['cluster-configuration'], command, '--cluster-configuration', 'a file');
  const path = resolve(cwd, given);
  const text = readText(path, command);
  const { file, problems } = parseConfig(text, name);
  if (file === undefined)
    throw new TrenioError('CLUSTER_CONFIG_INVALID', { file: path, problems: problems.filter(isError) });
  return { name, text, file, problems, isDryRun: options['dry-run'] || options.dryrun === 'true' };
}

export async function create(input: CreateInput, context: CliContext): Promise<number> {
  newName(input);
  if (input.options.provider === 'existing') return register(input, context);
  const own = await ownHosts(input, context.cwd);
  const { stdout, stderr, cwd, environment, signal } = context;
  const { options } = input;
  const { name, text, file, problems, isDryRun } = givenConfig(input, 'create-cluster', cwd);
  const validation = problems.length === 0 ? {} : { validationMessages: problems };
  const serverFolder = defaultServerFolder(environment);
  if (isDryRun) {
    checkBlocks(text, name, serverFolder);
    const scripts = await readActions(file, serverFolder);
    const plan = planCluster(name, file);
    if (own !== undefined) {
      assignHosts(plan, own.hosts);
      await checkShared(name, own, { folders: mountDirsOf(file) });
    }
    const message = 'Request would have succeeded, but DryRun flag is set.';
    const customActions = scriptLines(scripts);
    stdout.write(
      options.json
        ? `${JSON.stringify({ message, plan, customActions, ...validation })}\n`
        : planText(plan, problems, customActions),
    );
    return 0;
  }
  using progress = new TaskProgress({ stream: stderr, quiet: options.json });
  const state = await createCluster({
    root: clustersFolder(environment),
    name,
    text,
    file,
    region: options.region ?? file.Region ?? DEFAULT_REGION,
    serverFolder,
    skipsScripts: options['skip-missing-scripts'],
    own,
    signal,
    report: detail => progress.update({ what: `creating the cluster ${name}`, detail }),
  });
  progress.hide();
  if (state.provider === 'local' && state.subnet === null) stderr.write(WITHOUT_NAMESPACES);
  stdout.write(`${json({ cluster: summarize(state), ...validation })}\n`);
  return 0;
}

/** @throws {CLUSTER_HOSTS_UNUSABLE} @throws {INVALID_OPTION} */
async function ownHosts({ options }: CreateInput, cwd: string): Promise<CreateOptions['own']> {
  const { provider, hosts, 'ssh-config': config } = options;
  const invalid = (option: string, got: string, expected: string): Error =>
    new TrenioError('INVALID_OPTION', { what: 'trenio cluster create-cluster', option, got, expected });
  if (provider !== 'ssh') {
    if (provider !== 'local') throw invalid('--provider', provider, 'local, ssh or existing');
    if (hosts !== undefined) throw invalid('--hosts', hosts, 'no value without --provider ssh');
    if (config !== undefined) throw invalid('--ssh-config', config, 'no value without --provider ssh');
    return undefined;
  }
  const list = resolve(cwd, required(hosts, 'create-cluster', '--hosts', 'a file with hosts'));
  return hostsOf(list, config === undefined ? undefined : resolve(cwd, config), 'create-cluster');
}

/** @throws {CLUSTER_HOSTS_UNUSABLE} @throws {INVALID_OPTION} */
async function hostsOf(list: string, sshConfig: string | undefined, command: string): Promise<CreateOptions['own']> {
  if (sshConfig !== undefined)
    await requireFile(sshConfig).catch(error => {
      throw new TrenioError('INVALID_OPTION', {
        what: `trenio cluster ${command}`,
        option: '--ssh-config',
        got: sshConfig,
        expected: `a file that can be read (${reasonOf(error)})`,
      });
    });
  return { ...(await checkHosts(readHostList(list), sshConfig)), sshConfig };
}

async function register({ options }: CreateInput, { stdout, cwd, environment }: CliContext): Promise<number> {
  const name = nameOf(options, 'create-cluster');
  const given = options['slurm-conf'] ?? readVariable('SLURM_CONF', environment) ?? '/etc/slurm/slurm.conf';
  const conf = resolve(cwd, given);
  await requireFile(conf).catch(error => {
    throw new TrenioError('INVALID_OPTION', {
      what: 'trenio cluster create-cluster',
      option: '--slurm-conf',
      got: conf,
      expected: `the slurm.conf of a running Slurm (${reasonOf(error)})`,
    });
  });
  const root = clustersFolder(environment);
  const state = await registerCluster({ root, name, region: options.region ?? DEFAULT_REGION, conf });
  stdout.write(`${json({ cluster: summarize(state) })}\n`);
  return 0;
}

export async function update(input: UpdateInput, context: CliContext): Promise<number> {
  const { stdout, stderr, cwd, environment, signal } = context;
  const { name, text, file, isDryRun } = givenConfig(input, 'update-cluster', cwd);
  const root = clustersFolder(environment);
  const { hosts, 'ssh-config': config } = input.options;
  const { state } = findCluster(root, name);
  if (hosts !== undefined) requireHosts(state);
  const sshConfig = config === undefined ? state.sshConfig : resolve(cwd, config);
  const own = hosts === undefined ? undefined : await hostsOf(resolve(cwd, hosts), sshConfig, 'update-cluster');
  using progress = new TaskProgress({ stream: stderr, quiet: input.options.json });
  const changes = await updateCluster({
    root,
    name,
    text,
    file,
    own,
    skipsScripts: input.options['skip-missing-scripts'],
    isDryRun,
    signal,
    report: detail => progress.update({ what: `updating the cluster ${name}`, detail }),
  });
  progress.hide();
  const changeSet = changes.map(({ path, before, after, need }) => ({
    parameter: path,
    currentValue: before,
    requestedValue: after,
    need,
  }));
  const message = isDryRun ? { message: 'Request would have succeeded, but DryRun flag is set.' } : {};
  stdout.write(`${json({ ...message, cluster: summarize(findCluster(root, name).state), changeSet })}\n`);
  return 0;
}

export async function describe({ options }: NameInput, { stdout, environment }: CliContext): Promise<number> {
  stdout.write(`${json(await describeCluster(clustersFolder(environment), nameOf(options, 'describe-cluster')))}\n`);
  return 0;
}

export async function list({ options }: ListInput, { stdout, environment }: CliContext): Promise<number> {
  const wanted = options['cluster-status'];
  for (const status of wanted)
    if (!clusterStatuses.some(known => known === status))
      throw new TrenioError('INVALID_OPTION', {
        what: 'trenio cluster list-clusters',
        option: '--cluster-status',
        got: status,
        expected: clusterStatuses.join(', '),
      });
  const clusters = summarizeClusters(clustersFolder(environment)).filter(
    ({ clusterStatus }) => wanted.length === 0 || wanted.includes(clusterStatus),
  );
  stdout.write(`${json({ clusters })}\n`);
  return 0;
}

export async function version({ stdout }: CliContext): Promise<number> {
  stdout.write(`${json({ version: SCHEMA_VERSION })}\n`);
  return 0;
}

export async function remove({ options }: NameInput, { stdout, stderr, environment }: CliContext): Promise<number> {
  const name = nameOf(options, 'delete-cluster');
  using progress = new TaskProgress({ stream: stderr });
  const state = await deleteCluster(clustersFolder(environment), name, detail =>
    progress.update({ what: `deleting the cluster ${name}`, detail }),
  );
  progress.hide();
  stdout.write(`${json({ cluster: summarize(state) })}\n`);
  return 0;
}

export async function instances({ options }: InstancesInput, { stdout, environment }: CliContext): Promise<number> {
  const name = nameOf(options, 'describe-cluster-instances');
  const { 'node-type': type, 'queue-name': queue } = options;
  const all = await describeInstances(clustersFolder(environment), name);
  const wanted = all.filter(
    one => (type === undefined || one.nodeType === type) && (queue === undefined || one.queueName === queue),
  );
  stdout.write(`${json({ instances: wanted })}\n`);
  return 0;
}

export async function describeFleet({ options }: NameInput, { stdout, environment }: CliContext): Promise<number> {
  const { state } = findCluster(clustersFolder(environment), nameOf(options, 'describe-compute-fleet'));
  stdout.write(`${json({ status: state.fleetStatus, lastStatusUpdatedTime: state.fleetUpdatedAt })}\n`);
  return 0;
}

export async function updateFleet({ options }: FleetInput, { stdout, environment }: CliContext): Promise<number> {
  const name = nameOf(options, 'update-compute-fleet');
  const status = { START_REQUESTED: 'RUNNING', STOP_REQUESTED: 'STOPPED' } as const;
  const wanted = required(options.status, 'update-compute-fleet', '--status', 'START_REQUESTED or STOP_REQUESTED');
  if (wanted !== 'START_REQUESTED' && wanted !== 'STOP_REQUESTED')
    throw new TrenioError('INVALID_OPTION', {
      what: 'trenio cluster update-compute-fleet',
      option: '--status',
      got: wanted,
      expected: 'START_REQUESTED or STOP_REQUESTED',
    });
  const root = clustersFolder(environment);
  const state = setFleet(root, name, status[wanted]);
  await ensureSupervisor(findCluster(root, name).folder);
  stdout.write(`${json({ status: state.fleetStatus, lastStatusUpdatedTime: state.fleetUpdatedAt })}\n`);
  return 0;
}

export async function logs({ options }: LogInput, { stdout, environment }: CliContext): Promise<number> {
  const { folder, state } = findCluster(clustersFolder(environment), nameOf(options, 'get-cluster-log-events'));
  const stream = options['log-stream-name'] ?? 'slurmctld';
  const host = state.hosts[stream];
  if (host !== undefined) {
    const log = quoted(join(folder.path, 'log', `slurmd.${stream}.log`));
    stdout.write(await runOnHost(addressOfHost(host, state), `tail -n ${options.limit} ${log}`));
    return 0;
  }
  const path = [`${stream}.log`, `slurmd.${stream}.log`]
    .map(name => join(folder.path, 'log', name))
    .find(one => !stream.includes('/') && existsSync(one));
  if (path === undefined)
    throw new TrenioError('INVALID_OPTION', {
      what: 'trenio cluster get-cluster-log-events',
      option: '--log-stream-name',
      got: stream,
      expected: 'supervisor, slurmctld, munged, or the name of a node that was started',
    });
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  stdout.write(`${lines.slice(-options.limit).join('\n')}\n`);
  return 0;
}

export async function exportLogs({ options }: ExportInput, { stdout, cwd, environment }: CliContext): Promise<number> {
  const name = nameOf(options, 'export-cluster-logs');
  const { folder } = findCluster(clustersFolder(environment), name);
  const path = resolve(cwd, options['output-file'] ?? `${name}-logs.tar.gz`);
  const isKey = (entry: string): boolean => entry.endsWith('munge.key');
  await createTar({ file: path, cwd: folder.path, gzip: true, filter: entry => !isKey(entry) }, [
    'log',
    'etc',
    'config.yaml',
  ]);
  stdout.write(`${json({ path })}\n`);
  return 0;
}

export async function shell(
  { options, positionals: [command], rest }: NameInput,
  context: CliContext,
): Promise<number> {
  const { environment, cwd } = context;
  const { folder, state } = findCluster(clustersFolder(environment), nameOf(options, 'shell'));
  await ensureSupervisor(folder);
  const words = command === undefined ? [readVariable('SHELL', environment) ?? '/bin/sh'] : [command, ...rest];
  const [program, ...args] = withVolumes(state.volumes, words);
  const child = spawn(program!, args, { cwd, stdio: 'inherit', env: slurmVariables(folder.conf) });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => done(signal === null ? (code ?? 1) : 1));
  });
}

export async function submit(
  { options, positionals: [script], rest }: SubmitInput,
  context: CliContext,
): Promise<number> {
  const { stdout, environment, cwd } = context;
  const { folder } = findCluster(clustersFolder(environment), nameOf(options, 'submit'));
  const path = resolve(cwd, script!);
  const text = batchScript({
    name: basename(path).replace(/\.[^.]*$/, ''),
    nodes: options.nodes,
    queue: options.queue,
    ranksPerNode: await ranksPerNode(options),
    layout: options.layout,
    time: options.time,
    reservation: options.reservation,
    trenio: [fileURLToPath(new URL('../../../bin/trenio', import.meta.url))],
    script: path,
    args: rest,
  });
  if (options.print) {
    stdout.write(text);
    return 0;
  }
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new TrenioError('SCRIPT_NOT_FOUND', {
      path,
      problem: existsSync(path) ? 'it is not a file' : 'there is no such file',
    });
  await ensureSupervisor(folder);
  const id = await new SlurmClient(folder.conf).submit(text, cwd);
  stdout.write(`Submitted batch job ${id}\n`);
  return 0;
}

/** The value of --nproc-per-node, else what the layout needs. @throws {BAD_ARGUMENT} for a layout that does not fit the nodes */
async function ranksPerNode({ layout, nodes, ...options }: SubmitInput['options']): Promise<string> {
  const given = options['nproc-per-node'];
  if (layout === undefined) return given ?? '1';
  const [{ ranksForLayout }, { countRanks }] = await Promise.all([
    import('../run/layout-option.ts'),
    import('../run/ranks-option.ts'),
  ]);
  const command = 'cluster submit';
  const place = { oneRankEach: false, nnodes: nodes, isCounted: given !== undefined, command };
  return `${ranksForLayout(layout, { ...place, nprocPerNode: countRanks(command, given ?? '1') })}`;
}

export const json = (value: object): string => JSON.stringify(value, undefined, 2);

export function required(value: string | undefined, command: string, argument: string, expected: string): string {
  if (value === undefined || value === '')
    throw new TrenioError('MISSING_ARGUMENT', { command: `cluster ${command}`, argument, expected });
  return value;
}

/** @throws {INVALID_OPTION} if no cluster can have this name */
function newName({ options }: CreateInput): string {
  const name = nameOf(options, 'create-cluster');
  if (isClusterName(name)) return name;
  throw new TrenioError('INVALID_OPTION', {
    what: 'trenio cluster create-cluster',
    option: '--cluster-name',
    got: name,
    expected: clusterNameRule,
  });
}

export const nameOf = (options: { readonly 'cluster-name': string | undefined }, command: string): string =>
  required(options['cluster-name'], command, '--cluster-name', 'the name of a cluster');

function readText(path: string, command: string): string {
  try {
    return readTextFileNow(path);
  } catch (error) {
    throw new TrenioError('INVALID_OPTION', {
      what: `trenio cluster ${command}`,
      option: '--cluster-configuration',
      got: path,
      expected: `a file that can be read (${reasonOf(error)})`,
    });
  }
}

/** The scripts of CustomActions; those that cannot be read with the reason. */
const scriptLines = ({ actions, unreadable }: ReadActions): readonly string[] =>
  [...actions, ...unreadable].map(action => {
    const where = action.queue === undefined ? 'the head node' : `queue ${action.queue}`;
    const problem =
      'reason' in action ? `cannot be read: ${action.reason}; --skip-missing-scripts goes on without it` : '';
    return `${action.event} of ${where}: ${action.script}${problem === '' ? '' : ` ${problem}`}`;
  });

function planText(
  { name, partitions, groups, configurationOnly }: ClusterPlan,
  warnings: readonly ConfigProblem[],
  customActions: readonly string[],
): string {
  const lines = partitions.flatMap(({ name: queue, capacityType }) => [
    `queue ${queue} (${capacityType})`,
    ...groups
      .filter(group => group.queue === queue)
      .map(({ name: resource, kind, count, instanceType, cpus, resource: accelerators }) => {
        const extra = accelerators === undefined ? '' : `, ${accelerators.count} × ${accelerators.name}`;
        return `  ${count} ${kind} ${count === 1 ? 'node' : 'nodes'} of ${resource}: ${instanceType} (${cpus} CPUs${extra})`;
      }),
  ]);
  const kept = configurationOnly.map(line => `  ${line}`);
  const warned = warnings.map(({ line, path, message }) => `  line ${line}: ${path} ${message}`);
  if (customActions.length > 0) lines.push('', 'Custom actions:', ...customActions.map(line => `  ${line}`));
  if (warned.length > 0) lines.push('', 'Warnings:', ...warned);
  return `${[`cluster ${name}`, ...lines, '', 'Checked and stored, without effect on this machine:', ...kept].join('\n')}\n`;
}
