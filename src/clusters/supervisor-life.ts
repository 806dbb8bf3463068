// The supervisor of a cluster: a separate process, which commands start, stop and wait for.
//
//   command ─ spawn ─▶ sh ─▶ supervisor-main
//
// The shell starts it again if a signal ends it, such as SIGKILL when memory runs out.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedVariables } from '../base/environment.ts';
import { neighbor } from '../base/neighbor.ts';
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

const main = fileURLToPath(neighbor(import.meta.url, './local/supervisor-main.ts'));

/** An error would occur again, so it ends the shell too. $0: the folder. */
const RESTARTING = `
while :; do
  "$@"
  code=$?
  [ "$code" -gt 128 ] && [ -e "$0/cluster.json" ] || exit "$code"
  echo "$(date -u +%FT%T.000Z) signal $((code - 128)) has ended the supervisor; starting it again"
  sleep 1
done`;

export async function startSupervisor(folder: ClusterFolder): Promise<void> {
  const output = openSync(join(folder.path, 'log/supervisor.log'), 'a');
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', main, folder.path];
  const child = spawn('/bin/sh', ['-c', RESTARTING, folder.path, ...words], {
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
  if (supervisorsOf(folder.path).length === 0) await startSupervisor(folder);
}

export async function stopSupervisor(folder: ClusterFolder): Promise<void> {
  await endSupervisor(folder, 'SIGTERM');
  const { supervisor: _ended, ...others } = folder.processes();
  folder.writeProcesses(others);
}

export async function waitForEnd(identity: ProcessIdentity | undefined): Promise<void> {
  for (const until = performance.now() + LAST_MS; identity !== undefined && lifeOf(identity) !== 'ended'; ) {
    if (performance.now() > until) endProcess(identity, 'SIGKILL');
    await sleep(20);
  }
}

/** Ends the supervisor and its shell, which are found by their arguments: one that has just started is not recorded yet. */
export async function endSupervisor(folder: ClusterFolder, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  for (const until = performance.now() + LAST_MS; ; await sleep(20)) {
    const pids = supervisorsOf(folder.path);
    if (pids.length === 0) return;
    for (const pid of pids) endProcess(identityOf(pid), performance.now() > until ? 'SIGKILL' : signal);
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
  for (const until = performance.now() + READY_MS; ; await sleep(50)) {
    signal.throwIfAborted();
    const ready = (await slurm.isUp()) ? (await slurm.nodes()).filter(isReady).length : 0;
    report(`${ready} of ${wanted} nodes are idle`);
    if (ready >= wanted && (wanted > 0 || (await slurm.isUp()))) return;
    const failed = existsSync(join(folder.path, 'failures')) ? readdirSync(join(folder.path, 'failures')).sort() : [];
    if (failed[0] !== undefined) throw new Error(actionFailure(folder, failed[0]));
    if (!isRunning(folder) && supervisorsOf(folder.path).length === 0) throw new Error(lastWords(folder));
    if (performance.now() > until) throw new Error(`${ready} of ${wanted} nodes were idle after ${READY_MS / 1000} s`);
  }
}

function isRunning(folder: ClusterFolder): boolean {
  const identity = parseIdentity(folder.processes().supervisor ?? '');
  return identity !== undefined && lifeOf(identity) !== 'ended';
}

/** Why the supervisor has ended: the message of its error, if there is one. */
function lastWords(folder: ClusterFolder): string {
  const log = readFileSync(join(folder.path, 'log/supervisor.log'), 'utf8');
  const error = [...log.matchAll(/^\w*Error\b[^:]*: (.+)$/gm)].at(-1)?.[1];
  return error === undefined ? 'its supervisor has ended' : `its supervisor has ended: ${error}`;
}

const isReady = ({ states }: { readonly states: readonly string[] }): boolean =>
  ['idle', 'allocated', 'mixed'].includes(states[0] ?? '') &&
  !states.some(state => ['not_responding', 'powered_down', 'powering_up', 'drain', 'cloud'].includes(state));
