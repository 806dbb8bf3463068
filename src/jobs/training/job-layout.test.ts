import { expect, test } from 'vitest';
import { userArguments } from './container-contract.ts';
import { layoutOfJob } from './job-layout.ts';

test.each([
  [{ tensor_parallel_degree: 4 }, 'dp_shard=-1,tp=4'],
  [{ tensor_parallel_degree: 2, hybrid_shard_degree: 8 }, 'dp_replicate=-1,dp_shard=8,tp=2'],
  [{ partitions: 2, hybrid_shard_degree: 1, context_parallel_degree: 1 }, 'pp=2,dp_replicate=-1'],
  [{ expert_parallel_degree: 4, context_parallel_degree: 2 }, 'dp_shard=-1,ep=4,cp=2'],
  [{ tensor_parallel_degree: 'four' }, 'dp_shard=-1,tp=four'],
  [7, '7'],
])('%j', (degrees, layout) => {
  const hyperparameters = { mp_parameters: JSON.stringify(degrees), epochs: '3' };
  expect(layoutOfJob(hyperparameters)).toBe(layout);
  expect(userArguments(hyperparameters)).toEqual(['--epochs', '3']);
});

test('a job without degrees has no layout', () => {
  expect(layoutOfJob({ epochs: '3' })).toBeUndefined();
});
