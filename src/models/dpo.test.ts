// Losses, rewards and gradients compared with TRL's DPOTrainer (test/golden/dpo.json, written by make-dpo-golden.py).
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { toNumbers } from '../hlo/literal.ts';
import { device, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { type DpoLossType, dpoLoss, sequenceLogProbabilities } from './dpo.ts';

interface Golden {
  readonly logits: number[][][];
  readonly reference: number[][][];
  readonly ids: number[][];
  readonly mask: number[][];
  readonly cases: readonly {
    readonly lossType: DpoLossType;
    readonly beta: number;
    readonly labelSmoothing: number;
    readonly loss: number;
    readonly chosenReward: number;
    readonly rejectedReward: number;
    readonly gradient: readonly number[];
  }[];
}
const golden = JSON.parse(readFileSync(new URL('../../test/golden/dpo.json', import.meta.url), 'utf8')) as Golden;
beforeEach(() => setDefaultDevice(device('interpreter')));

const numbers = (x: Tensor): number[] => toNumbers(x.literal());
const labels = (): Tensor =>
  tensor(
    golden.ids.map((row, i) => row.map((id, t) => (golden.mask[i]![t] === 1 ? id : -100))),
    { dtype: 'int32' },
  );

test.each(golden.cases)('$lossType, beta $beta: loss, rewards and gradients match TRL', one => {
  const { lossType, beta, labelSmoothing } = one;
  const logits = tensor(golden.logits, { requiresGrad: true });
  const reference = sequenceLogProbabilities(tensor(golden.reference), labels());
  const lengths = tensor(golden.mask).sum(1);
  const result = dpoLoss(sequenceLogProbabilities(logits, labels()), reference, {
    lossType,
    beta,
    labelSmoothing,
    lengths,
  });
  result.loss.backward();
  expect(Math.abs(result.loss.item() - one.loss)).toBeLessThan(1e-5);
  expect(Math.abs(result.chosenRewards.mean().item() - one.chosenReward)).toBeLessThan(1e-5);
  expect(Math.abs(result.rejectedRewards.mean().item() - one.rejectedReward)).toBeLessThan(1e-5);
  const worst = numbers(logits.grad!).reduce((most, g, i) => Math.max(most, Math.abs(g - one.gradient[i]!)), 0);
  expect(worst).toBeLessThan(1e-5);
});

test('invalid options are errors', () => {
  const logps = (): Tensor => tensor([-1, -2]);
  expect(() => dpoLoss(logps(), logps(), { beta: 0 })).toThrow('beta is 0');
  expect(() => dpoLoss(logps(), logps(), { lossType: 'kto' as never })).toThrow('lossType is kto');
  expect(() => dpoLoss(logps(), logps(), { lossType: 'ipo' })).toThrow('lengths is undefined');
  expect(() => dpoLoss(logps(), logps(), { labelSmoothing: 0.5 })).toThrow('labelSmoothing is 0.5');
  expect(() => dpoLoss(logps(), logps(), { gamma: 1 } as never)).toThrow('gamma');
  expect(() => dpoLoss(tensor([1, 2, 3]), tensor([1, 2, 3]))).toThrow('the preferred answers first');
  expect(() => sequenceLogProbabilities(tensor([[1, 2]]), labels())).toThrow('logits are [B, T, V]');
});
