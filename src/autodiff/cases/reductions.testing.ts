// Random cases of reductions, windows and contractions.
import type { ConvolutionDimensionNumbers } from '../../hlo/attributes.ts';
import { literal, toNumbers } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import type { Random } from '../random.testing.ts';
import type { MakeCase } from './elementwise.testing.ts';

const reduce: MakeCase = r => {
  const shape = r.shape(0, 3, 4);
  const dimensions = r.shuffle(
    r.subset(
      shape.map((_, d) => d),
      0.6,
    ),
  );
  const name = r.pick(['add', 'multiply', 'maximum', 'minimum', 'two'] as const);
  if (name === 'two') {
    return {
      args: [r.tensor(shape), r.tensor(shape), r.tensor([]), r.tensor([])],
      build: (b, values) => {
        const types = r.times(4, () => tensorType('f64'));
        const region = b.region(types, (inner, [x, y, u, v]) => [inner.add(x!, u!), inner.maximum(v!, y!)]);
        return b.emit('reduce', values, { dimensions }, [region]);
      },
    };
  }
  // With zeros among the factors, a rule that divides would fail.
  const x = r.tensor(shape);
  const holed = literal(
    'f64',
    shape,
    toNumbers(x).map(v => (name === 'multiply' && r.chance(0.2) ? 0 : v)),
  );
  if (r.chance(0.5)) {
    const init = { add: 0, multiply: 1, maximum: Number.NEGATIVE_INFINITY, minimum: Number.POSITIVE_INFINITY }[name];
    return { args: [holed], build: (b, [v]) => [b.reduce(name, v!, b.fill('f64', [], init), dimensions)] };
  }
  return { args: [holed, r.tensor([])], build: (b, [v, init]) => [b.reduce(name, v!, init!, dimensions)] };
};

/** Windows along one dim, at least one of them. */
function windowOf(r: Random, size: number, dilate: boolean, crop: boolean) {
  for (;;) {
    const one = {
      window: r.int(1, 3),
      stride: r.int(1, 3),
      low: r.int(crop ? -1 : 0, 2),
      high: r.int(crop ? -1 : 0, 2),
      baseDilation: dilate ? r.int(1, 2) : 1,
      windowDilation: dilate ? r.int(1, 2) : 1,
    };
    const whole = (size - 1) * one.baseDilation + 1 + one.low + one.high;
    const reach = (one.window - 1) * one.windowDilation + 1;
    if (whole >= reach) return { ...one, count: Math.floor((whole - reach) / one.stride) + 1 };
  }
}

const reduceWindow: MakeCase = r => {
  const shape = r.shape(1, 2, 5);
  const [dilate, crop] = [r.chance(0.4), r.chance(0.4)];
  const dims = shape.map(size => windowOf(r, size, dilate, crop));
  const attributes = {
    windowDimensions: dims.map(d => d.window),
    windowStrides: dims.map(d => d.stride),
    padding: dims.map((d): [number, number] => [d.low, d.high]),
    baseDilations: dims.map(d => d.baseDilation),
    windowDilations: dims.map(d => d.windowDilation),
  };
  const name = r.pick(['add', 'maximum', 'minimum'] as const);
  const lowest = { add: 0, maximum: Number.NEGATIVE_INFINITY, minimum: Number.POSITIVE_INFINITY }[name];
  const given = r.chance(0.4);
  return {
    args: given ? [r.tensor(shape), r.tensor([])] : [r.tensor(shape)],
    build: (b, [x, init]) => {
      // Windows of padding only are infinite: they are left out of the weighted sum.
      const result = b.emit1('reduce_window', [x!, init ?? b.fill('f64', [], lowest)], attributes, [
        b.combiner(name, 'f64'),
      ]);
      return [b.select(b.emit1('is_finite', [result], {}), result, b.like(result, 0))];
    },
  };
};

const selectAndScatter: MakeCase = r => {
  const shape = r.shape(1, 2, 5);
  const dims = shape.map(size => windowOf(r, size, false, false));
  const attributes = {
    windowDimensions: dims.map(d => d.window),
    windowStrides: dims.map(d => d.stride),
    padding: dims.map((d): [number, number] => [d.low, d.high]),
  };
  const direction = r.pick(['GE', 'LE'] as const);
  return {
    args: [r.tensor(shape), r.tensor(dims.map(d => d.count)), r.tensor([])],
    build: (b, values) => {
      const scalar = tensorType('f64');
      const select = b.region([scalar, scalar], (inner, [x, y]) => [inner.compare(direction, x!, y!)]);
      return [b.emit1('select_and_scatter', values, attributes, [select, b.combiner('add', 'f64')])];
    },
  };
};

const dotGeneral: MakeCase = r => {
  const [batch, contracting] = [r.shape(0, 2, 2), r.shape(0, 2, 3)];
  const side = (): { shape: number[]; batching: number[]; contracted: number[] } => {
    const sizes = [...batch, ...contracting, ...r.shape(0, 2, 3)];
    const place = r.chance(0.4) ? sizes.map((_, i) => i) : r.permutation(sizes.length);
    const shape = new Array<number>(sizes.length);
    sizes.forEach((size, i) => {
      shape[place[i]!] = size;
    });
    return {
      shape,
      batching: place.slice(0, batch.length),
      contracted: place.slice(batch.length, batch.length + contracting.length),
    };
  };
  const [lhs, rhs] = [side(), side()];
  const numbers = {
    lhsBatchingDimensions: lhs.batching,
    rhsBatchingDimensions: rhs.batching,
    lhsContractingDimensions: lhs.contracted,
    rhsContractingDimensions: rhs.contracted,
  };
  return { args: [r.tensor(lhs.shape), r.tensor(rhs.shape)], build: (b, [x, y]) => [b.dotGeneral(x!, y!, numbers)] };
};

const convolution: MakeCase = r => {
  const spatial = r.int(0, 2);
  const [featureGroups, batchGroups] = r.pick([
    [1, 1],
    [1, 1],
    [2, 1],
    [1, 2],
    [3, 1],
    [1, 3],
  ] as const);
  const groups = featureGroups * batchGroups;
  const inputs = r.times(spatial, () => r.int(1, 4));
  const crop = r.chance(0.3);
  const dims = inputs.map(size => windowOf(r, size, r.chance(0.4), crop));
  // Each tensor's dims are laid out in a random order.
  const [ofInput, ofKernel, ofOutput] = r.times(3, () =>
    r.chance(0.4) ? r.times(spatial + 2, i => i) : r.permutation(spatial + 2),
  );
  const dimensionNumbers: ConvolutionDimensionNumbers = {
    inputBatchDimension: ofInput![0]!,
    inputFeatureDimension: ofInput![1]!,
    inputSpatialDimensions: ofInput!.slice(2),
    kernelInputFeatureDimension: ofKernel![0]!,
    kernelOutputFeatureDimension: ofKernel![1]!,
    kernelSpatialDimensions: ofKernel!.slice(2),
    outputBatchDimension: ofOutput![0]!,
    outputFeatureDimension: ofOutput![1]!,
    outputSpatialDimensions: ofOutput!.slice(2),
  };
  const features = r.int(1, 2); // of the kernel's input
  const laidOut = (place: readonly number[], sizes: readonly number[]): number[] => {
    const shape = new Array<number>(sizes.length);
    sizes.forEach((size, i) => {
      shape[place[i]!] = size;
    });
    return shape;
  };
  const lhs = laidOut(ofInput!, [r.int(1, 2) * batchGroups, features * featureGroups, ...inputs]);
  const rhs = laidOut(ofKernel!, [features, r.int(1, 2) * groups, ...dims.map(d => d.window)]);
  const attributes = {
    windowStrides: dims.map(d => d.stride),
    padding: dims.map((d): [number, number] => [d.low, d.high]),
    lhsDilation: dims.map(d => d.baseDilation),
    rhsDilation: dims.map(d => d.windowDilation),
    windowReversal: dims.map(() => r.chance(0.3)),
    dimensionNumbers,
    featureGroupCount: featureGroups,
    batchGroupCount: batchGroups,
    precision: ['DEFAULT', 'DEFAULT'] as const,
  };
  return { args: [r.tensor(lhs), r.tensor(rhs)], build: (b, values) => [b.emit1('convolution', values, attributes)] };
};

export const reductionCases = {
  reduce,
  reduce_window: reduceWindow,
  select_and_scatter: selectAndScatter,
  dot_general: dotGeneral,
  convolution,
} satisfies Record<string, MakeCase>;
