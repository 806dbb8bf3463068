// The directory of a run's checkpoints, shared by its ranks: locked by one run, and searched by all ranks together.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { describeHolder, type FileLock, takeFileLock } from '../../base/file-lock.ts';
import { makeOutputFolder } from '../../base/output-files.ts';
import { defaultRuntime } from '../../runtime/device.ts';
import { allReduceSum, rank, worldSize } from '../process-group.ts';
import { checkpointName, isDamage, listCheckpoints } from './folder.ts';
import { verifyCheckpoint } from './verify.ts';

/** Locks the directory for this process; no other run may save to it. @throws {WRITE_FAILED} @throws {RUN_IN_PROGRESS} */
export function lockDirectory(folder: string): FileLock {
  makeOutputFolder(folder);
  const lock = takeFileLock(join(folder, '.lock'));
  if ('release' in lock) return lock;
  const { heldBy } = lock;
  throw new TrenioError('RUN_IN_PROGRESS', {
    folder,
    holder: heldBy === undefined ? 'another process' : describeHolder(heldBy),
    since: heldBy?.since,
  });
}

/** The last checkpoint that all ranks found intact. Every rank must call it. @throws {CHECKPOINT_DAMAGED} where all are damaged */
export async function lastIntact(folder: string): Promise<string | undefined> {
  let first: TrenioError | undefined;
  const known = rank() === 0 ? (await listCheckpoints(folder)).map(({ step }) => step) : [];
  for (;;) {
    const candidate = rank() === 0 ? (known.pop() ?? -1) : 0;
    const step = worldSize() > 1 ? allReduceSum([candidate])[0]! : candidate;
    if (step < 0) break;
    const directory = join(folder, checkpointName(step));
    const error = await verifyCheckpoint(directory, { share: { rank: rank(), ranks: worldSize() } }).then(
      () => undefined,
      (found: unknown) => {
        if (isDamage(found)) return found;
        throw found;
      },
    );
    const bad = worldSize() > 1 ? allReduceSum([error === undefined ? 0 : 1])[0]! : error === undefined ? 0 : 1;
    if (bad === 0) return directory;
    first ??=
      error ?? new TrenioError('CHECKPOINT_DAMAGED', { file: directory, problem: 'another rank found damage in it' });
    if (error !== undefined)
      defaultRuntime().log.warn(`${directory} is damaged and was skipped: ${error.message.split('\n')[0]}`);
  }
  if (first !== undefined) throw first;
  return undefined;
}
