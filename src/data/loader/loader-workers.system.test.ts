// Loader workers: the same batches for any number of workers, including none; errors, early exits, and values that cannot be
// sent.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { startHostSpans, stopHostSpans } from '../../observe/host-spans.ts';
import { tensor } from '../../tensor/index.ts';
import { arrayDataset, mapDataset } from '../datasets/dataset.ts';
import { IterableDataset } from '../datasets/iterable-dataset.ts';
import { TensorDataset } from '../datasets/tensor-dataset.ts';
import { hostBatch, hostBatches } from './batches.testing.ts';
import { DataLoader } from './data-loader.ts';
import type { DataLoaderOptions } from './loader-options.ts';
import { loaderAdvice } from './loader-stats.ts';
import { exportToWorkers } from './worker-exports.ts';
import {
  double,
  Ends,
  Hidden,
  init,
  keep,
  misnamed,
  Noise,
  NotRegistered,
  Places,
  Started,
  Texts,
  Threads,
} from './worker-fixtures.testing.ts';

const caught = async (batches: AsyncIterable<unknown>): Promise<Error> => {
  try {
    for await (const _ of batches);
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
};

test('batches are the same, bit for bit and in order, for any number of workers', async () => {
  const batches = async (options: DataLoaderOptions<ReturnType<Noise['get']>, unknown>) => {
    await using loader = new DataLoader(new Noise(23), options);
    return [await hostBatches(loader), await hostBatches(loader)];
  };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      fc.boolean(),
      async (numWorkers, prefetchFactor, batchSize, shuffle, persistentWorkers) => {
        const options = { batchSize, shuffle, seed: 3 };
        const alone = await batches(options);
        expect(await batches({ ...options, numWorkers, prefetchFactor, persistentWorkers })).toEqual(alone);
      },
    ),
    { numRuns: 5 },
  );
});

test('the work is done in threads with workerInfo', async () => {
  const batches = await Array.fromAsync(new DataLoader(new Places(), { numWorkers: 2, batchSize: 2 }));
  const seen = batches.map(([, ...parts]) => parts.map(part => Array.from(part.data as Uint8Array, Number)));
  expect(seen).toEqual([
    [
      [0, 0],
      [2, 2],
      [1, 1],
    ],
    [
      [1, 1],
      [2, 2],
      [1, 1],
    ],
    [
      [0, 0],
      [2, 2],
      [1, 1],
    ],
    [
      [1, 1],
      [2, 2],
      [1, 1],
    ],
  ]);
});

test('the next epoch runs on the same threads, with the current dataset, unless the loop was left early', async () => {
  const dataset = new Threads();
  await using loader = new DataLoader(dataset, { numWorkers: 2, batchSize: 1 });
  const epoch = async (value: number) => {
    dataset.value = value;
    const made = (await Array.fromAsync(loader)).map(([thread, held]) =>
      [thread, held].map(one => Number(one.data[0])),
    );
    expect(made.map(([, held]) => held)).toEqual([value, value, value, value]);
    return made.map(([thread]) => thread);
  };
  const threads = await epoch(1);
  expect(await epoch(2)).toEqual(threads);
  for await (const _ of loader) break;
  const others = await epoch(3);
  expect(others.filter(thread => threads.includes(thread))).toEqual([]);
});

test('a profile shows the waits for batches, with advice', async () => {
  startHostSpans();
  await Array.fromAsync(new DataLoader(new Threads(), { numWorkers: 1 }));
  const spans = stopHostSpans().filter(({ kind }) => kind === 'data');
  // Four batches, and the end.
  expect(spans).toHaveLength(5);
  expect(spans[0]!.name).toBe(loaderAdvice(1));
});

test('arrays that a dataset keeps are not transferred when a collate function returns them', async () => {
  await using loader = new DataLoader(new Noise(4), { collateFn: keep, numWorkers: 1, persistentWorkers: true });
  const once = await Array.fromAsync(loader.epoch(0));
  expect(once).toEqual(await Array.fromAsync(loader.epoch(0)));
  expect((once[3] as { kept: Float32Array }[])[0]!.kept).toEqual(Float32Array.of(1, 2, 3));
});

test('sequences are padded in workers, too; datasets of this library need no registration', async () => {
  const texts = (numWorkers: number) =>
    hostBatches(new DataLoader(new Texts(), { batchSize: 3, bucket: [4, 8, 12], numWorkers }));
  expect(await texts(2)).toEqual(await texts(0));
  const large = Float32Array.from({ length: 40_000 }, (_, i) => i);
  for (const dataset of [
    new TensorDataset(large, large),
    new TensorDataset(
      tensor([
        [1, 2],
        [3, 4],
      ]),
      tensor([0, 1]),
    ),
    mapDataset(arrayDataset(Array.from({ length: 20 }, (_, i) => i)), double),
  ] as const) {
    const first = async (numWorkers: number) => {
      for await (const batch of new DataLoader<unknown, unknown>(dataset, { batchSize: 10, numWorkers })) return batch;
      return undefined;
    };
    expect(hostBatch(await first(1))).toEqual(hostBatch(await first(0)));
  }
});

test('workerInitFn runs first, in each worker', async () => {
  const batches = await Array.fromAsync(
    new DataLoader(new Started(), { numWorkers: 2, workerInitFn: init, collateFn: keep, batchSize: 2 }),
  );
  expect(batches.map(items => (items as unknown[][])[0])).toEqual([[[0]], [[1]], [[0]]]);
});

test('an error in a worker has the item, the worker and the cause', async () => {
  const failing = new DataLoader(new Noise(9, 5), { batchSize: 2, numWorkers: 2 });
  const seen: unknown[] = [];
  const error = await caught(
    (async function* () {
      for await (const batch of failing) {
        seen.push(batch);
        yield batch;
      }
    })(),
  );
  expect(seen).toHaveLength(2);
  expect(isTrenioError(error, 'DATASET_FAILED')).toBe(true);
  expect(error.message).toMatch(/failed in item 5, loader worker 0: RangeError: no such noise/);
  expect((error.cause as Error).stack).toMatch(/worker-fixtures\.testing\.ts/);
  expect((await caught(new DataLoader(new Ends('throw'), { numWorkers: 1 }))).message).toMatch(/Error: a text/);
});

test('errors of this library keep their code', async () => {
  const ragged = new DataLoader(arrayDataset([[Float32Array.of(1)], [Float32Array.of(1, 2)]]), {
    batchSize: 2,
    numWorkers: 1,
  });
  const error = await caught(ragged);
  expect(isTrenioError(error, 'CANNOT_COLLATE')).toBe(true);
  expect(error.message).toMatch(/\n {2}in loader worker 0\n {2}fix: /);
});

test('a worker that exits, hangs or gets private fields is an error', async () => {
  const ended = await caught(new DataLoader(new Ends('exit'), { numWorkers: 1 }));
  expect(ended.message).toMatch(/loader worker 0 ended: the thread ended with exit code 3/);
  for (const how of ['hang', 'promise'] as const) {
    const late = await caught(new DataLoader(new Ends(how), { numWorkers: 1, timeout: 0.2 }));
    expect(late.message).toMatch(/loader worker 0 returned no batch within 0.2 s/);
  }
  const hidden = await caught(new DataLoader(new Hidden(), { numWorkers: 1 }));
  expect(hidden.message).toMatch(/private fields are not copied[\s\S]*make the fields public/);
});

test('a value that cannot be sent is an error with a fix', async () => {
  const closure = new DataLoader({ length: 3, get: (i: number) => i }, { numWorkers: 1 });
  expect((await caught(closure)).message).toMatchInlineSnapshot(`
    "the dataset.get is the function get, which cannot be sent to a loader worker: functions share variables with the code around them
      fix: define it in a separate module, export it there, and end that module with exportToWorkers(import.meta.url, { … }); or load the dataset without workers (numWorkers: 0)"
  `);
  expect((await caught(new DataLoader(new NotRegistered(), { numWorkers: 1 }))).message).toMatch(
    /the dataset is an object of class NotRegistered, which cannot be sent .*which module exports/,
  );
  const mapped = mapDataset(arrayDataset([1]), x => x + 1);
  expect((await caught(new DataLoader(mapped, { numWorkers: 1 }))).message).toMatch(
    /the dataset\.map is a function without/,
  );
  expect((await caught(new DataLoader([1], { numWorkers: 1, collateFn: items => items.length }))).message).toMatch(
    /collateFn is the function collateFn/,
  );
  expect(() => exportToWorkers('here', {})).toThrow(/moduleUrl.*import\.meta\.url/);
  const missing = new DataLoader(new Places(), { numWorkers: 1, workerInitFn: misnamed });
  expect((await caught(missing)).message).toMatch(/otherName, which cannot .*does not export it under this name/s);
});

test('options that require workers are errors without them', () => {
  for (const options of [{ prefetchFactor: 2 }, { timeout: 1 }, { persistentWorkers: true }])
    expect(() => new DataLoader([1], options)).toThrow(/set without workers/);
  expect(() => new DataLoader([1], { numWorkers: -1 })).toThrow(/numWorkers is -1/);
  expect(() => new DataLoader([1], { numWorkers: 1, timeout: -1 })).toThrow(/timeout is -1, expected seconds/);
});

test('a user script: the error has its line, and no thread remains after break', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-workers-'));
  try {
    const data = new URL('../index.ts', import.meta.url).href;
    writeFileSync(
      join(folder, 'mine.ts'),
      `import { exportToWorkers } from '${data}';
export class Mine {
  readonly length: number = 100;
  get(index: number): number {
    if (index === 9) throw new Error('nine');
    return index;
  }
}
exportToWorkers(import.meta.url, { Mine });
`,
    );
    writeFileSync(
      join(folder, 'train.ts'),
      `import { DataLoader, exportToWorkers } from '${data}';
import { Mine } from './mine.ts';
const loader = new DataLoader(new Mine(), { batchSize: 2, numWorkers: 2 });
for await (const batch of loader) {
  console.log('first', batch.data.length);
  break;
}
const kept = new DataLoader(new Mine(), { batchSize: 2, numWorkers: 2, persistentWorkers: true });
try { for await (const _ of kept); } catch (error) { console.log(error.message, error.location.line); }
for await (const _ of kept.epoch(1)) break;
class Here { length = 1; get() { return 1; } }
exportToWorkers(import.meta.url, { Here });
try { for await (const _ of new DataLoader(new Here(), { numWorkers: 1 })); } catch (error) { console.log(error.message); }
console.log('end');
`,
    );
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(folder, 'train.ts')], {
      encoding: 'utf8',
      timeout: 150_000,
    });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toMatch(/^first 2\n/);
    expect(stdout).toMatch(/failed in item 9, loader worker 0: Error: nine\n {2}at .*mine\.ts:5:\d+[\s\S]* 5\n/);
    expect(stdout).toMatch(/it is defined in the script itself, which a worker would run again/);
    expect(stdout).toMatch(/end\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('Ctrl-C ends a loop with workers and all of its threads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-workers-'));
  try {
    const [data, fixtures] = ['../index.ts', './worker-fixtures.testing.ts'].map(
      file => new URL(file, import.meta.url).href,
    );
    writeFileSync(
      join(folder, 'train.ts'),
      `import { DataLoader } from '${data}';
import { Ends } from '${fixtures}';
for await (const _ of new DataLoader(new Ends('hang'), { numWorkers: 2 })) console.log('batch');
`,
    );
    const child = spawn(process.execPath, [join(folder, 'train.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('concurrent workers create a cache only once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-workers-'));
  try {
    writeFileSync(join(folder, 'x.jsonl'), '1\n2\n3\n4\n');
    const cached = IterableDataset.fromJson<number>(join(folder, 'x.jsonl')).map(double).cache(join(folder, 'cache'));
    const batches = await Array.fromAsync(new DataLoader(cached, { numWorkers: 2, collateFn: keep }));
    expect(batches).toEqual([[2], [4], [6], [8]]);
    expect(readdirSync(join(folder, 'cache'))).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a tensor in a dataset stays in the main thread: the error names it and says what to send', async () => {
  const loader = new DataLoader(arrayDataset([tensor([1, 2])]), { numWorkers: 1, collateFn: keep });
  const error = await caught(loader);
  expect(error).toMatchObject({ code: 'NOT_SENDABLE' });
  expect(error.message).toMatch(/items\[0\] is a tensor, tensor<2xf32>, which cannot be sent to a loader worker/);
  expect(error.message).toMatch(
    /fix: keep its values in memory: tensor\.literal\(\), or the rows of a TensorDataset; or load/,
  );
});

test('data cannot make the other thread import a module', async () => {
  const item = { kind: 'trenio.function', module: 'file:///tmp/anything.js', name: 'x' };
  const loader = new DataLoader(arrayDataset([item]), { numWorkers: 1, collateFn: keep });
  expect(await caught(loader)).toMatchObject({ code: 'NOT_SENDABLE' });
});
