import { expect, test } from 'vitest';
import { usd } from '../../../base/money.ts';
import type { Layout } from '../../../simulator/index.ts';
import { layoutInWords, memoryUse, roundedUsd, shortUsd, tickOf, wholePercent } from './words.ts';

test('money has cents below a thousand dollars, and more decimals for amounts below a cent', () => {
  expect([0.0123, 0.45, 999.99, 1000, 190_818.29].map(dollars => roundedUsd(usd(dollars)))).toEqual([
    '$0.0123',
    '$0.45',
    '$999.99',
    '$1,000',
    '$190,818',
  ]);
  expect([0.05, 2, 1500, 10_000, 200_000, 3e6, 2e9].map(shortUsd)).toEqual([
    '$0.05',
    '$2',
    '$1,500',
    '$10k',
    '$200k',
    '$3M',
    '$2B',
  ]);
});

test('ticks have no trailing zeros', () => {
  expect([0, 2e-6, 0.05, 0.1, 1, 1.5, 10, 30, 120, 200, 3600, 7200, 86_400, 1.2e7].map(tickOf)).toEqual([
    '0 s',
    '2 µs',
    '50 ms',
    '100 ms',
    '1 s',
    '1.5 s',
    '10 s',
    '30 s',
    '2 min',
    '3 min 20 s',
    '1 h',
    '2 h',
    '1 d',
    '139 d',
  ]);
});

test('shares and memory', () => {
  expect([0, 0.0006, 0.0456, 0.123, 1].map(wholePercent)).toEqual(['0 %', '0.06 %', '4.6 %', '12 %', '100 %']);
  const memory = { byKind: {} as never, fits: true, spare: 0, remedies: [] };
  expect(memoryUse({ ...memory, total: 9.5 * 2 ** 30, capacity: 16 * 2 ** 30 })).toBe('9.5 of 16.0 GiB');
  expect(memoryUse({ ...memory, total: 2 ** 29, capacity: 16 * 2 ** 30 })).toBe('512.0 MiB of 16.0 GiB');
});

test('a layout in words', () => {
  const layout: Layout = {
    ...{ data: 4, tensor: 8, pipeline: 2, interleave: 2, expert: 1 },
    ...{ zero1: true, sequenceParallel: false, recompute: 'full', microBatches: 1, microBatch: 2 },
  };
  expect(layoutInWords(layout)).toEqual([
    '4 copies of the model, each on 16 devices',
    '8 devices share each layer (tensor parallel)',
    '2 pipeline stages with 2 chunks each',
    'optimizer state sharded over the copies (ZeRO-1)',
    'full recomputation of activations',
    '1 micro-batch of 2 samples per step on each copy',
  ]);
});
