import { expect, test } from 'vitest';
import { InstancePool } from './instance-pool.ts';

test('the counts of an engine are asked again, because its cluster can be updated', () => {
  let instances = [{ type: 'ml.trn1.32xlarge', count: 2 }];
  const pool = InstancePool.ofEngine({
    instances: () => instances,
    runnerWords: () => [],
    abandon: async () => {},
  });
  const four = { instanceType: 'ml.trn1.32xlarge', instanceCount: 4 };
  expect([pool.limitOf('ml.trn1.32xlarge'), pool.waitOf(four, []) === undefined]).toEqual([2, false]);
  instances = [
    { type: 'ml.trn1.32xlarge', count: 4 },
    { type: 'ml.c5.large', count: 1 },
  ];
  expect([pool.limitOf('ml.trn1.32xlarge'), pool.waitOf(four, []) === undefined]).toEqual([4, true]);
  expect(pool.types()).toEqual(['ml.trn1.32xlarge', 'ml.c5.large']);
  instances = [];
  expect([pool.limitOf('ml.trn1.32xlarge'), pool.reservableOf('ml.c5.large')]).toEqual([0, 0]);
});
