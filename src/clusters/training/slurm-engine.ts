// The engine `slurm` of the job server: training jobs run as jobs of a cluster.
import { fileURLToPath } from 'node:url';
import { TrenioError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { neighbor } from '../../base/neighbor.ts';
import type { EngineOfServer } from '../../jobs/training/host-engine.ts';
import { findCluster } from '../cluster-folder.ts';
import { planCluster } from '../cluster-plan.ts';
import type { ClusterFile } from '../config/cluster-file.ts';
import { parseConfig } from '../config/parse-config.ts';
import { SlurmClient } from '../slurm/slurm-client.ts';
import { checkShared } from '../ssh/shared-paths.ts';
import { ensureSupervisor } from '../supervisor-life.ts';
import { slurmName } from './slurm-hosts.ts';

const main = fileURLToPath(neighbor(import.meta.url, './slurm-runner-main.ts'));

/**
 * @throws {UNKNOWN_CLUSTER}
 * @throws {CLUSTER_DAMAGED}
 * @param data the folder of the server, which must be visible on nodes
 * @throws {INVALID_OPTION} for a Slurm that is not Trenio's
 * @throws {CLUSTER_PATHS_NOT_SHARED} if ssh hosts do not see the server's folder, Node or this package at the same paths
 */
export async function slurmEngine(root: string, cluster: string, data: string): Promise<EngineOfServer> {
  const { folder, state } = findCluster(root, cluster);
  if (state.provider === 'existing')
    throw new TrenioError('INVALID_OPTION', {
      what: 'trenio server',
      option: '--cluster',
      got: `${cluster} (provider ${state.provider})`,
      expected: 'a cluster that Trenio has created, with --provider local or ssh',
    });
  if (state.provider === 'ssh') {
    makeFolder(data, 0o700);
    const files = [process.execPath, main];
    await checkShared(cluster, { ...state, hosts: Object.values(state.hosts) }, { folders: [data], files });
  }
  let text = folder.config();
  const { file } = parseConfig(text, cluster);
  if (file === undefined) throw new TrenioError('CLUSTER_DAMAGED', { file: `${folder.path}/config.yaml` });
  let instances = instancesOf(cluster, file);
  await ensureSupervisor(folder);
  const slurm = new SlurmClient(folder.conf);
  return {
    instances: () => {
      // The file is read again because the cluster may have been updated, and parsed again only if it changed.
      const now = folder.state() === undefined ? undefined : folder.config();
      if (now === undefined) return [];
      if (now === text) return instances;
      const { file: changed } = parseConfig(now, cluster);
      if (changed !== undefined) [text, instances] = [now, instancesOf(cluster, changed)];
      return instances;
    },
    runnerWords: attempt => [main, attempt, JSON.stringify({ root, cluster })],
    abandon: async (job, attempt) => {
      await slurm.run('scancel', '--quiet', `--name=${slurmName(job, attempt)}`);
    },
  };
}

function instancesOf(cluster: string, file: ClusterFile): ReturnType<EngineOfServer['instances']> {
  const counts = new Map<string, number>();
  for (const { instanceType, count } of planCluster(cluster, file).groups)
    counts.set(`ml.${instanceType}`, (counts.get(`ml.${instanceType}`) ?? 0) + count);
  return [...counts].map(([type, count]) => ({ type, count }));
}
