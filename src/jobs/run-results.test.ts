import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resultRows, resultTableJson } from './result-table.ts';
import { type RunResults, readRunResults, writeRunResults } from './run-results.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trenio-results-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const results: Omit<RunResults, 'format'> = {
  model: 'BERT classification, 2 × 128',
  configuration: { hidden_size: 128, learningRate: 1e-3, schedule: { kind: 'linear', warmUp: 0.1 } },
  dataSet: { training: 'reviews.csv', validation: null, trainingExamples: 1000, validationExamples: 0 },
  batchSize: 8,
  worldSize: 2,
  gradientAccumulation: 1,
  steps: 62,
  epochs: 1,
  throughput: { iterationsPerSecond: 6.5, sequencesPerSecond: 104 },
  accuracy: { validation: null },
  loss: { first: 0.69, last: 0.2 },
  seconds: { billable: 20.5, training: 15 },
  machine: { name: 'here', cpu: 'some CPU', threads: 2, memoryBytes: 8e9 },
  usdPerHour: null,
  costUsd: null,
  table: [
    ...resultTableJson(
      resultRows([
        {
          model: 'm',
          machine: 'here',
          usdPerHour: undefined,
          iterationsPerSecond: 6.5,
          validationAccuracy: undefined,
          billableSeconds: 20.5,
        },
      ]),
    ),
  ],
  startedAt: '2030-01-01T00:00:00.000Z',
  endedAt: '2030-01-01T00:00:20.500Z',
  versions: { trenio: '0.1.0', node: 'v24.0.0' },
};

test('written results are read back unchanged', async () => {
  const path = join(folder, 'results.json');
  await writeRunResults(path, results);
  expect(await readRunResults(path)).toEqual({ ...results, format: 'trenio-results-1' });
  expect(await readFile(path, 'utf8')).toMatch(/^\{\n {2}"format": "trenio-results-1"|^\{/);
});

test('invalid results are not written', async () => {
  const path = join(folder, 'results.json');
  await expect(writeRunResults(path, { ...results, steps: -1 })).rejects.toMatchObject({
    code: 'RESULTS_INVALID',
    data: { field: 'steps' },
  });
  await expect(writeRunResults(path, { ...results, accuracy: { validation: 1.2 } })).rejects.toMatchObject({
    data: { field: 'accuracy.validation' },
  });
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['{"format": ', 'not JSON'],
  ['[]', 'expected object'],
  ['{"format": "other"}', 'trenio-results-1'],
])('a damaged file is an error: %s', async (text, problem) => {
  const path = join(folder, 'results.json');
  await writeFile(path, text);
  await expect(readRunResults(path)).rejects.toThrow(problem);
});
