// The work that determines the entries of a stream is done once by all loader workers together, with the same batches.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostBatch, hostBatches } from '../loader/batches.testing.ts';
import { DataLoader } from '../loader/data-loader.ts';
import { Counted, hasTokens } from '../loader/worker-fixtures.testing.ts';
import { IterableDataset } from './iterable-dataset.ts';

const count = 300;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-shared-work-'));
  writeFileSync(join(folder, 'in.jsonl'), Array.from({ length: count }, (_, n) => `{"n":${n}}\n`).join(''));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const stream = (counted: Counted) => IterableDataset.fromJson<{ n: number }>(join(folder, 'in.jsonl')).map(counted);
const packed = (counted: Counted) =>
  stream(counted).filter(hasTokens).shuffle(20, { seed: 3 }).packSequences({ length: 16, eos: 1 });
/** The batches until the end or an error, and how often each item was computed. */
async function run(
  numWorkers: number,
  make: (counted: Counted) => IterableDataset<unknown>,
  failAt = -1,
  how: Counted['how'] = 'throw',
) {
  const file = join(folder, `${files++}.txt`);
  await using loader = new DataLoader(make(new Counted(file, failAt, how)), { batchSize: 4, numWorkers });
  const epochs: unknown[][] = [];
  let error: unknown;
  for (let epoch = 0; epoch < 2 && error === undefined; epoch++) {
    const batches: unknown[] = [];
    epochs.push(batches);
    try {
      for await (const batch of loader) batches.push(hostBatch(batch));
    } catch (caught) {
      error = caught;
    }
  }
  const computed = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  return { epochs, error: error as Error | undefined, computed };
}
const twice = Array.from({ length: 2 * count }, (_, i) => Math.floor(i / 2));

test.each([2, 3])('filters and packing, %i workers: each item is computed once per epoch', async numWorkers => {
  const alone = await run(0, packed);
  const together = await run(numWorkers, packed);
  expect(together.epochs).toEqual(alone.epochs);
  expect(together.computed.toSorted((a, b) => a - b)).toEqual(twice);
});

test('items of a filter are not computed again by the worker that makes the batch', async () => {
  const filtered = (counted: Counted) => stream(counted).filter(hasTokens).packSequences({ length: 8 }).batch(2);
  const together = await run(3, filtered);
  expect(together.epochs).toEqual((await run(0, filtered)).epochs);
  expect(together.computed.length).toBe(2 * count);
});

test('an error is thrown at the batch of its item, and only if that batch is reached', async () => {
  const alone = await run(0, packed, 200);
  const together = await run(3, packed, 200);
  expect(alone.error?.message).toContain('number 200');
  expect(together.error?.message).toContain('number 200');
  expect(together.epochs).toEqual(alone.epochs);
  const first = (counted: Counted) => stream(counted).filter(hasTokens).take(40).packSequences({ length: 8 });
  const untouched = await run(3, first, 60);
  expect(untouched.error).toBeUndefined();
  expect(untouched.epochs).toEqual((await run(0, first)).epochs);
});

test('the other workers do not wait for a worker that has exited', async () => {
  const { error } = await run(3, packed, 150, 'exit');
  expect(error?.message).toMatch(/loader worker \d ended/);
});

test('a run resumes with another number of workers; breaking out of a loop leaves nothing behind', async () => {
  const batches = (await run(0, packed)).epochs[0]!;
  const options = { batchSize: 4 };
  const counted = new Counted(join(folder, 'resumed.txt'));
  await using first = new DataLoader(packed(counted), { ...options, numWorkers: 2 });
  const begun: unknown[] = [];
  for await (const batch of first) if (begun.push(hostBatch(batch)) === 5) break;
  await using second = new DataLoader(packed(counted), { ...options, numWorkers: 3 });
  second.loadStateDict(first.stateDict());
  expect([...begun, ...(await hostBatches(second))]).toEqual(batches);
});
