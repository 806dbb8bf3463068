// Ops whose elements are computed where they are used: elementwise ops, views as maps of indices, and sources. For each the
// sizes of the result, checked, and how one element is had within a kernel.

import { bitWidth } from '../../hlo/ops/element-data.ts';
import { dispatch, forAll, type PerOp } from '../../hlo/per-op.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { dynamicDim } from '../../hlo/types.ts';
import { cLiteral, registerType } from '../c/scalar/c-types.ts';
import { bitsText, converted, fromBitsText, opText } from '../c/scalar/scalar.ts';
import { type ScalarOpName, scalarOpNames } from '../ir/scalar-op.ts';
import type { Kernel } from './kernel.ts';
import type { NameWith } from './op-forms.ts';
import { largestSize, productText, type Size, type Sizes, sumText } from './sizes.ts';
import type { Index, Lazy, Step } from './step.ts';

export interface Elements {
  readonly sizes: Sizes;
  readonly lazy: Lazy;
}

type IndexMap = (kernel: Kernel, index: readonly string[]) => readonly string[];

/** An op whose first operand is a tensor. */
type OfTensor = Op & { readonly operands: readonly [Value, ...Value[]] };

/** A view: an element of the operand. */
function view(step: Step, op: OfTensor, sizes: Sizes, map: IndexMap): Elements {
  const [x] = op.operands;
  return { sizes, lazy: { isFlat: false, at: (k, index) => step.at(k, x, map(k, index as readonly string[])) } };
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
    return step.bind('int64_t', `t_clamp(${signed}, ${most})`);
  });
}

const moved = (
  k: Kernel,
  index: readonly string[],
  starts: readonly (string | number)[],
  strides?: readonly (string | number)[],
): string[] => index.map((at, d) => k.let('int64_t', sumText(productText(at, strides?.[d] ?? 1), starts[d]!)));

function iota(op: Op, sizes: Sizes, dim: number): Elements {
  const type = tensorTypeOf(op.results[0]!).elementType;
  const at = (k: Kernel, index: Index): string => {
    const i = typeof index === 'string' ? index : index[dim]!;
    return k.let(registerType(type), converted(i === '0' ? '(int64_t)0' : i, 'i64', type));
  };
  return { sizes, lazy: { isFlat: sizes.length === 1, at } };
}

function broadcast(step: Step, op: OfTensor, dims: readonly number[], sizes: Sizes): Elements {
  const [x] = op.operands;
  const from = step.sizes(x);
  // 0 where an operand's one element is taken for all, 1 where elements correspond, or a name where only the run tells
  const steps = from.map((size, d): string | number => {
    const to = sizes[dims[d]!];
    if (size === 1) return 0;
    if (size === undefined || to === undefined || size === to) return 1;
    step.check(`${size} == ${to} || ${size} == 1`, 'sizes', d, size, to);
    return typeof size === 'number' ? 1 : step.bind('int64_t', `${size} != 1`);
  });
  if (from.every(size => size === 1))
    return {
      sizes,
      lazy: {
        isFlat: true,
        at: k =>
          step.at(
            k,
            x,
            from.map(() => '0'),
          ),
      },
    };
  return view(step, op, sizes, (k, index) =>
    dims.map((to, d) => (steps[d] === 0 ? '0' : k.let('int64_t', productText(index[to]!, steps[d]!)))),
  );
}

function realDynamicSlice(step: Step, op: Op<'real_dynamic_slice'>): Elements {
  const [x, starts, limits, strides] = op.operands;
  const parts = step.known(step.sizes(x)).map((size, d) => {
    const start = step.integerFrom(step.atom(starts, d));
    const limit = step.integerFrom(step.atom(limits, d));
    const stride = step.integerFrom(step.atom(strides, d));
    if (stride !== 1) step.bounded(stride, 1, largestSize);
    step.check(`${start} >= 0 && ${start} <= ${limit}`, 'range', d, start, limit);
    step.check(`${limit} <= ${size}`, 'sizes', d, limit, size);
    const length = start === 0 ? limit : step.bind('int64_t', `${limit} - ${start}`);
    const count = stride === 1 ? length : step.bind('int64_t', `(${length} + ${stride} - 1) / ${stride}`);
    return { start, stride, count };
  });
  return view(
    step,
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
  // which dims correspond is a matter of the types alone
  const inner = shapeOf(x).flatMap((s, d) => (s === 1 ? [] : [d]));
  const outer = op.attributes.shape.flatMap((s, d) => (s === 1 ? [] : [d]));
  const sizes = op.attributes.shape.map((_, d): Size => (outer.includes(d) ? from[inner[outer.indexOf(d)]!] : 1));
  return {
    sizes,
    lazy: {
      isFlat: step.isFlat(x),
      at: (k, index) =>
        step.at(
          k,
          x,
          typeof index === 'string'
            ? index
            : from.map((_, d) => (inner.includes(d) ? index[outer[inner.indexOf(d)]!]! : '0')),
        ),
    },
  };
}

function bitcast(step: Step, op: Op<'bitcast_convert'>): Elements {
  const [x] = op.operands;
  const from = tensorTypeOf(x).elementType;
  const to = op.attributes.type.elementType;
  const [fromBits, toBits] = [bitWidth(from), bitWidth(to)];
  const unsigned = (bits: number): string => (bits === 128 ? 'unsigned __int128' : `uint${Math.max(8, bits)}_t`);
  const sizes = step.sizes(x);
  const bits = (k: Kernel, index: Index): string => k.let(unsigned(fromBits), bitsText(step.at(k, x, index), from));
  const made = (k: Kernel, text: string): string => k.let(registerType(to), fromBitsText(text, to));
  if (fromBits === toBits)
    return { sizes, lazy: { isFlat: step.isFlat(x), at: (k, index) => made(k, bits(k, index)) } };
  if (toBits < fromBits) {
    // little endian: piece p of an element holds its bits from p · width on
    const at = (k: Kernel, index: Index): string => {
      const mask = toBits < 8 ? ` & ${2 ** toBits - 1}` : '';
      const piece = `(${unsigned(toBits)})((${bits(k, index.slice(0, -1))} >> (${toBits} * ${index.at(-1)}))${mask})`;
      return made(k, k.let(unsigned(toBits), piece));
    };
    return { sizes: [...sizes, fromBits / toBits], lazy: { isFlat: false, at } };
  }
  const at = (k: Kernel, index: Index): string => {
    const parts = Array.from(
      { length: toBits / fromBits },
      (_, p) => `(${unsigned(toBits)})${bits(k, [...index, String(p)])} << ${fromBits * p}`,
    );
    return made(k, k.let(unsigned(toBits), parts.map(p => `(${p})`).join(' | ')));
  };
  return { sizes: sizes.slice(0, -1), lazy: { isFlat: false, at } };
}

function elementwise(step: Step, op: Op<ScalarOpName>): Elements {
  const whole = op.operands.filter(v => shapeOf(v).length > 0);
  const sizes = whole.length === 0 ? [] : step.agreedSizes(whole.map(v => step.sizes(v)));
  const type = tensorTypeOf(op.results[0]).elementType;
  return {
    sizes,
    lazy: {
      isFlat: whole.every(v => step.isFlat(v)),
      at(k, index) {
        const operands = op.operands.map(v => step.at(k, v, shapeOf(v).length === 0 ? [] : index));
        return k.let(registerType(type), opText(op, operands));
      },
    },
  };
}

/** How the elements of a fusible op's result are had. */
export const elementsOf = (step: Step, op: Op<NameWith<'fused'>>): Elements => dispatch(elements, op, step);

const elements: PerOp<NameWith<'fused'>, Elements, [Step]> = {
  ...forAll<ScalarOpName, (op: Op<ScalarOpName>, step: Step) => Elements>(scalarOpNames, (op, step) =>
    elementwise(step, op),
  ),
  constant(op) {
    const text = cLiteral(op.attributes.value, 0);
    return { sizes: op.attributes.value.type.shape, lazy: { isFlat: true, at: () => text } };
  },
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
      step,
      op,
      permutation.map(d => from[d]),
      (_, index) => {
        const inner: string[] = new Array(index.length);
        permutation.forEach((d, i) => {
          inner[d] = index[i]!;
        });
        return inner;
      },
    );
  },
  reverse(op, step) {
    const sizes = step.known(step.sizes(op.operands[0]));
    return view(step, op, sizes, (k, index) =>
      index.map((at, d) => (op.attributes.dimensions.includes(d) ? k.let('int64_t', `${sizes[d]} - 1 - ${at}`) : at)),
    );
  },
  slice(op, step) {
    const { startIndices, limitIndices, strides } = op.attributes;
    const from = step.known(step.sizes(op.operands[0]));
    limitIndices.forEach((limit, d) => {
      if (typeof from[d] !== 'number') step.check(`${limit} <= ${from[d]}`, 'sizes', d, limit, from[d]!);
    });
    const sizes = startIndices.map((s, d) => Math.max(0, Math.ceil((limitIndices[d]! - s) / strides[d]!)));
    return view(step, op, sizes, (k, index) => moved(k, index, startIndices, strides));
  },
  real_dynamic_slice: (op, step) => realDynamicSlice(step, op),
  dynamic_slice(op, step) {
    const { sliceSizes } = op.attributes;
    const [x, ...starts] = op.operands;
    const from = clampedStarts(step, starts, step.sizes(x), sliceSizes);
    return view(step, op, sliceSizes, (k, index) => moved(k, index, from));
  },
  set_dimension_size(op, step) {
    const { dimension } = op.attributes;
    const [x, size] = op.operands;
    const from = step.known(step.sizes(x));
    const kept = step.bind('int64_t', `t_clamp((int64_t)${step.atom(size)}, ${from[dimension]})`);
    return view(step, op, from.with(dimension, kept), (_, index) => index);
  },
  reshape: (op, step) => unitReshape(step, op),
  bitcast_convert: (op, step) => bitcast(step, op),
};
