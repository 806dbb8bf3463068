// Damaged files of models: each is read, or rejected with a typed error.
import { beforeEach, expect, test } from 'vitest';
import { device, setDefaultDevice } from '../tensor/index.ts';
import { openMutants, targets } from './mutants.testing.ts';

beforeEach(() => setDefaultDevice(device('interpreter')));

test.each(targets.map(target => [`${target.directory.split('/').at(-1)}/${target.file}`, target] as const))(
  '%s',
  async (_, target) => expect(await openMutants(target, { count: 12, limitMs: 30_000 })).toEqual([]),
);
