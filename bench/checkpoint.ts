// The cost of checkpointing BERT-base's full state: how long the step is blocked, and the write rate compared with the disk's.
//
//   node bench/checkpoint.ts [--rounds 5] [--folder DIR]
//
// The state is that of BERT-base with AdamW: weights and two moments, about 1.3 GB. In each round, plain sequential
// writes of as many
// bytes and an fsync measure the disk, and a save is written next to it. Medians; the folder decides which disk is measured.
import { mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Checkpointer, device, tensor } from 'trenio';
import { bar } from './bars.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    folder: { type: 'string', default: tmpdir() },
    megabytes: { type: 'string', default: '1314' },
  },
});
const folder = mkdtempSync(join(values.folder, 'trenio-bench-'));
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
try {
  device();
  // 200 tensors of each kind, of the sizes of BERT-base together: 438 MB each.
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
  const held: number[] = [];
  const plainRates: number[] = [];
  const saveRates: number[] = [];
  const chunk = new Uint8Array(1 << 23).fill(7);
  for (let round = 1; round <= Number(values.rounds); round++) {
    const file = join(folder, 'plain');
    let begin = performance.now();
    {
      await using handle = await open(file, 'w');
      for (let done = 0; done < bytes; done += chunk.length)
        await handle.write(chunk, 0, Math.min(chunk.length, bytes - done));
      await handle.sync();
    }
    plainRates.push(bytes / (performance.now() - begin) / 1e6);
    await rm(file);
    begin = performance.now();
    await checkpointer.save(round);
    while (checkpointer.lastSaved?.writeMs === undefined) await new Promise(resolve => setTimeout(resolve, 5));
    held.push(checkpointer.lastSaved.heldMs);
    saveRates.push(bytes / checkpointer.lastSaved.writeMs / 1e6);
    const [plain, saved] = [plainRates.at(-1)!, saveRates.at(-1)!];
    console.log(
      `round ${round}: held ${held.at(-1)!.toFixed(0)} ms, written at ${saved.toFixed(2)} GB/s, the disk at ${plain.toFixed(2)} GB/s (load ${loadavg()[0]!.toFixed(1)})`,
    );
  }
  const share = median(saveRates.map((rate, i) => rate / plainRates[i]!));
  const what = `a checkpoint of ${(bytes / 1e9).toFixed(2)} GB`;
  bar({ what: `${what} holds the step`, unit: 'ms', measured: median(held), limit: 150, kind: 'at most' });
  bar({ what: `${what} is written`, unit: "% of the disk's rate", measured: 100 * share, limit: 70, kind: 'at least' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
