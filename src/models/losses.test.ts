// Losses of distillation and of contrastive embeddings, and pooling, compared with PyTorch (test/golden/losses.json, written by
// make-losses-golden.py).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { device, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { distillationLoss } from './distillation.ts';
import { contrastiveLoss, type Pooling, poolEmbeddings } from './embeddings.ts';

type Numbers = readonly (number | Numbers)[];
interface Case {
  readonly loss: number;
  readonly gradients: readonly Numbers[];
  readonly options: object;
}
const golden = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../test/golden/losses.json', import.meta.url)), 'utf8'),
) as {
  readonly distillation: Case & { readonly student: Numbers; readonly teacher: Numbers; readonly labels: Numbers };
  readonly pooling: { readonly hidden: Numbers; readonly mask: Numbers; readonly pooled: Record<Pooling, Numbers> };
  readonly contrastive: { readonly anchors: Numbers; readonly candidates: Numbers; readonly cases: readonly Case[] };
};
beforeEach(() => setDefaultDevice(device('interpreter')));

const read = (values: Numbers): Tensor => tensor(values as never);
const leaf = (values: Numbers): Tensor => read(values).requiresGrad_();
function expectNumbers(got: Tensor, want: Numbers): void {
  const flat = want.flat(9) as number[];
  for (const [i, value] of [...(got.data as Float32Array)].entries()) expect(value).toBeCloseTo(flat[i]!, 5);
}
function expectCase(loss: Tensor, inputs: readonly Tensor[], want: Case): void {
  loss.backward();
  expect(loss.item()).toBeCloseTo(want.loss, 5);
  for (const [i, input] of inputs.entries()) expectNumbers(input.grad!, want.gradients[i]!);
}

test('distillation', () => {
  const { student, teacher, labels, options } = golden.distillation;
  const own = leaf(student);
  const given = { ...options, labels: tensor(labels as never, { dtype: 'int64' }) };
  expectCase(distillationLoss(own, read(teacher), given), [own], golden.distillation);
  expect(distillationLoss(read(teacher), read(teacher), { alpha: 1 }).item()).toBeCloseTo(0, 6);
  expect(() => distillationLoss(own, read(teacher))).toThrow(
    'labels is undefined, expected class numbers [..], which an alpha below 1',
  );
  expect(() => distillationLoss(own, read(teacher), { ...given, temperature: 0 })).toThrow('temperature is 0');
  expect(() => distillationLoss(own, read(teacher).narrow(0, 0, 1), given)).toThrow('logits of both are [.., classes]');
});
test.each(Object.entries(golden.pooling.pooled))('pooling: %s', (pooling, want) => {
  const { hidden, mask } = golden.pooling;
  expectNumbers(poolEmbeddings(read(hidden), read(mask), pooling as Pooling), want);
});
test.each(golden.contrastive.cases)('contrastive: $options', want => {
  const [anchors, candidates] = [leaf(golden.contrastive.anchors), leaf(golden.contrastive.candidates)];
  expectCase(contrastiveLoss(anchors, candidates, want.options), [anchors, candidates], want);
});
test('invalid inputs', () => {
  const x = read(golden.contrastive.anchors);
  expect(() => contrastiveLoss(x, x.narrow(0, 0, 2))).toThrow('anchors are [B, H]');
  expect(() => contrastiveLoss(x, x, { similarity: 'l2' as never })).toThrow(
    'similarity is l2, expected cosine or dot',
  );
  expect(() => poolEmbeddings(x, x)).toThrow('hidden states are [B, T, H]');
});
