// Short texts for pictures: types, constants, and what matters most of an op's attributes.

import { type Literal, numberAt } from '../../../hlo/literal.ts';
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
export function keyAttributes(op: Op): readonly string[] {
  switch (op.name) {
    case 'dot_general': {
      const { lhsContractingDimensions: l, rhsContractingDimensions: r, lhsBatchingDimensions: b } = op.attributes;
      return [`contracts ${list(l)} with ${list(r)}`, ...(b.length > 0 ? [`batch ${list(b)}`] : [])];
    }
    case 'convolution': {
      const { windowStrides, padding, featureGroupCount } = op.attributes;
      const groups = featureGroupCount > 1 ? [`${featureGroupCount} groups`] : [];
      return [`strides ${list(windowStrides)}, pad ${JSON.stringify(padding)}`, ...groups];
    }
    case 'reduce':
      return [`${combiner(op.regions[0])} over ${list(op.attributes.dimensions)}`];
    case 'reduce_window':
    case 'select_and_scatter':
      return [`window ${list(op.attributes.windowDimensions)}`, `strides ${list(op.attributes.windowStrides)}`];
    case 'scatter':
      return [combiner(op.regions[0])];
    case 'sort': {
      const region = op.regions[0];
      const order = comparisonOf(region)?.direction;
      return [`along ${op.attributes.dimension}${order === undefined ? '' : `, ${order}`}`];
    }
    case 'transpose':
      return [list(op.attributes.permutation)];
    case 'reverse':
      return [list(op.attributes.dimensions)];
    case 'concatenate':
      return [`along ${op.attributes.dimension}`];
    case 'slice': {
      const { startIndices, limitIndices, strides } = op.attributes;
      const ranges = startIndices.map(
        (from, d) => `${from}:${limitIndices[d]}${strides[d] === 1 ? '' : `:${strides[d]}`}`,
      );
      return [`[${ranges.join(', ')}]`];
    }
    case 'pad':
      return [`low ${list(op.attributes.edgePaddingLow)}, high ${list(op.attributes.edgePaddingHigh)}`];
    case 'compare':
      return [op.attributes.comparisonDirection];
    case 'all_reduce':
    case 'reduce_scatter':
    case 'all_gather':
    case 'all_to_all':
    case 'collective_broadcast':
    case 'collective_reduce': {
      const { meshAxes, replicaGroups } = op.attributes;
      const groups = meshAxes === undefined ? JSON.stringify(replicaGroups) : printMeshAxes(meshAxes);
      const region = op.regions[0];
      const text = `${region === undefined ? '' : `${combiner(region)} `}among ${groups}`;
      return [text.length > 40 ? `${text.slice(0, 39)}…` : text];
    }
    case 'func.call':
      return [`@${op.attributes.callee}`];
    case 'custom_call':
      return [`@${op.attributes.callTargetName}`];
    case 'composite':
      return [op.attributes.name];
    case 'rng_bit_generator':
      return [op.attributes.rngAlgorithm];
    default:
      return [];
  }
}
