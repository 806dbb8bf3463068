// ResNet against PyTorch: logits, running statistics and all gradients of a small step whose weights come from a formula
// (test/golden/resnet18.json, made by bench/peers/torch_resnet.py); the shapes and names of its relatives.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { functional as F, init } from '../nn/index.ts';
import { device, markStep, tensor } from '../tensor/index.ts';
import { ResNet } from './resnet.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Golden {
  readonly settings: { readonly batch: number; readonly size: number; readonly classes: number };
  readonly logits: readonly number[];
  readonly loss: number;
  /** Norm, and product with a pattern. */
  readonly gradients: { readonly [name: string]: readonly [norm: number, product: number] };
  readonly runningMean: readonly number[];
  readonly runningVar: readonly number[];
}

/** The numbers of the script's `pattern`. */
function pattern(count: number, phase: number, scale: number): Float32Array {
  return Float32Array.from({ length: count }, (_, k) => {
    const i = (k + 7 * phase) % 20011;
    return scale * (((i * i * 7919 + i * 104729) % 20011) / 10005.5 - 1);
  });
}

test('ResNet-18 takes the step that PyTorch takes', () => {
  const file = join(import.meta.dirname, '../../test/golden/resnet18.json');
  const golden = JSON.parse(readFileSync(file, 'utf8')) as Golden;
  const { batch, size, classes } = golden.settings;
  const model = init
    .skipInit(() => new ResNet('resnet18', { numClasses: classes }))
    .to(device())
    .train();
  const parameters = [...model.namedParameters()];
  expect(parameters.map(([name]) => name)).toEqual(Object.keys(golden.gradients));
  parameters.forEach(([, p], i) => {
    const { shape } = p;
    const vector = shape.length === 1;
    const values = pattern(p.numel(), i, vector ? 0.2 : Math.sqrt((6 * shape[0]!) / p.numel()));
    p.assign_(tensor(vector && i % 3 === 1 ? values.map(v => v + 1) : values, { shape }));
  });
  const images = tensor(pattern(batch * 3 * size * size, 3, 1), { shape: [batch, 3, size, size] });
  const logits = model.forward(images);
  const labels = tensor(
    Array.from({ length: batch }, (_, i) => i % classes),
    { dtype: 'i32' },
  );
  const loss = F.crossEntropy(logits, labels);
  loss.backward();
  markStep(); // one program computes all that is read below
  const close = (got: readonly number[], expected: readonly number[], scale: number, name: string): void => {
    got.forEach((v, i) => {
      expect(Math.abs(v - expected[i]!), `${name}[${i}]: ${v} against ${expected[i]}`).toBeLessThan(1e-4 * scale);
    });
  };
  close(
    Array.from(logits.literal().data, Number),
    golden.logits,
    1 + Math.max(...golden.logits.map(Math.abs)),
    'logits',
  );
  close([loss.item()], [golden.loss], golden.loss, 'loss');
  for (const [name, p] of parameters) {
    const g = Array.from(p.grad!.literal().data, Number);
    const weights = pattern(g.length, 1, 1);
    const norm = Math.sqrt(g.reduce((n, v) => n + v * v, 0));
    const product = g.reduce((n, v, i) => n + v * weights[i]!, 0);
    const [expectedNorm, expectedProduct] = golden.gradients[name]!;
    close([norm], [expectedNorm], expectedNorm, `norm of the gradient of ${name}`);
    // the error of a dot product of this many terms is relative to the sum of the absolute terms
    close([product], [expectedProduct], expectedNorm * Math.sqrt(g.length), `gradient of ${name}`);
  }
  const buffers = new Map(model.namedBuffers());
  const last = (name: string): number[] => Array.from(buffers.get(`layer4.1.bn2.${name}`)!.literal().data, Number);
  close(last('running_mean').slice(0, 8), golden.runningMean, 1, 'running mean');
  close(last('running_var').slice(0, 8), golden.runningVar, 1, 'running variance');
  expect(last('num_batches_tracked')).toEqual([1]);
});

test('parameters of the three sizes, and inputs that are not images', () => {
  const millions = (['resnet18', 'resnet34', 'resnet50'] as const).map(kind =>
    init.skipInit(() => new ResNet(kind)).parameterCount(),
  );
  expect(millions).toEqual([11_689_512, 21_797_672, 25_557_032]);
  const model = init.skipInit(() => new ResNet('resnet18'));
  expect(() => model.forward(tensor([1, 2, 3]))).toThrow(/\[N, 3, H, W\]/);
});
