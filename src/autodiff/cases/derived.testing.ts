// Random cases of ops that are differentiated through their decompositions: normalizations, map, custom calls, the older ops.
import type { Value } from '../../hlo/program.ts';
import { shardingOf } from '../../hlo/sharding/sharding.ts';
import { tensorType } from '../../hlo/types.ts';
import type { Random } from '../random.testing.ts';
import type { MakeCase } from './elementwise.testing.ts';

/** A shape with a feature dim, and several elements for each feature. */
function normalized(r: Random) {
  const shape = [r.int(2, 4), r.int(1, 3), r.int(1, 3)];
  const order = r.permutation(3);
  const featureIndex = order.indexOf(1);
  return {
    shape: order.map(d => shape[d]!),
    features: [shape[1]!],
    attributes: { epsilon: 0.125, featureIndex },
  };
}

const batchNormTraining: MakeCase = r => {
  const { shape, features, attributes } = normalized(r);
  return {
    args: [r.tensor(shape), r.tensor(features), r.tensor(features)],
    build: (b, values) => b.emit('batch_norm_training', values, attributes),
  };
};
const batchNormInference: MakeCase = r => {
  const { shape, features, attributes } = normalized(r);
  return {
    args: [r.tensor(shape), ...r.times(3, () => r.tensor(features)), r.tensor(features, 0.5, 2)],
    build: (b, values) => b.emit('batch_norm_inference', values, attributes),
  };
};
const batchNormGrad: MakeCase = r => {
  const { shape, features, attributes } = normalized(r);
  return {
    args: [r.tensor(shape), r.tensor(features), r.tensor(features), r.tensor(features, 0.5, 2), r.tensor(shape)],
    build: (b, values) => b.emit('batch_norm_grad', values, attributes),
  };
};

const map: MakeCase = r => {
  const shape = r.shape(0, 3, 3);
  const captures = r.chance(0.5);
  return {
    args: [r.tensor(shape), r.tensor(shape), r.tensor([])],
    build: (b, [x, y, z]) => {
      const element = tensorType('f64');
      const region = b.region([element, element], (inner, [p, q]) => {
        const other: Value = captures ? z! : inner.fill('f64', [], 0.75);
        return [inner.add(inner.multiply(p!, other), inner.unary('sine', q!))];
      });
      return [b.emit1('map', [x!, y!], { dimensions: shape.map((_, d) => d) }, [region])];
    },
  };
};

const dot: MakeCase = r => {
  const [m, n, k] = [r.int(1, 3), r.int(1, 3), r.int(1, 4)];
  const left = r.chance(0.5) ? [k] : [m, k];
  const right = r.chance(0.5) ? [k] : [k, n];
  return {
    args: [r.tensor(left), r.tensor(right)],
    build: (b, values) => [b.emit1('dot', values, { precision: [] })],
  };
};

/** Random letters for the dims of some operands and a result, with a size for each letter. */
function lettered(r: Random, operands: number) {
  const letters = ['a', 'b', 'c', 'd'];
  const sizes = new Map(letters.map(letter => [letter, r.int(1, 3)]));
  const parts = r.times(operands, () => r.times(r.int(0, 3), () => r.pick(letters)));
  const result = r.shuffle(r.subset([...new Set(parts.flat())]));
  const shape = (part: readonly string[]): number[] => part.map(letter => sizes.get(letter)!);
  return {
    args: parts.map(part => r.tensor(shape(part))),
    einsumConfig: `${parts.map(part => part.join('')).join(',')}->${result.join('')}`,
    type: tensorType('f64', shape(result)),
  };
}
const einsum: MakeCase = r => {
  const { args, ...attributes } = lettered(r, 2);
  return { args, build: (b, values) => [b.emit1('einsum', values, attributes)] };
};
const unaryEinsum: MakeCase = r => {
  const { args, ...attributes } = lettered(r, 1);
  return { args, build: (b, values) => [b.emit1('unary_einsum', values, attributes)] };
};

const torchIndexSelect: MakeCase = r => {
  const shape = r.shape(1, 3, 3);
  const dim = r.int(0, shape.length - 1);
  const batchDims = r.int(0, dim);
  const index = [...shape.slice(0, batchDims), ...r.shape(0, 2, 3)];
  return {
    args: [r.tensor(shape), r.integers(index, 0, shape[dim]! - 1)],
    build: (b, values) => [b.emit1('torch_index_select', values, { dim, batchDims })],
  };
};

const customCall: MakeCase = r => {
  const type = tensorType('f64', r.shape(1, 2, 4));
  const [target, result] = r.pick([
    ['Sharding', type],
    ['mhlo.tan', type],
    ['mhlo.topk', tensorType('f64', type.shape.with(-1, 1))],
  ] as const);
  const positions = target === 'mhlo.topk' ? [tensorType('i32', result.shape)] : [];
  return {
    args: [r.tensor(type.shape, -1, 1)],
    build: (b, values) =>
      b.emit('custom_call', values, {
        callTargetName: target,
        backendConfig: '',
        resultTypes: [result, ...positions],
        hasSideEffect: false,
      }),
  };
};

const resharded =
  (name: 'sdy.sharding_constraint' | 'sdy.reshard'): MakeCase =>
  r => {
    const shape = r.shape();
    const sharding = shardingOf(
      { axes: [{ name: 'data', size: 1 }] },
      shape.map(() => []),
    );
    return { args: [r.tensor(shape)], build: (b, values) => b.emit(name, values, { sharding }) };
  };

export const derivedCases = {
  batch_norm_training: batchNormTraining,
  batch_norm_inference: batchNormInference,
  batch_norm_grad: batchNormGrad,
  map,
  broadcast: r => {
    const broadcastSizes = r.shape(0, 2, 3);
    return {
      args: [r.tensor(r.shape(0, 2, 3))],
      build: (b, values) => [b.emit1('broadcast', values, { broadcastSizes })],
    };
  },
  custom_call: customCall,
  dot,
  einsum,
  unary_einsum: unaryEinsum,
  torch_index_select: torchIndexSelect,
  'sdy.sharding_constraint': resharded('sdy.sharding_constraint'),
  'sdy.reshard': resharded('sdy.reshard'),
} satisfies Record<string, MakeCase>;
