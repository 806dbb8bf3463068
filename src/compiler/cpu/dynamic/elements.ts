// Ops whose elements are computed where they are used: elementwise ops, views as maps of indices, and sources. For each the
// checked sizes of the result, and how an element is computed within a kernel.

import { bitWidth } from '../../../hlo/ops/element-data.ts';
import { dispatch, forAll, type PerOp } from '../../../hlo/per-op.ts';
import type { Op, Value } from '../../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import { dynamicDim } from '../../../hlo/types.ts';
import { add, addConstant, type Index, scale, zeroIndex } from '../../ir/index-expr.ts';
import type { Node } from '../../ir/node.ts';
import { type ScalarOpName, scalarOpNames } from '../../ir/scalar-op.ts';
import { bitcastNode, converted, literalNode, scalarNode } from '../../lowering/evaluator.ts';
import type { ElementKernel, Elements } from './element-kernel.ts';
import { dynamicGather, gather } from './gather.ts';
import type { NameWith } from './op-forms.ts';
import { type KnownSizes, largestSize, type Size, type Sizes } from './sizes.ts';
import type { Step } from './step.ts';

type IndexMap = (kernel: ElementKernel, index: readonly Index[]) => readonly Index[];

/** An op whose first operand is a tensor. */
type OfTensor = Op & { readonly operands: readonly [Value, ...Value[]] };

/** A view: an element of the operand. */
function view(op: OfTensor, sizes: Sizes, map: IndexMap): Elements {
  const [x] = op.operands;
  return { sizes, lazy: { at: (k, index) => k.at(x, map(k, index)) } };
}

const sizeOfDim = (dim: number): Size => (dim === dynamicDim ? undefined : dim);

/** The sizes in a shape operand, checked against the result's type. */
export function shapeOperand(step: Step, shape: Value, op: Op): Sizes {
  const stated = shapeOf(op.results[0]!);
  step.agreed(stated.length, step.sizes(shape)[0], 0);
  return stated.map((known, d) => {
    const size = step.sizeFrom(step.atom(shape, d));
    return known === dynamicDim ? size : step.agreed(known, size, d);
  });
}

/** Starts moved so that a slice of these sizes lies within the operand. */
export function clampedStarts(step: Step, starts: readonly Value[], sizes: Sizes, slice: Sizes): (string | number)[] {
  const [from, to] = [step.known(sizes), step.known(slice)];
  return from.map((size, d) => {
    const part = to[d]!;
    if (size === part) return 0;
    step.check(`${part} <= ${size}`, 'sizes', d, part, size);
    const start = step.atom(starts[d]!);
    const most = typeof size === 'number' && typeof part === 'number' ? size - part : `${size} - ${part}`;
    // an unsigned start of 64 bits may be beyond int64_t
    const wide = tensorTypeOf(starts[d]!).elementType === 'ui64';
    const signed = wide ? `(int64_t)(${start} > INT64_MAX ? INT64_MAX : ${start})` : `(int64_t)${start}`;
    return step.integer(`t_clamp(${signed}, ${most})`, run =>
      Math.max(0, Math.min(run.element(starts[d]!, 0), step.numberIn(run, size) - step.numberIn(run, part))),
    );
  });
}

/** Positions in the operand of a slice, or in the result of a pad. */
export const moved = (
  k: ElementKernel,
  index: readonly Index[],
  starts: readonly (string | number)[],
  strides?: readonly (string | number)[],
): Index[] => index.map((at, d) => add(scale(at, k.extent(strides?.[d] ?? 1)), k.integer(starts[d]!)));

function iota(op: Op, sizes: Sizes, dim: number): Elements {
  const type = tensorTypeOf(op.results[0]!).elementType;
  return { sizes, lazy: { at: (k, index) => converted(k.graph, k.graph.index(index[dim]!), type) } };
}

function broadcast(step: Step, op: OfTensor, dims: readonly number[], sizes: Sizes): Elements {
  const from = step.sizes(op.operands[0]);
  // 0 if the operand's only element is broadcast, 1 if elements correspond, or a name if this is known only at run time
  const steps = from.map((size, d): string | number => {
    const to = sizes[dims[d]!];
    if (size === 1) return 0;
    if (size === undefined || to === undefined || step.canonical(size) === step.canonical(to)) return 1;
    step.check(`${size} == ${to} || ${size} == 1`, 'sizes', d, size, to);
    return typeof size === 'number' ? 1 : step.integer(`${size} != 1`, run => Number(step.numberIn(run, size) !== 1));
  });
  return view(op, sizes, (k, index) => dims.map((to, d) => k.spread(index[to]!, steps[d])));
}

function realDynamicSlice(step: Step, op: Op<'real_dynamic_slice'>): Elements {
  const [x, starts, limits, strides] = op.operands;
  const parts = step.known(step.sizes(x)).map((size, d) => {
    const start = step.integerOf(starts, d);
    const limit = step.integerOf(limits, d);
    const stride = step.integerOf(strides, d);
    if (stride !== 1) step.bounded(stride, 1, largestSize);
    step.check(`${start} >= 0 && ${start} <= ${limit}`, 'range', d, start, limit);
    step.check(`${limit} <= ${size}`, 'sizes', d, limit, size);
    const length = start === 0 ? limit : step.bind('int64_t', `${limit} - ${start}`);
    const count = stride === 1 ? length : step.bind('int64_t', `(${length} + ${stride} - 1) / ${stride}`);
    return { start, stride, count };
  });
  return view(
    op,
    parts.map(p => p.count),
    (k, index) =>
      moved(
        k,
        index,
        parts.map(p => p.start),
        parts.map(p => p.stride),
      ),
  );
}

function unitReshape(step: Step, op: Op<'reshape'>): Elements {
  const [x] = op.operands;
  const from = step.sizes(x);
  // the types alone determine which dims correspond
  const inner = shapeOf(x).flatMap((s, d) => (s === 1 ? [] : [d]));
  const outer = op.attributes.shape.flatMap((s, d) => (s === 1 ? [] : [d]));
  const sizes = op.attributes.shape.map((_, d): Size => (outer.includes(d) ? from[inner[outer.indexOf(d)]!] : 1));
  return view(op, sizes, (_, index) =>
    from.map((_, d) => (inner.includes(d) ? index[outer[inner.indexOf(d)]!]! : zeroIndex)),
  );
}

function bitcast(step: Step, op: Op<'bitcast_convert'>): Elements {
  const [x] = op.operands;
  const [fromBits, toBits] = [bitWidth(tensorTypeOf(x).elementType), bitWidth(op.attributes.type.elementType)];
  const from = step.sizes(x);
  const sizes = toBits === fromBits ? from : toBits < fromBits ? [...from, fromBits / toBits] : from.slice(0, -1);
  return { sizes, lazy: { at: (k, index) => bitcastNode(k.graph, op, index, at => k.at(x, at)) } };
}

function elementwise(step: Step, op: Op<ScalarOpName>): Elements {
  const whole = op.operands.filter(v => shapeOf(v).length > 0);
  const sizes = whole.length === 0 ? [] : step.agreedSizes(whole.map(v => step.sizes(v)));
  const type = tensorTypeOf(op.results[0]).elementType;
  const at = (k: ElementKernel, index: readonly Index[]): Node =>
    scalarNode(
      k.graph,
      op,
      type,
      op.operands.map(v => k.at(v, shapeOf(v).length === 0 ? [] : index)),
    );
  return { sizes, lazy: { at } };
}

/** The sizes of the operands of a reduce, and of its results. */
export function reducedSizes(step: Step, op: Op<'reduce'>): { readonly from: KnownSizes; readonly to: KnownSizes } {
  const inputs = op.operands.slice(0, op.operands.length / 2);
  const from = step.known(step.agreedSizes(inputs.map(v => step.sizes(v))));
  return { from, to: from.filter((_, d) => !op.attributes.dimensions.includes(d)) };
}

/** How the elements of a fusible op's result are computed. */
export const elementsOf = (step: Step, op: Op<NameWith<'fused'>>): Elements => dispatch(elements, op, step);

const elements: PerOp<NameWith<'fused'>, Elements, [Step]> = {
  ...forAll<ScalarOpName, (op: Op<ScalarOpName>, step: Step) => Elements>(scalarOpNames, (op, step) =>
    elementwise(step, op),
  ),
  constant: op => ({
    sizes: op.attributes.value.type.shape,
    lazy: { at: k => literalNode(k.graph, op.results[0])! },
  }),
  iota: op => iota(op, op.attributes.type.shape.map(sizeOfDim), op.attributes.iotaDimension),
  dynamic_iota: (op, step) => iota(op, shapeOperand(step, op.operands[0], op), op.attributes.iotaDimension),
  broadcast_in_dim(op, step) {
    const { broadcastDimensions, shape } = op.attributes;
    const from = step.sizes(op.operands[0]);
    const sizes = shape.map((s, d): Size => {
      if (s !== dynamicDim) return s;
      const size = from[broadcastDimensions.indexOf(d)];
      return size === 1 ? undefined : size;
    });
    return broadcast(step, op, broadcastDimensions, sizes);
  },
  dynamic_broadcast_in_dim: (op, step) =>
    broadcast(step, op, op.attributes.broadcastDimensions, shapeOperand(step, op.operands[1], op)),
  transpose(op, step) {
    const { permutation } = op.attributes;
    const from = step.sizes(op.operands[0]);
    return view(
      op,
      permutation.map(d => from[d]),
      (_, index) => {
        const inner: Index[] = new Array(index.length);
        permutation.forEach((d, i) => {
          inner[d] = index[i]!;
        });
        return inner;
      },
    );
  },
  reverse(op, step) {
    const sizes = step.known(step.sizes(op.operands[0]));
    return view(op, sizes, (k, index) =>
      index.map((at, d) =>
        op.attributes.dimensions.includes(d) ? addConstant(add(k.integer(sizes[d]), scale(at, -1)), -1) : at,
      ),
    );
  },
  slice(op, step) {
    const { startIndices, limitIndices, strides } = op.attributes;
    const from = step.known(step.sizes(op.operands[0]));
    limitIndices.forEach((limit, d) => {
      if (typeof from[d] !== 'number') step.check(`${limit} <= ${from[d]}`, 'sizes', d, limit, from[d]!);
    });
    const sizes = startIndices.map((s, d) => Math.max(0, Math.ceil((limitIndices[d]! - s) / strides[d]!)));
    return view(op, sizes, (k, index) => moved(k, index, startIndices, strides));
  },
  real_dynamic_slice: (op, step) => realDynamicSlice(step, op),
  dynamic_slice(op, step) {
    const { sliceSizes } = op.attributes;
    const [x, ...starts] = op.operands;
    const from = clampedStarts(step, starts, step.sizes(x), sliceSizes);
    return view(op, sliceSizes, (k, index) => moved(k, index, from));
  },
  set_dimension_size(op, step) {
    const { dimension } = op.attributes;
    const [x, size] = op.operands;
    const from = step.known(step.sizes(x));
    const kept = step.bind('int64_t', `t_clamp((int64_t)${step.atom(size)}, ${from[dimension]})`);
    return view(op, from.with(dimension, kept), (_, index) => index);
  },
  reshape: (op, step) => unitReshape(step, op),
  gather: (op, step) => gather(step, op, op.attributes.sliceSizes),
  dynamic_gather: (op, step) => dynamicGather(step, op),
  reduce: (op, step) => ({ sizes: reducedSizes(step, op).to, lazy: { at: (k, index) => k.reduced(op, 0, index) } }),
  bitcast_convert: (op, step) => bitcast(step, op),
};
