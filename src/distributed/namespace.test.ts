// The names of torch.distributed, with a single rank.
import { expect, test } from 'vitest';
import { tensor } from '../tensor/index.ts';
import * as distributed from './namespace.ts';

test('collectives of a single rank return their input', () => {
  distributed.initProcessGroup('gloo');
  expect([distributed.getRank(), distributed.getWorldSize()]).toEqual([0, 1]);
  expect([distributed.isAvailable(), distributed.isInitialized()]).toEqual([true, false]);
  const x = tensor([1, 2]);
  distributed.allReduce(x, { op: distributed.ReduceOp.MAX });
  distributed.allReduce(x, distributed.ReduceOp.SUM);
  distributed.broadcast(x, 0);
  expect(x.toArray()).toEqual([1, 2]);
  expect(distributed.allGather(x).map(y => y.toArray())).toEqual([[1, 2]]);
  const list = [tensor([0, 0])];
  distributed.allGather(list, x);
  expect([list[0]!.toArray(), distributed.getBackend()]).toEqual([[1, 2], 'trenio']);
  distributed.barrier();
  distributed.destroyProcessGroup();
});
test('arguments are checked', () => {
  expect(() => distributed.broadcast(tensor([1]), 1)).toThrow('src is the number 1, expected a rank from 0 to 0');
  expect(() => distributed.allGather([], tensor([1]))).toThrow('expected 1 tensors, one for each rank');
  expect(() => distributed.allReduce(tensor([true]))).toThrow('expected a tensor of float32');
  expect(() => distributed.allReduce(tensor([1]), { op: 'mean' as never })).toThrow('expected one of ReduceOp');
});
