// The cost of checkpointing BERT-base's full state: how long the step is blocked, and the write rate compared with the disk's.
//
//   node bench/checkpoint.ts [--rounds 5] [--folder DIR]
//
// The state is that of BERT-base with AdamW: weights and two moments, about 1.3 GB. In each round, sequential writes of as many
// bytes and an fsync measure the disk, bypassing the page cache and through it; the faster one is the disk's rate. A copy in
// memory of as many bytes is the minimum time for which a save can block the step. Medians; the folder decides which disk is
// measured.
import './help.ts';
import { constants, mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Checkpointer, device, tensor } from 'trenio';
import { addressOf } from '../src/runtime/execution/native-library.ts';
import { bar } from './bars.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    folder: { type: 'string', default: tmpdir() },
    megabytes: { type: 'string', default: '1314' },
  },
});
const folder = mkdtempSync(join(values.folder, 'trenio-bench-'));
try {
  device();
  // 200 tensors of each kind, with the total size of BERT-base: 438 MB each.
  const count = 200;
  const each = Math.floor((Number(values.megabytes) * 1e6) / 3 / 4 / count);
  const make = () => Array.from({ length: count }, (_, i) => tensor(new Float32Array(each).fill(i)));
  const state = { weights: make(), first: make(), second: make() };
  const bytes = count * 3 * each * 4;
  await using checkpointer = new Checkpointer(
    { directory: join(folder, 'checkpoints'), every: 1000, keep: 1 },
    { state },
  );
  await checkpointer.step(1);
  const [from, to] = [1, 2].map(fill => new Uint8Array(1 << 28).fill(fill)) as [Uint8Array, Uint8Array];
  const copyMs = (): number => {
    const begin = performance.now();
    for (let done = 0; done < bytes; done += from.length) to.set(from.subarray(0, bytes - done));
    return performance.now() - begin;
  };
  // Aligned to 4096, as direct writes require.
  const chunk = from.subarray(Number(-addressOf(from.buffer as ArrayBuffer) & 4095n)).subarray(0, 1 << 23);
  const direct = constants.O_CREAT | constants.O_WRONLY | constants.O_DIRECT;
  const writeRate = async (flags: number | string): Promise<number> => {
    const file = join(folder, 'plain');
    const begin = performance.now();
    {
      await using handle = await open(file, flags);
      // Two at a time.
      const write = async (from: number): Promise<void> => {
        for (let at = from; at < bytes; at += 2 * chunk.length) await handle.write(chunk, 0, chunk.length, at);
      };
      await Promise.all([write(0), write(chunk.length)]);
      await handle.sync();
    }
    const rate = bytes / (performance.now() - begin) / 1e6;
    await rm(file);
    return rate;
  };
  const results = { heldMs: [] as number[], ofCopy: [] as number[], saved: [] as number[], disk: [] as number[] };
  for (let round = 1; round <= Number(values.rounds); round++) {
    const [past, through, copied] = [await writeRate(direct), await writeRate('w'), copyMs()];
    const begin = performance.now();
    await checkpointer.save(round);
    const heldMs = performance.now() - begin;
    while (checkpointer.lastSaved?.writeMs === undefined) await new Promise(resolve => setTimeout(resolve, 5));
    const rate = bytes / checkpointer.lastSaved.writeMs / 1e6;
    results.heldMs.push(heldMs);
    results.ofCopy.push(copied / heldMs);
    results.saved.push(rate);
    results.disk.push(past, through);
    console.log(
      `round ${round}: held ${heldMs.toFixed(0)} ms (one thread's copy takes ${copied.toFixed(0)}), written at ${rate.toFixed(2)} GB/s; ` +
        `the disk at ${past.toFixed(2)} GB/s, ${through.toFixed(2)} through the page cache (load ${loadavg()[0]!.toFixed(1)})`,
    );
  }
  const what = `a checkpoint of ${(bytes / 1e9).toFixed(2)} GB`;
  bar({ what: `${what} blocks the step`, unit: 'ms', measured: median(results.heldMs), limit: 150, kind: 'at most' });
  console.log(`  ${(100 * median(results.ofCopy)).toFixed(0)} % of the time of an in-memory copy on one thread`);
  // The disk is shared and its rate varies by a factor of five, so the best one is used.
  const share = (100 * median(results.saved)) / Math.max(...results.disk);
  bar({ what: `${what} is written`, unit: "% of the disk's best rate", measured: share, limit: 70, kind: 'at least' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
