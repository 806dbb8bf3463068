// The program of a cluster's supervisor: `supervisor-main FOLDER`. It exits on SIGTERM; the cluster keeps running.
import { isMainThread } from 'node:worker_threads';
import { TrenioError } from '../../base/errors.ts';
import { takeFileLock } from '../../base/file-lock.ts';
import { ClusterFolder } from '../cluster-folder.ts';
import { planCluster } from '../cluster-plan.ts';
import { parseConfig } from '../config/parse-config.ts';
import { Supervisor } from './supervisor.ts';

async function main(path: string): Promise<void> {
  const folder = new ClusterFolder(path);
  const state = folder.state();
  if (state === undefined) throw new TrenioError('CLUSTER_DAMAGED', { file: path });
  const lock = takeFileLock(`${path}/supervisor.lock`);
  // The cluster already has a supervisor.
  if (!('release' in lock)) return;
  const { file } = parseConfig(folder.config(), state.name);
  if (file === undefined) throw new TrenioError('CLUSTER_DAMAGED', { file: `${path}/config.yaml` });
  const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);
  const supervisor = new Supervisor(folder, state, planCluster(state.name, file), log);
  const stop = (): void => {
    supervisor.stop();
    lock.release();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await supervisor.start();
}

if (isMainThread) await main(process.argv[2]!);
