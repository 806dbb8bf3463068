// The layers that convertSyncBatchnorm replaces; training across ranks is tested in src/distributed.
import { beforeAll, expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, randn, setDefaultDevice } from '../../tensor/index.ts';
import * as nn from '../index.ts';
import { literalsOf } from '../literals.testing.ts';

beforeAll(() => {
  setDefaultDevice(new Device(new InterpreterBackend(), { seed: 1, log: () => {} }));
});

test('replaces all batch norms of a model, keeping their parameters', () => {
  const shared = new nn.BatchNorm1d(4, { eps: 1e-3, affine: false });
  const model = new nn.Sequential(new nn.Linear(3, 4), shared, new nn.Sequential(new nn.BatchNorm1d(4), shared));
  const before = literalsOf(model.stateDict());
  const x = randn(6, 3);
  model(x);
  model.loadStateDict(before);
  expect(nn.SyncBatchNorm.convertSyncBatchnorm(model)).toBe(model);
  const kept = 'momentum=0.1, affine=False, bias=False, track_running_stats=True)';
  expect(String(model[1])).toBe(`SyncBatchNorm(4, eps=0.001, ${kept}`);
  expect((model[2] as unknown as nn.Sequential)[1]).toBe(model[1]);
  expect([...model.stateDict().keys()]).toEqual([...before.keys()]);
  const text = String(model);
  expect(String(nn.SyncBatchNorm.convertSyncBatchnorm(model))).toBe(text);
  const single = new nn.BatchNorm2d(2).eval();
  const sync = nn.SyncBatchNorm.convertSyncBatchnorm(single) as unknown as nn.SyncBatchNorm;
  expect(sync.weight).toBe(single.weight);
  expect(sync.training).toBe(false);
  const y = randn(2, 2, 3, 3);
  expect(sync(y).toArray()).toEqual(single(y).toArray());
});
test('incorrect use is an error', () => {
  expect(() => new nn.SyncBatchNorm(3)(randn(2, 4))).toThrow('a tensor [N, 3, …]');
  expect(() => nn.SyncBatchNorm.convertSyncBatchnorm(3 as never)).toThrow('a module');
  expect(() => nn.SyncBatchNorm.convertSyncBatchnorm(new nn.LazyBatchNorm1d())).toThrow('call the model once');
});
