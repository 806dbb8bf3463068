// The optimizers compared with PyTorch's (scripts/golden/optimizers.py).
import { expect, test } from 'vitest';
import { nn, ones } from '../../src/index.ts';
import { skipsWithoutTrace, stepsAsPyTorch } from '../../src/optim/golden.testing.ts';
import { device, setDefaultDevice } from '../../src/tensor/index.ts';
import { ASGD, CyclicLR, Rprop } from './index.ts';

setDefaultDevice(device('interpreter'));

stepsAsPyTorch({ ASGD, Rprop } as never);
skipsWithoutTrace({ ASGD, Rprop } as never);

const parameter = (): nn.Parameter => new nn.Parameter(ones(2, 2));
test('settings are checked, and may come in PyTorch’s order', () => {
  expect(() => new Rprop([parameter()], { etas: [2, 3] })).toThrow('etas');
  expect(new Rprop([parameter()], 0.2, [0.4, 1.3], [0.1, 2]).groupSettings()).toEqual(
    new Rprop([parameter()], { lr: 0.2, etas: [0.4, 1.3], stepSizes: [0.1, 2] }).groupSettings(),
  );
  expect(new ASGD([parameter()], 0.2, 0.1, 0.5, 10, 0.3).groupSettings()).toEqual(
    new ASGD([parameter()], { lr: 0.2, lambd: 0.1, alpha: 0.5, t0: 10, weightDecay: 0.3 }).groupSettings(),
  );
  expect(() => new CyclicLR(new Rprop([parameter()]) as never, { baseLr: 0, maxLr: 1 })).toThrow(
    'cycleMomentum is 0, expected false for Rprop',
  );
});
