// Waiting time compared with step time: the statistics, and the message that data is the bottleneck.
import { expect, test } from 'vitest';
import { DataLoader } from './data-loader.ts';
import { bottleneckMessage, LoaderClock } from './loader-stats.ts';

function run(waitMs: number, stepMs: number, batches: number, numWorkers = 2): readonly string[] {
  const lines: string[] = [];
  const clock = new LoaderClock(numWorkers, line => lines.push(line));
  for (let i = 0; i < batches; i++) {
    clock.waited(waitMs);
    clock.stepped(stepMs);
  }
  expect(clock.stats()).toEqual({
    batches,
    waitMs: batches * waitMs,
    totalMs: batches * (waitMs + stepMs),
    waitFraction: waitMs / (waitMs + stepMs),
    numWorkers,
  });
  return lines;
}

test('the message appears once, after some batches and some seconds, if the loop waits for data', () => {
  expect(run(380, 620, 100)).toHaveLength(1);
  expect(run(380, 620, 100)[0]).toMatch(/^38 % of the time waits on data: 2 loader workers, /);
  expect(run(10, 990, 100)).toEqual([]);
  expect(run(380, 620, 10)).toEqual([]);
  expect(run(0.375, 0.625, 1000)).toEqual([]);
});

test('no message for loops that only read', () => {
  expect(run(1000, 1, 100)).toEqual([]);
});

test('the advice is more workers, up to the number of cores', () => {
  expect(bottleneckMessage(0.38, 2, 8)).toBe('38 % of the time waits on data: 2 loader workers, try 4 (numWorkers)');
  expect(bottleneckMessage(0.5, 0, 8)).toBe('50 % of the time waits on data: 0 loader workers, try 2 (numWorkers)');
  expect(bottleneckMessage(0.5, 1, 8)).toBe('50 % of the time waits on data: 1 loader worker, try 2 (numWorkers)');
  expect(bottleneckMessage(0.5, 8, 8)).toMatch(/8 loader workers, all 8 cores are used: prepare the data once/);
});

test('a loader counts the batches delivered to the loop', async () => {
  const loader = new DataLoader([1, 2, 3], {});
  for await (const _ of loader) break;
  expect(loader.stats().batches).toBe(1);
  await Array.fromAsync(loader);
  const { batches, waitMs, totalMs, waitFraction } = loader.stats();
  expect(batches).toBe(4);
  expect(waitMs).toBeLessThanOrEqual(totalMs);
  expect(waitFraction).toBeLessThanOrEqual(1);
});
