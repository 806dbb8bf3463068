// One command changes a cluster at a time.
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { takeFileLock } from '../base/file-lock.ts';
import { ClusterFolder } from './cluster-folder.ts';

/** @throws {CLUSTER_BUSY} */
export function takeClusterLock(root: string, name: string): Disposable {
  const lock = takeFileLock(join(root, `${name}.lock`), { local: true });
  if ('release' in lock) return lock;
  const status = new ClusterFolder(join(root, name)).state()?.status ?? 'CREATE_IN_PROGRESS';
  throw new TrenioError('CLUSTER_BUSY', { cluster: name, status });
}
