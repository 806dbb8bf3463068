// The thread that writes checkpoints: this rank's file, its list of pieces, and on rank 0, when all ranks have written theirs,
// the manifest.
// The order of writes ensures that a checkpoint is either complete or absent whenever the process is killed:
//
//   rank k   shard → fsync → part-k.json → fsync
//   rank 0   … until all parts are there → manifest.json → fsync → fsync of the folder → rename → fsync of the folder above
//            → older ones are renamed and deleted
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { syncFolder } from '../../base/atomic-write.ts';
import { expectFileError } from '../../base/file-error.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { writeDirectly } from './direct-file.ts';
import { type KeptFile, keptEntry } from './kept-files.ts';
import { MANIFEST_FILE, type Manifest, manifestText } from './manifest.ts';
import { hashesOf } from './piece-hashes.ts';
import {
  failedName,
  partName,
  type SaveFailure,
  type SavePlan,
  type SaveReply,
  type SaveRequest,
  type WrittenPart,
} from './save-plan.ts';

const pollMs = 20;
/** For a process that exits while this thread writes. */
const savesDone = new Int32Array(workerData as SharedArrayBuffer);

/** A failure, with the name of the file that was being written. */
class Failed extends Error {
  readonly failure: SaveFailure;
  constructor(failure: SaveFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

parentPort?.on('message', (request: SaveRequest) => {
  void answer(request);
});

async function answer(request: SaveRequest): Promise<void> {
  const { memory } = request;
  const reply = (made: SaveReply): void => parentPort!.postMessage(made, [memory]);
  if (request.kind === 'touch') {
    // The pages are touched now, not while a step waits.
    new Uint8Array(memory).fill(0);
    reply({ kind: 'touched', memory });
    return;
  }
  const { plan } = request;
  const begin = performance.now();
  try {
    const written = await save(plan, memory);
    await removeOld(plan);
    reply({ kind: 'saved', memory, writeMs: written - begin });
  } catch (error) {
    const failure = error instanceof Failed ? error.failure : failureOf(error, plan.folder, 0, plan.rank);
    await giveUp(plan, failure);
    reply({ kind: 'failed', memory, failure });
  }
  Atomics.add(savesDone, 0, 1);
  Atomics.notify(savesDone, 0);
}

/** Returns the time at which it was complete. */
async function save(plan: SavePlan, memory: ArrayBuffer): Promise<number> {
  const partial = join(plan.folder, plan.partial);
  await on(plan, partial, async () => makeFolder(partial));
  const part = await writeShard(plan, partial, memory);
  await writeWhole(plan, join(partial, partName(plan.rank)), JSON.stringify(part));
  if (plan.manifest === undefined) return performance.now();
  const parts = await allParts(plan, partial);
  for (const { name, bytes } of plan.files) await writeWhole(plan, join(partial, name), bytes);
  await writeWhole(plan, join(partial, MANIFEST_FILE), manifestText(complete(plan.manifest, parts, plan.files)));
  for (let rank = 0; rank < plan.ranks; rank++) await rm(join(partial, partName(rank)), { force: true });
  await on(plan, partial, () => syncFolder(partial));
  await publish(plan, partial);
  return performance.now();
}

async function writeShard(plan: SavePlan, partial: string, memory: ArrayBuffer): Promise<WrittenPart> {
  const path = join(partial, plan.file);
  const image = new Uint8Array(memory, plan.from, plan.bytes);
  const progress = { bytes: 0 };
  // Each is awaited even if another fails, because the memory is released afterwards.
  const [hashed, written] = await Promise.allSettled([
    hashesOf(image, [plan.headerBytes, ...plan.pieces.map(({ bytes }) => bytes)]),
    on(plan, path, () => writeDirectly(path, image, progress), progress),
  ]);
  if (written.status === 'rejected') throw written.reason;
  if (hashed.status === 'rejected') throw hashed.reason;
  const hashes = hashed.value;
  let start = plan.headerBytes;
  return {
    file: plan.file,
    bytes: plan.bytes,
    headerBytes: plan.headerBytes,
    headerSha256: hashes[0]!,
    pieces: plan.pieces.map(({ name, offset, shape, bytes }, i) => {
      const sha = hashes[i + 1]!;
      const piece = { name, file: plan.file, offset: [...offset], shape: [...shape], start, bytes, sha256: sha };
      start += bytes;
      return piece;
    }),
  };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, progress: { bytes: number }): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    // Node writes less than 2 GiB at once.
    const { bytesWritten } = await file.write(bytes, done, Math.min(bytes.byteLength - done, 2 ** 30));
    done += bytesWritten;
    progress.bytes += bytesWritten;
  }
}

/** Writes a small file, which is on disk before it gets its name. */
async function writeWhole(plan: SavePlan, path: string, content: string | Uint8Array): Promise<void> {
  await on(plan, path, async () => {
    {
      await using file = await open(`${path}.writing`, 'w');
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      await writeAll(file, bytes, { bytes: 0 });
      await file.sync();
    }
    await rename(`${path}.writing`, path);
  });
}

/** The output of all ranks; waits for them. */
async function allParts(plan: SavePlan, partial: string): Promise<readonly WrittenPart[]> {
  const deadline = performance.now() + plan.timeoutMs;
  for (;;) {
    const names = new Set(await on(plan, partial, () => readdir(partial)));
    const ranks = Array.from({ length: plan.ranks }, (_, rank) => rank);
    for (const rank of ranks)
      if (names.has(failedName(rank)))
        throw new Failed(JSON.parse(await readFile(join(partial, failedName(rank)), 'utf8')) as SaveFailure);
    const late = ranks.filter(rank => !names.has(partName(rank)));
    if (late.length === 0)
      return Promise.all(
        ranks.map(
          async rank =>
            JSON.parse(await on(plan, partial, () => readFile(join(partial, partName(rank)), 'utf8'))) as WrittenPart,
        ),
      );
    if (performance.now() > deadline) {
      const message = `rank ${late.join(', ')} has not written its part after ${Math.round(plan.timeoutMs / 1000)} s`;
      throw new Failed({ file: partial, bytesWritten: 0, code: undefined, message, rank: late[0]! });
    }
    await sleep(pollMs);
  }
}

function complete(manifest: Manifest, parts: readonly WrittenPart[], kept: readonly KeptFile[]): Manifest {
  const tensors = Object.fromEntries(
    Object.entries(manifest.tensors).map(([name, tensor]) => [
      name,
      { ...tensor, pieces: [] as Manifest['tensors'][string]['pieces'] },
    ]),
  );
  for (const { pieces } of parts) for (const { name, ...piece } of pieces) tensors[name]!.pieces.push(piece);
  const files = Object.fromEntries([
    ...parts.map(({ file, bytes, headerBytes, headerSha256 }) => [file, { bytes, headerBytes, headerSha256 }] as const),
    ...kept.map(file => [file.name, keptEntry(file)] as const),
  ]);
  return { ...manifest, files, tensors };
}

/** Gives the checkpoint its name. An older one of the same step is kept until then. */
async function publish(plan: SavePlan, partial: string): Promise<void> {
  const final = join(plan.folder, plan.final);
  const replaced = join(plan.folder, `.${plan.final}.replaced`);
  await on(plan, final, async () => {
    const there = await stat(final).catch((error: unknown) => expectFileError(error, 'ENOENT'));
    if (there !== undefined) {
      await rm(replaced, { recursive: true, force: true });
      await rename(final, replaced);
    }
    await rename(partial, final);
    await syncFolder(plan.folder);
    await rm(replaced, { recursive: true, force: true });
  });
}

/** Removes all but the last `keep` checkpoints, and those of every `keepEvery` steps. The new one is already on disk. */
async function removeOld(plan: SavePlan): Promise<void> {
  if (plan.rank !== 0) return;
  const step = (name: string): number => Number(/^checkpoint-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
  const names = (await readdir(plan.folder)).filter(name => step(name) <= step(plan.final));
  const old = names
    .sort((a, b) => step(a) - step(b))
    .slice(0, -plan.keep)
    .filter(name => plan.keepEvery === undefined || step(name) % plan.keepEvery !== 0);
  for (const name of old) {
    const removed = join(plan.folder, `.${name}.removed`);
    await on(plan, removed, async () => {
      await rm(removed, { recursive: true, force: true });
      await rename(join(plan.folder, name), removed);
      await rm(removed, { recursive: true, force: true });
    });
  }
}

/** Frees the written data, and notifies rank 0, which cleans up. */
async function giveUp(plan: SavePlan, failure: SaveFailure): Promise<void> {
  const partial = join(plan.folder, plan.partial);
  const quietly = async (action: () => Promise<unknown>): Promise<void> => {
    // The failure itself is reported; the disk may refuse this as well.
    await action().catch(() => {});
  };
  if (plan.rank === 0) await quietly(() => rm(partial, { recursive: true, force: true }));
  else {
    await quietly(() => rm(join(partial, plan.file), { force: true }));
    await quietly(() => writeWhole(plan, join(partial, failedName(plan.rank)), JSON.stringify(failure)));
  }
}

/** Runs an action of the file system; its failure names the file. */
async function on<T>(plan: SavePlan, file: string, action: () => Promise<T>, progress = { bytes: 0 }): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Failed) throw error;
    throw new Failed(failureOf(error, file, progress.bytes, plan.rank));
  }
}
function failureOf(error: unknown, file: string, bytesWritten: number, rank: number): SaveFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return { file, bytesWritten, code, message, rank };
}
