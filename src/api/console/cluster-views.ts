// Clusters for the console: the current state of Slurm's nodes and jobs, and their hourly cost.
import { userInfo } from 'node:os';
import { isTrenioError } from '../../base/errors.ts';
import { expectFileError } from '../../base/file-error.ts';
import { toDollars } from '../../base/money.ts';
import { type ClusterState, findCluster, listClusters } from '../../clusters/cluster-folder.ts';
import { nodeNamesOf, planCluster } from '../../clusters/cluster-plan.ts';
import { parseConfig } from '../../clusters/config/parse-config.ts';
import { type OutputEnd, outputLines, readEnd } from '../../clusters/slurm/job-output.ts';
import { describeReason, nodeWord } from '../../clusters/slurm/pending-reasons.ts';
import { SlurmClient } from '../../clusters/slurm/slurm-client.ts';
import { priceOf } from '../../hardware/index.ts';
import type { ClusterDetail, ClusterJobLog, ClusterNode, ClusterRow } from './messages.ts';

export const clusterRows = (root: string): readonly ClusterRow[] => listClusters(root).map(rowOf);

const rowOf = ({ name, status, fleetStatus, region, createdAt }: ClusterState): ClusterRow => ({
  name,
  status,
  fleetStatus,
  region,
  createdMs: Date.parse(createdAt),
});

/** @throws {UNKNOWN_CLUSTER} */
export async function clusterDetail(root: string, name: string): Promise<ClusterDetail> {
  const { folder, state } = findCluster(root, name);
  const row = rowOf(state);
  // An existing Slurm has no configuration file.
  const file = state.provider === 'existing' ? undefined : parseConfig(folder.config(), name).file;
  const types = new Map(
    file === undefined
      ? []
      : planCluster(name, file).groups.flatMap(group =>
          nodeNamesOf(group).map(node => [node, { type: group.instanceType, queue: group.queue }] as const),
        ),
  );
  const slurm = new SlurmClient(folder.conf);
  try {
    const [nodes, jobs, reservations] = await Promise.all([slurm.nodes(), slurm.jobs(), slurm.reservations()]);
    const shown = nodes.map(({ name: node, states, reason }): ClusterNode => {
      const { type = 'unknown', queue = '' } = types.get(node) ?? {};
      return { name: node, queue, instanceType: type, state: nodeWord(states), reason: reason ?? null };
    });
    const used = new Map<string, string[]>();
    for (const { user, nodes: list } of jobs.filter(job => job.state === 'RUNNING'))
      used.set(user, [...(used.get(user) ?? []), ...(await slurm.hostNames(list))]);
    const typeOf = (node: string): string => types.get(node)?.type ?? 'unknown';
    const up = shown.filter(one => one.state !== 'off');
    const cost = (list: readonly string[]): number | null => sumOf(list.map(node => usdPerHour(typeOf(node))));
    const [upCost, idleCost] = [up, up.filter(one => one.state === 'idle')].map(list =>
      cost(list.map(one => one.name)),
    );
    return {
      ...row,
      problem: null,
      nodes: shown,
      jobs: jobs.map(({ id, name: job, user, partition, state: word, reason, nodeCount, nodes: list }) => ({
        ...{ id, name: job, user, queue: partition, state: word, nodeCount, nodes: list },
        reason: word === 'PENDING' ? describeReason(reason) : null,
      })),
      usdPerHour: upCost == null || idleCost == null ? null : { up: upCost, idle: idleCost },
      users: [...used].map(([user, list]) => ({ user, nodes: list.length, usdPerHour: cost(list) })),
      reservations: reservations
        .map(({ state: word, ...one }) => ({
          ...one,
          state: word === 'ACTIVE' ? ('active' as const) : ('scheduled' as const),
        }))
        .toSorted((a, b) => a.startMs - b.startMs),
    };
  } catch (error) {
    if (!isTrenioError(error, 'SLURM_FAILED')) throw error;
    return { ...row, problem: error.message, nodes: [], jobs: [], usdPerHour: null, users: [], reservations: [] };
  }
}

const LOG_BYTES = 256 * 1024;

/**
 * The end of a job's output.
 * @throws {UNKNOWN_CLUSTER} @throws {SLURM_FAILED} for a job that Slurm does not know
 */
export async function clusterJobLog(root: string, name: string, id: number): Promise<ClusterJobLog> {
  const { folder } = findCluster(root, name);
  const slurm = new SlurmClient(folder.conf);
  const { output, nodes: list, ...job } = await slurm.job(id);
  const nodes = await slurm.hostNames(list);
  const { end, problem } = endOf(output, job.user);
  const lines = end === undefined ? [] : outputLines(end.text, nodes);
  return {
    ...{ id, ...job, nodes, problem, hasMore: end?.hasMore ?? false },
    lines: lines.map(({ rank, node, text }) => ({ rank: rank ?? null, node: node ?? null, text })),
  };
}

function endOf(
  output: string | undefined,
  user: string,
): { readonly end?: OutputEnd; readonly problem: string | null } {
  if (output === undefined) return { problem: 'its output is not kept (/dev/null)' };
  // The server may read more than the user of the job.
  if (user !== userInfo().username) return { problem: `it is a job of ${user}; the output is in ${output}` };
  try {
    return { end: readEnd(output, LOG_BYTES), problem: null };
  } catch (error) {
    expectFileError(error, 'ENOENT', 'EACCES', 'EISDIR', 'ESTALE');
    return { problem: `${output} cannot be read here: ${(error as Error).message}` };
  }
}

function usdPerHour(instanceType: string): number | undefined {
  const price = priceOf(instanceType);
  return price === undefined ? undefined : toDollars(price.value);
}

const sumOf = (parts: readonly (number | undefined)[]): number | null =>
  parts.some(part => part === undefined) ? null : parts.reduce<number>((sum, part) => sum + part!, 0);
