// Rules that remove tuples, tokens, futures and placement hints before scheduling. A tuple is replaced by its elements, a token
// carries no data, and asynchronous computations run in place.
import { scalar } from '../hlo/literal.ts';
import type { Op, Region, Value } from '../hlo/program.ts';
import { tensorTypeOf } from '../hlo/program.ts';
import { dynamicDim, sameShape, type Type } from '../hlo/types.ts';
import { type Rewriter, type Rule, ruleFor } from './rewriter.ts';

const isTensor = (type: Type): boolean => type.kind === 'tensor';

const controlRule = (op: Op<'while' | 'if' | 'case'>, r: Rewriter): readonly Value[] | undefined =>
  op.results.some(v => v.type.kind === 'token') ? withoutTokens(op, r) : undefined;

export const resolveRule: Rule = ruleFor({
  get_tuple_element({ operands: [x], attributes: { index } }) {
    const element = x.op?.name === 'tuple' ? x.op.operands[index] : undefined;
    return element && [element];
  },
  optimization_barrier: ({ operands }, r) => (operands.every(v => isTensor(v.type)) ? undefined : barrier(operands, r)),
  while: controlRule,
  if: controlRule,
  case: controlRule,
  async_start: (op, r) => r.emit('tuple', r.inline(op.regions[0], op.operands), {}),
  async_done: ({ operands: [x] }) => (x.op?.name === 'tuple' ? x.op.operands : undefined),
  'sdy.sharding_constraint': ({ operands: [x] }) => [x],
  'sdy.reshard': ({ operands: [x] }) => [x],
  'sdy.sharding_group': () => [],
  'tensor.cast': ({ operands: [x], results: [result] }) => (sameSizes(x, result) ? [x] : undefined),
  get_dimension_size({ operands: [x], attributes: { dimension } }, r) {
    const size = tensorTypeOf(x).shape[dimension]!;
    return size === dynamicDim ? undefined : r.emit('constant', [], { value: scalar('i32', size) });
  },
});

const sameSizes = (a: Value, b: Value): boolean => sameShape(tensorTypeOf(a).shape, tensorTypeOf(b).shape);

/** A barrier of tensors, tuples and tokens, rewritten to a barrier of only the tensors in them. */
function barrier(values: readonly Value[], r: Rewriter): readonly Value[] {
  const elementsOf = (v: Value): readonly Value[] =>
    v.type.kind === 'tuple'
      ? v.type.elements.map((_, index) => r.emit('get_tuple_element', [v], { index })[0]!).flatMap(elementsOf)
      : isTensor(v.type)
        ? [v]
        : [];
  const tensors = values.flatMap(elementsOf);
  const kept = tensors.length === 0 ? [] : r.emit('optimization_barrier', tensors, {});
  let next = 0;
  const rebuilt = (type: Type, v: Value | undefined): Value => {
    if (type.kind === 'tensor') return kept[next++]!;
    if (type.kind === 'tuple')
      return r.emit(
        'tuple',
        type.elements.map(e => rebuilt(e, undefined)),
        {},
      )[0]!;
    return v ?? r.emit('create_token', [], {})[0]!;
  };
  return values.map(v => rebuilt(v.type, v));
}

/** Control flow without the tokens that it passes along. */
function withoutTokens(op: Op<'while' | 'if' | 'case'>, r: Rewriter): readonly Value[] {
  const isKept = (v: Value): boolean => v.type.kind !== 'token';
  const regions = op.regions.map(
    (region): Region => ({ ...region, args: region.args.filter(isKept), results: region.results.filter(isKept) }),
  );
  const kept = r.emit(op.name, op.operands.filter(isKept), op.attributes, regions);
  let next = 0;
  return op.results.map(v => (isKept(v) ? kept[next++]! : r.emit('create_token', [], {})[0]!));
}
