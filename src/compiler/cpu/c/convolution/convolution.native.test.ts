// Convolutions as implicit multiplies, compared with the interpreter: random sizes, strides, padding, dilations, groups and
// orders of dims, forwards and both gradients.
import { describe, expect, test, vi } from 'vitest';
import { gradients } from '../../../../autodiff/index.ts';
import type { ConvolutionDimensionNumbers, OpAttributes } from '../../../../hlo/attributes.ts';
import { channelsLastDimensionNumbers, imageDimensionNumbers } from '../../../../hlo/image-dimension-numbers.ts';
import { shapeOf } from '../../../../hlo/program.ts';
import type { ElementType } from '../../../../hlo/types.ts';
import { Batch } from '../../../testing/batch.testing.ts';
import { planConvolution } from '../../convolution/convolution-plan.ts';
import { convolutionProblem } from '../../convolution/convolution-problem.ts';
import { hostTarget, targetOf } from '../../target/target.ts';

vi.setConfig({ testTimeout: 120_000 });

type Attributes = OpAttributes['convolution'];

/** Features outermost, the batch innermost; the kernel's width before its height. */
const batchLast: ConvolutionDimensionNumbers = {
  inputBatchDimension: 3,
  inputFeatureDimension: 0,
  inputSpatialDimensions: [1, 2],
  kernelInputFeatureDimension: 0,
  kernelOutputFeatureDimension: 3,
  kernelSpatialDimensions: [2, 1],
  outputBatchDimension: 3,
  outputFeatureDimension: 0,
  outputSpatialDimensions: [2, 1],
};

interface Case {
  readonly numbers: ConvolutionDimensionNumbers;
  readonly batch: number;
  readonly inputs: number;
  readonly outputs: number;
  readonly size: readonly [number, number];
  readonly kernel: readonly [number, number];
  readonly stride?: readonly [number, number];
  readonly padding?: readonly [readonly [number, number], readonly [number, number]];
  readonly xDilation?: readonly [number, number];
  readonly dilation?: readonly [number, number];
  readonly reversal?: readonly [boolean, boolean];
  readonly featureGroups?: number;
  readonly batchGroups?: number;
}

/** inputs and outputs are of all groups. */
function emit(t: Batch, c: Case, type: ElementType = 'f32') {
  const n = c.numbers;
  const featureGroups = c.featureGroups ?? 1;
  const x: number[] = [];
  x[n.inputBatchDimension] = c.batch * (c.batchGroups ?? 1);
  x[n.inputFeatureDimension] = c.inputs;
  n.inputSpatialDimensions.forEach((d, i) => {
    x[d] = c.size[i]!;
  });
  const w: number[] = [];
  w[n.kernelInputFeatureDimension] = c.inputs / featureGroups;
  w[n.kernelOutputFeatureDimension] = c.outputs;
  n.kernelSpatialDimensions.forEach((d, i) => {
    w[d] = c.kernel[i]!;
  });
  const attributes: Attributes = {
    windowStrides: c.stride ?? [1, 1],
    padding: c.padding ?? [
      [0, 0],
      [0, 0],
    ],
    lhsDilation: c.xDilation ?? [1, 1],
    rhsDilation: c.dilation ?? [1, 1],
    windowReversal: c.reversal ?? [false, false],
    dimensionNumbers: n,
    featureGroupCount: featureGroups,
    batchGroupCount: c.batchGroups ?? 1,
    precision: ['DEFAULT', 'DEFAULT'],
  };
  const xv = t.arg(type, x, i => Math.sin(i * 12.9898 + 1));
  const wv = t.arg(type, w, i => Math.cos(i * 7.233 + 2));
  const y = t.b.emit1('convolution', [xv, wv], attributes);
  const problem = convolutionProblem(attributes, x, w, shapeOf(y))!;
  return { x: xv, w: wv, y, plan: planConvolution(problem, type === 'f64' ? 8 : 4, false, hostTarget()) };
}

function withGradients(t: Batch, name: string, c: Case, type: ElementType = 'f32'): void {
  const { x, w, y } = emit(t, c, type);
  t.result(`${name} forward`, y);
  const loss = t.b.sum(
    t.b.multiply(
      y,
      t.b.unary('sine', t.b.iota({ kind: 'tensor', elementType: type, shape: shapeOf(y) }, shapeOf(y).length - 1)),
    ),
  );
  const [dx, dw] = gradients(t.b, loss, [x, w]);
  t.result(`${name} of x`, dx!);
  t.result(`${name} of w`, dw!);
}

/** Small numbers, the same on every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('convolution as a multiply', () => {
  test('the three roles, images [N, C, H, W]', () => {
    const t = new Batch();
    const images = { numbers: imageDimensionNumbers, batch: 2, inputs: 5, outputs: 19, size: [13, 11] } as const;
    const same = [
      [1, 1],
      [1, 1],
    ] as const; // prettier-ignore
    withGradients(t, '3x3', { ...images, kernel: [3, 3], padding: same });
    withGradients(t, '3x3 strided', { ...images, kernel: [3, 3], padding: same, stride: [2, 2] });
    withGradients(t, '1x1', { ...images, inputs: 24, kernel: [1, 1] });
    withGradients(t, '1x1 strided', { ...images, inputs: 24, kernel: [1, 1], stride: [2, 2] });
    withGradients(t, '7x7 strided', {
      ...images,
      inputs: 3,
      kernel: [7, 7],
      stride: [2, 2],
      padding: [
        [3, 3],
        [3, 3],
      ],
    }); // prettier-ignore
    withGradients(t, 'dilated', {
      ...images,
      kernel: [3, 2],
      dilation: [2, 3],
      padding: [
        [2, 1],
        [3, 0],
      ],
    }); // prettier-ignore
    withGradients(t, 'strided by 3', {
      ...images,
      kernel: [2, 4],
      stride: [3, 3],
      padding: [
        [0, 2],
        [1, 3],
      ],
    }); // prettier-ignore
    t.check(1e-5);
  });

  test('other orders of dims', () => {
    const t = new Batch();
    for (const [name, numbers] of [
      ['features last', channelsLastDimensionNumbers],
      ['batch last', batchLast],
    ] as const) {
      // prettier-ignore
      const images = { numbers, batch: 3, inputs: 18, outputs: 21, size: [9, 10], kernel: [3, 3] } as const;
      withGradients(t, name, {
        ...images,
        padding: [
          [1, 1],
          [1, 1],
        ],
      }); // prettier-ignore
      withGradients(t, `${name}, strided`, {
        ...images,
        stride: [2, 1],
        padding: [
          [1, 0],
          [0, 1],
        ],
      }); // prettier-ignore
      withGradients(t, `${name}, 1x1`, { ...images, kernel: [1, 1] });
    }
    t.check(1e-5);
  });

  test('groups, and depthwise convolutions', () => {
    const t = new Batch();
    const images = {
      numbers: imageDimensionNumbers,
      batch: 2,
      size: [12, 14],
      kernel: [3, 3],
      padding: [
        [1, 1],
        [1, 1],
      ],
    } as const; // prettier-ignore
    withGradients(t, 'groups', { ...images, inputs: 12, outputs: 24, featureGroups: 3 });
    withGradients(t, 'groups strided', { ...images, inputs: 12, outputs: 20, featureGroups: 2, stride: [2, 2] });
    withGradients(t, 'depthwise', { ...images, inputs: 6, outputs: 6, featureGroups: 6 });
    withGradients(t, 'batch groups', { ...images, inputs: 7, outputs: 16, batchGroups: 2 });
    t.check(1e-5);
  });

  test('low-precision floats and doubles', () => {
    const images = {
      numbers: imageDimensionNumbers,
      batch: 2,
      inputs: 5,
      outputs: 19,
      size: [13, 11],
      kernel: [3, 3],
      padding: [
        [1, 1],
        [1, 1],
      ],
    } as const; // prettier-ignore
    for (const type of ['bf16', 'f16', 'f64'] as const) {
      const t = new Batch();
      for (const stride of [1, 2]) {
        const { y, plan } = emit(t, { ...images, stride: [stride, stride] }, type);
        expect(plan?.orientation).toBe('across');
        t.result(`${type}, stride ${stride}`, y);
        t.result(`${type}, features last`, emit(t, { ...images, numbers: channelsLastDimensionNumbers }, type).y);
      }
      t.check(type === 'f64' ? 1e-13 : type === 'f16' ? 4e-3 : 3e-2);
    }
  });

  test('long sums in slices, many features in blocks', () => {
    const t = new Batch();
    withGradients(t, 'large image', {
      numbers: imageDimensionNumbers,
      batch: 2,
      inputs: 3,
      outputs: 5,
      size: [61, 67],
      kernel: [3, 3],
      padding: [
        [1, 1],
        [1, 1],
      ],
    }); // prettier-ignore
    withGradients(t, 'many features', {
      numbers: imageDimensionNumbers,
      batch: 1,
      inputs: 40,
      outputs: 530,
      size: [5, 6],
      kernel: [2, 2],
    }); // prettier-ignore
    t.check(2e-4);
  });

  test('random convolutions', () => {
    const random = generator(7);
    const t = new Batch();
    for (let i = 0; i < 24; i++) {
      const pair = (low: number, range: number): [number, number] => [low + random(range), low + random(range)];
      const groups = random(3) === 0 ? 2 : 1;
      const ofBatch = groups > 1 && random(2) === 0;
      const kernel = pair(1, 4);
      const c: Case = {
        numbers: [imageDimensionNumbers, channelsLastDimensionNumbers, batchLast][random(3)]!,
        batch: 1 + random(4),
        inputs: groups * (1 + random(9)),
        outputs: groups * (1 + random(40)),
        size: pair(6, 12),
        kernel,
        stride: pair(1, 3),
        padding: [pair(-1, 4), pair(-1, 4)],
        xDilation: pair(1, 3),
        dilation: pair(1, 2),
        reversal: [random(2) === 0, random(2) === 0],
        ...(ofBatch ? { batchGroups: groups } : { featureGroups: groups }),
      };
      t.result(`case ${i}: ${JSON.stringify(c)}`, emit(t, c).y);
    }
    t.check(1e-5);
  });

  test('the plan', () => {
    const t = new Batch();
    const images = {
      numbers: imageDimensionNumbers,
      batch: 8,
      inputs: 64,
      outputs: 64,
      size: [56, 56],
      kernel: [3, 3],
      padding: [
        [1, 1],
        [1, 1],
      ],
    } as const; // prettier-ignore
    const forward = emit(t, images).plan!;
    expect(forward).toMatchObject({ orientation: 'across', weights: 'inPlace', slices: 1, featureInner: false });
    expect(emit(t, { ...images, numbers: channelsLastDimensionNumbers }).plan).toMatchObject({
      orientation: 'along',
      featureInner: true,
    });
    expect(emit(t, { ...images, inputs: 1, outputs: 1, size: [8, 8] }).plan).toBeUndefined();
    const strided = emit(t, { ...images, xDilation: [2, 2] }).plan!;
    expect(strided.phases.map(p => p.phase.depth)).toEqual([64, 128, 128, 256]);
    expect(targetOf('avx2').vectorBytes).toBe(32);
  });
});
