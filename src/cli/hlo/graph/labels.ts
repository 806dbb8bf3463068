// Short texts for pictures: types, constants, and the most important attributes of an op.

import { zip } from '../../../base/zip.ts';
import type { Collective } from '../../../hlo/attributes.ts';
import { type Literal, numberAt } from '../../../hlo/literal.ts';
import { dispatch, isIn, type PerOp } from '../../../hlo/per-op.ts';
import type { Op, Region } from '../../../hlo/program.ts';
import { printMeshAxes } from '../../../hlo/sharding/mesh-axes.ts';
import { formatFloat } from '../../../hlo/text/print-literal.ts';
import { dynamicDim, elementCount, formatType, isFloat, type Type } from '../../../hlo/types.ts';
import { comparisonOf, reducerOf } from '../../../hlo/walk.ts';

/** `f32[2,3]`; MLIR's spelling for anything but plain tensors. */
export function typeLabel(type: Type): string {
  switch (type.kind) {
    case 'token':
      return 'token';
    case 'tuple':
    case 'future':
      return `${type.kind} (${type.elements.map(typeLabel).join(', ')})`;
    case 'tensor': {
      const dims = type.shape.map(d => (d === dynamicDim ? '?' : d)).join(',');
      if (type.quantization !== undefined) return formatType(type);
      return type.shape.length === 0 ? type.elementType : `${type.elementType}[${dims}]`;
    }
  }
}

/** The number of a constant whose elements are all equal; its type otherwise. */
export function literalLabel(value: Literal): string {
  const { elementType, shape } = value.type;
  const count = elementCount(shape);
  const complex = elementType.startsWith('complex');
  if (count === 0 || complex || !value.data.every(v => Object.is(v, value.data[0])))
    return `constant ${typeLabel(value.type)}`;
  if (elementType === 'i1') return value.data[0] ? 'true' : 'false';
  if (!isFloat(elementType)) return String(value.data[0]);
  if (/^f[468](?!4)/.test(elementType)) return `0x${Number(value.data[0]).toString(16)}`;
  const number = numberAt(value, 0);
  return Number.isFinite(number) ? formatFloat(number, elementType).replace(/\.0$/, '') : String(number);
}

const list = (dims: readonly number[]): string => `[${dims.join(', ')}]`;
const combiner = (region: Region | undefined): string =>
  region === undefined ? '' : (reducerOf(region) ?? `${region.ops.length} ops`);

/** A line or two about the op. */
export const keyAttributes = (op: Op): readonly string[] => (isIn(labels, op) ? dispatch(labels, op) : []);

type Lines = readonly string[];
const windows = ({
  attributes: { windowDimensions, windowStrides },
}: Op<'reduce_window' | 'select_and_scatter'>): Lines => [
  `window ${list(windowDimensions)}`,
  `strides ${list(windowStrides)}`,
];
function among({ meshAxes, replicaGroups }: Collective, region?: Region): Lines {
  const groups = meshAxes === undefined ? JSON.stringify(replicaGroups) : printMeshAxes(meshAxes);
  const text = `${region === undefined ? '' : `${combiner(region)} `}among ${groups}`;
  return [text.length > 40 ? `${text.slice(0, 39)}…` : text];
}
const reducing = ({
  attributes,
  regions: [region],
}: Op<'all_reduce' | 'reduce_scatter' | 'collective_reduce'>): Lines => among(attributes, region);
const moving = ({ attributes }: Op<'all_gather' | 'all_to_all' | 'collective_broadcast'>): Lines => among(attributes);

const labels: PerOp<
  | ('dot_general' | 'convolution' | 'reduce' | 'reduce_window' | 'select_and_scatter' | 'scatter' | 'sort')
  | ('transpose' | 'reverse' | 'concatenate' | 'slice' | 'pad' | 'compare' | 'rng_bit_generator')
  | ('all_reduce' | 'reduce_scatter' | 'all_gather' | 'all_to_all' | 'collective_broadcast' | 'collective_reduce')
  | ('func.call' | 'custom_call' | 'composite'),
  Lines
> = {
  dot_general: ({ attributes: a }) => [
    `contracts ${list(a.lhsContractingDimensions)} with ${list(a.rhsContractingDimensions)}`,
    ...(a.lhsBatchingDimensions.length > 0 ? [`batch ${list(a.lhsBatchingDimensions)}`] : []),
  ],
  convolution: ({ attributes: { windowStrides, padding, featureGroupCount } }) => [
    `strides ${list(windowStrides)}, pad ${JSON.stringify(padding)}`,
    ...(featureGroupCount > 1 ? [`${featureGroupCount} groups`] : []),
  ],
  reduce: op => [`${combiner(op.regions[0])} over ${list(op.attributes.dimensions)}`],
  reduce_window: windows,
  select_and_scatter: windows,
  scatter: op => [combiner(op.regions[0])],
  sort(op) {
    const order = comparisonOf(op.regions[0])?.direction;
    return [`along ${op.attributes.dimension}${order === undefined ? '' : `, ${order}`}`];
  },
  transpose: op => [list(op.attributes.permutation)],
  reverse: op => [list(op.attributes.dimensions)],
  concatenate: op => [`along ${op.attributes.dimension}`],
  slice({ attributes: { startIndices, limitIndices, strides } }) {
    const ranges = zip(zip(startIndices, limitIndices), strides).map(
      ([[from, to], stride]) => `${from}:${to}${stride === 1 ? '' : `:${stride}`}`,
    );
    return [`[${ranges.join(', ')}]`];
  },
  pad: op => [`low ${list(op.attributes.edgePaddingLow)}, high ${list(op.attributes.edgePaddingHigh)}`],
  compare: op => [op.attributes.comparisonDirection],
  all_reduce: reducing,
  reduce_scatter: reducing,
  collective_reduce: reducing,
  all_gather: moving,
  all_to_all: moving,
  collective_broadcast: moving,
  'func.call': op => [`@${op.attributes.callee}`],
  custom_call: op => [`@${op.attributes.callTargetName}`],
  composite: op => [op.attributes.name],
  rng_bit_generator: op => [op.attributes.rngAlgorithm],
};
