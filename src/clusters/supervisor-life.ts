// The supervisor of a cluster: a separate process, which commands start, stop and wait for.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedVariables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { identityOf, lifeOf, type ProcessIdentity, parseIdentity } from '../base/process-identity.ts';
import { actionFailure } from './actions/head-actions.ts';
import { soldBlocks } from './blocks/block-book.ts';
import { absentNodes, clusterBlocks } from './blocks/cluster-block.ts';
import type { ClusterFolder } from './cluster-folder.ts';
import { type ClusterPlan, nodeNamesOf } from './cluster-plan.ts';
import { endProcess } from './local/end-process.ts';
import { supervisorsOf } from './local/marked-processes.ts';
import { SlurmClient } from './slurm/slurm-client.ts';

const READY_MS = 120_000;
/** How long processes may take to end. */
export const LAST_MS = 15_000;

const main = fileURLToPath(
  new URL(`./local/supervisor-main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

export async function startSupervisor(folder: ClusterFolder): Promise<void> {
  const output = openSync(join(folder.path, 'log/supervisor.log'), 'a');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, folder.path], {
    detached: true,
    stdio: ['ignore', output, output],
    env: inheritedVariables(),
  });
  closeSync(output);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
}

/** Starts a cluster's supervisor if it is not running: after a restart of the machine, or if it was killed. */
export async function ensureSupervisor(folder: ClusterFolder): Promise<void> {
  if (folder.state()?.provider === 'existing') return;
  const identity = parseIdentity(folder.processes().supervisor ?? '');
  if (identity === undefined || lifeOf(identity) === 'ended') await startSupervisor(folder);
}

export async function stopSupervisor(folder: ClusterFolder): Promise<void> {
  const identity = parseIdentity(folder.processes().supervisor ?? '');
  if (identity === undefined || lifeOf(identity) === 'ended') return;
  endProcess(identity, 'SIGTERM');
  await waitForEnd(identity);
  const { supervisor: _ended, ...others } = folder.processes();
  folder.writeProcesses(others);
}

export async function waitForEnd(identity: ProcessIdentity | undefined): Promise<void> {
  for (const until = performance.now() + LAST_MS; identity !== undefined && lifeOf(identity) !== 'ended'; ) {
    if (performance.now() > until) endProcess(identity, 'SIGKILL');
    await new Promise(done => setTimeout(done, 20));
  }
}

export function endSupervisor(folder: ClusterFolder): void {
  try {
    const supervisor = parseIdentity(folder.processes().supervisor ?? '');
    if (supervisor !== undefined && lifeOf(supervisor) !== 'ended') endProcess(supervisor, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof TrenioError && error.code === 'CLUSTER_DAMAGED')) throw error;
    // It is found by its arguments instead, and its daemons by their marker.
    for (const pid of supervisorsOf(folder.path)) endProcess(identityOf(pid), 'SIGKILL');
  }
}

export async function waitUntilReady(
  folder: ClusterFolder,
  plan: ClusterPlan,
  report: (step: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const slurm = new SlurmClient(folder.conf);
  const statics = plan.groups.filter(({ kind }) => kind === 'static').flatMap(nodeNamesOf);
  // Nodes of capacity blocks that start later are not awaited.
  const blocks = clusterBlocks(plan, soldBlocks(folder.state()?.serverFolder));
  const absent = absentNodes(plan, blocks, Date.now());
  const wanted = statics.filter(node => !absent.has(node)).length;
  for (const until = performance.now() + READY_MS; ; await new Promise(done => setTimeout(done, 50))) {
    signal.throwIfAborted();
    const ready = (await slurm.isUp()) ? (await slurm.nodes()).filter(isReady).length : 0;
    report(`${ready} of ${wanted} nodes are idle`);
    if (ready >= wanted && (wanted > 0 || (await slurm.isUp()))) return;
    const failed = existsSync(join(folder.path, 'failures')) ? readdirSync(join(folder.path, 'failures')).sort() : [];
    if (failed[0] !== undefined) throw new Error(actionFailure(folder, failed[0]));
    const identity = parseIdentity(folder.processes().supervisor ?? '');
    if (identity !== undefined && lifeOf(identity) === 'ended') throw new Error('its supervisor has ended');
    if (performance.now() > until) throw new Error(`${ready} of ${wanted} nodes were idle after ${READY_MS / 1000} s`);
  }
}

const isReady = ({ states }: { readonly states: readonly string[] }): boolean =>
  ['idle', 'allocated', 'mixed'].includes(states[0] ?? '') &&
  !states.some(state => ['not_responding', 'powered_down', 'powering_up', 'drain', 'cloud'].includes(state));
