// The passes for programs with unknown sizes. Calls are inlined, ops are resolved, decomposed and widened as in other programs;
// the rules for views and arithmetic compare sizes, so they are left out. A derived op whose formula needs a shape is decomposed
// as if its operands were scalars, and the resulting ops are then applied to whole tensors.
import type { OpName } from '../../../hlo/attributes.ts';
import { Builder } from '../../../hlo/builder.ts';
import { requireInlinable } from '../../../hlo/inlined-size.ts';
import { literal } from '../../../hlo/literal.ts';
import type { OpRow } from '../../../hlo/op-row.ts';
import { opTable } from '../../../hlo/op-table.ts';
import { positionsOf } from '../../../hlo/ops/numpy-broadcast.ts';
import { type Func, type Module, mainOf, type Op, shapeOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { dynamicDim, isFloat, tensorType } from '../../../hlo/types.ts';
import { constantLiteral, forEachOp, nextId } from '../../../hlo/walk.ts';
import { collectiveRule, inlineRule, promoteRule, wideDotRule } from '../../../transforms/prepare.ts';
import { quantizedRule } from '../../../transforms/quantized.ts';
import { resolveRule } from '../../../transforms/resolve.ts';
import { Rewriter, type Rule, ruleFor } from '../../../transforms/rewriter.ts';
import { isLoweredAs } from '../../lowering/lowering-kinds.ts';
import { decompositionRule } from '../../passes/kernel-forms.ts';
import { evenDotRule } from './even-dots.ts';

export function prepareDynamic(module: Module): Func {
  const main = mainOf(module);
  requireInlinable(main.name, main.body, module.functions);
  const rules = [
    inlineRule,
    resolveRule,
    quantizedRule,
    decompositionRule,
    topRule,
    constantRule,
    liftRule,
    unitRule,
    promoteRule,
    wideDotRule,
    evenDotRule,
    collectiveRule,
  ];
  return asStated(new Rewriter(module, main, rules).run(main), main);
}

/**
 * A pass may replace a result by ops from which less is known about its sizes than the program declares. Such a result is cast to
 * the declared type, which checks the sizes at run time.
 */
function asStated(func: Func, { body }: Func): Func {
  const builder = new Builder({ next: nextId(func.body) });
  const results = func.body.results.map((value, i) => {
    const { type } = body.results[i]!;
    if (value.type.kind !== 'tensor' || type.kind !== 'tensor') return value;
    const knowsLess = value.type.shape.some((size, d) => size === dynamicDim && type.shape[d] !== dynamicDim);
    return knowsLess ? builder.emit1('tensor.cast', [value], { type }) : value;
  });
  return { ...func, body: { ...func.body, ops: [...func.body.ops, ...builder.ops], results } };
}

const isUnknown = ({ type }: Value): boolean => type.kind === 'tensor' && type.shape.includes(dynamicDim);

/** Whether a size of a value in the function is unknown. */
export function hasUnknownSizes(func: Func): boolean {
  let found = func.body.args.some(isUnknown);
  forEachOp(func.body, op => {
    found ||= op.results.some(isUnknown) || op.regions.some(r => r.args.some(isUnknown));
  });
  return found;
}

const constantRule: Rule = ruleFor({
  'chlo.constant_like': ({ attributes: { value }, operands: [x] }, r) =>
    isUnknown(x) ? [spread(r.emit1('constant', [], { value }), x, r)] : undefined,
});

/** A reshape that only removes or adds dims of size 1, around at most one unknown size, is a view. */
const unitRule: Rule = ruleFor({
  dynamic_reshape: ({ operands: [x], attributes: { type } }, r) => {
    const [from, to] = [shapeOf(x), type.shape].map(shape => shape.filter(size => size !== 1));
    const isUnit = from!.join() === to!.join() && to!.filter(size => size === dynamicDim).length === 1;
    return isUnit ? [r.emit1('reshape', [x], { shape: type.shape })] : undefined;
  },
});

/** Decomposes derived elementwise ops, and inlines `map`: both are defined on scalars, and applied to whole tensors. */
const liftRule: Rule = (op, r) => {
  if (!op.operands.some(isUnknown)) return undefined;
  if (isLoweredAs(op, 'inlined')) {
    const [region] = op.regions;
    return lifted(region!.ops, region!.args, region!.results, op.operands, r);
  }
  if (!isLoweredAs(op, 'decomposed')) return undefined;
  if (opTable[op.name].kind !== 'elementwise') return undefined;
  const operands = op.name.startsWith('chlo.broadcast_') ? broadcast(op, r) : op.operands;
  const builder = new Builder();
  builder.location = op.location;
  const scalars = operands.map((v, i) => builder.argument(tensorType(tensorTypeOf(v).elementType), i));
  const attributes =
    'broadcastDimensions' in op.attributes ? { ...op.attributes, broadcastDimensions: undefined } : op.attributes;
  const results = op.results.map(v => ({ ...v, type: tensorType(tensorTypeOf(v).elementType) }));
  const scalar = { ...op, operands: scalars, attributes, results };
  const found = (opTable[op.name] as OpRow<OpName>).decompose?.(builder, scalar as never, scalars);
  return found && lifted(builder.ops, scalars, found, operands, r);
};

/** Decomposes top_k as the op table does for static sizes: a stable sort in descending order, of which the first k are kept. */
const topRule: Rule = ruleFor({
  'chlo.top_k': (op, r) => (isUnknown(op.operands[0]) ? greatest(op, r) : undefined),
});
function greatest(op: Op<'chlo.top_k'>, r: Rewriter): readonly Value[] {
  const [x] = op.operands;
  const { elementType, shape } = tensorTypeOf(x);
  const last = shape.length - 1;
  const [element, position] = [tensorType(elementType), tensorType('i32')];
  const region = r.region([element, element, position, position], (b, [p, q]) => [
    isFloat(elementType)
      ? b.emit1('compare', [p!, q!], { comparisonDirection: 'GT', compareType: 'TOTALORDER' })
      : b.compare('GT', p!, q!),
  ]);
  const type = { ...position, shape };
  const positions = r.emit1('dynamic_iota', [sizesOf(x, r)], { iotaDimension: last, type });
  const sorted = r.emit('sort', [x, positions], { dimension: last, isStable: true }, [region]);
  const k = r.emit1('constant', [], { value: literal('i32', [], [op.attributes.k]) });
  const limits = joined(
    shape.map((_, d) => (d === last ? k : sizeOf(x, d, r))),
    r,
  );
  const all = (n: number): Value =>
    r.emit1('constant', [], {
      value: literal(
        'i32',
        [shape.length],
        shape.map(() => n),
      ),
    });
  return sorted.map(v =>
    r.emit1('real_dynamic_slice', [v, all(0), limits, all(1)], {
      type: { ...tensorTypeOf(v), shape: shape.with(last, op.attributes.k) },
    }),
  );
}

/** Applies ops on scalars to tensors that have one shape. Undefined if an op is not elementwise. */
function lifted(
  ops: readonly Op[],
  args: readonly Value[],
  results: readonly Value[],
  tensors: readonly Value[],
  r: Rewriter,
): readonly Value[] | undefined {
  const like = tensors.find(isUnknown)!;
  const map = new Map<Value, Value>(args.map((arg, i) => [arg, tensors[i]!]));
  // A value from outside of the region is the same for all elements.
  const get = (v: Value): Value => {
    let found = map.get(v);
    if (found === undefined) {
      found = spread(v, like, r);
      map.set(v, found);
    }
    return found;
  };
  for (const op of ops) {
    const [result] = op.results;
    const value = result && constantLiteral(result);
    if (value !== undefined) map.set(result!, spread(r.emit1('constant', [], { value }), like, r));
    else if (op.regions.length > 0 || opTable[op.name].kind !== 'elementwise') return undefined;
    else {
      const { attributes } = op;
      const whole =
        'type' in attributes ? { ...attributes, type: { ...attributes.type, shape: shapeOf(like) } } : attributes;
      r.emit(op.name, op.operands.map(get), whole as never).forEach((v, i) => {
        map.set(op.results[i]!, v);
      });
    }
  }
  return results.map(get);
}

/** The sizes of a tensor as a tensor of i32. */
function sizesOf(x: Value, r: Rewriter): Value {
  return joined(
    shapeOf(x).map((_, d) => sizeOf(x, d, r)),
    r,
  );
}
const joined = (sizes: readonly Value[], r: Rewriter): Value =>
  r.emit1(
    'concatenate',
    sizes.map(s => r.emit1('reshape', [s], { shape: [1] })),
    { dimension: 0 },
  );
const sizeOf = (x: Value, dimension: number, r: Rewriter): Value => {
  const size = shapeOf(x)[dimension]!;
  return size === dynamicDim
    ? r.emit1('get_dimension_size', [x], { dimension })
    : r.emit1('constant', [], { value: literal('i32', [], [size]) });
};

/** A scalar in the shape of another value. */
function spread(scalar: Value, like: Value, r: Rewriter): Value {
  const type = { ...tensorTypeOf(scalar), shape: shapeOf(like) };
  return r.emit1('dynamic_broadcast_in_dim', [scalar, sizesOf(like, r)], { broadcastDimensions: [], type });
}

/** The operands of a broadcasting op in their common shape. */
function broadcast(op: Op, r: Rewriter): readonly Value[] {
  const { broadcastDimensions } = op.attributes as { readonly broadcastDimensions?: readonly number[] };
  const types = op.operands.map(tensorTypeOf);
  const positions = positionsOf(types, broadcastDimensions);
  const { shape } = tensorTypeOf(op.results[0]!);
  const one = r.emit1('constant', [], { value: literal('i32', [], [1]) });
  const sizes = shape.map((stated, d) => {
    if (stated !== dynamicDim) return r.emit1('constant', [], { value: literal('i32', [], [stated]) });
    // the first size that is not 1
    const candidates = op.operands.flatMap((v, i) => {
      const at = positions[i]!.indexOf(d);
      return at < 0 || types[i]!.shape[at] === 1 ? [] : [sizeOf(v, at, r)];
    });
    return candidates.reduce((all, size) => {
      const isOne = r.emit1('compare', [all, one], { comparisonDirection: 'EQ', compareType: 'SIGNED' });
      return r.emit1('select', [isOne, size, all], {});
    });
  });
  const wanted = joined(sizes, r);
  return op.operands.map((v, i) =>
    r.emit1('dynamic_broadcast_in_dim', [v, wanted], {
      broadcastDimensions: positions[i]!,
      type: { ...types[i]!, shape },
    }),
  );
}
