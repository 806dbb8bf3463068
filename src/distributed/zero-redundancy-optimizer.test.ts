// The bytes that an optimizer whose state is divided sends in a step.
import { expect, test } from 'vitest';
import { AdamW } from '../optim/index.ts';
import { recordedStep } from './parallel/recorded-step.testing.ts';
import { ZeroRedundancyOptimizer } from './zero-redundancy-optimizer.ts';

test.each([
  [{ data: 2 }, 2],
  [{ data: 2, tp: 2 }, 4],
])('%j: gradients of matrices are reduced to parts, and updated parts gathered', (mesh, ranks) => {
  const divided = (parameters: ConstructorParameters<typeof AdamW>[0]) =>
    new ZeroRedundancyOptimizer(parameters, { optimizerClass: AdamW });
  const { communication, parameterBytes } = recordedStep('llama', mesh, undefined, 64, divided);
  const bytesOf = (kind: string): number =>
    communication.reduce((sum, each) => sum + (each.kind === kind ? each.bytes : 0), 0);
  /** Five norms of 32 elements. */
  const norms = 5 * 32 * 4;
  const half = (parameterBytes - norms) / ranks;
  expect(bytesOf('reduce_scatter')).toBe(half);
  if (ranks === 2) expect(['all_gather', 'all_reduce'].map(bytesOf)).toEqual([half, norms]);
});
