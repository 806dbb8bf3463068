// Custom calls of XLA, MHLO and JAX whose results are defined, as other ops:
//
//   @Sharding, @annotate_device_placement, @LayoutConstraint …    a hint: returns its operands
//   @SPMDFullToShardShape, @xla.sdy.GlobalToLocalShape …          the same where a part is the whole: on one device
//   @mhlo.erf, @mhlo.tan, @chlo.digamma …                         the op of that name
//   @mhlo.topk, @TopK, @ApproxTopK                                the first k elements of a stable sort; never approximate
import {
  type BinaryName,
  binaryNames,
  chloBinaryNames,
  chloUnaryNames,
  type UnaryName,
  unaryNames,
} from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { type AppliedFunction, check } from '../op-row.ts';
import { type OpOf, tensorTypeOf, type Value } from '../program.ts';
import { dynamicDim, formatType, isFloat, sameType, type TensorType, type Type, tensorType } from '../types.ts';
import { compatible } from './shape-checks.ts';
import { stageBorderTarget } from './stage-border.ts';

type Call = OpOf<'custom_call'>;
type Decompose = (b: BaseBuilder, op: Call, operands: readonly Value[]) => readonly Value[] | undefined;

const hints: ReadonlySet<string> = new Set([
  'Sharding',
  'annotate_device_placement',
  'LayoutConstraint',
  'MoveToHost',
  'MoveToDevice',
  'xla.sdy.FuncResultSharding',
  'mhlo.copy',
  stageBorderTarget,
]);
/** Between a tensor and the parts of it that devices have. */
const partings: ReadonlySet<string> = new Set([
  'SPMDFullToShardShape',
  'SPMDShardToFullShape',
  'xla.sdy.GlobalToLocalShape',
  'xla.sdy.LocalToGlobalShape',
]);

const returnsOperands = ({ operands, results }: Call): boolean =>
  operands.length === results.length && operands.every(({ type }, i) => sameType(type, results[i]!.type));

/** Elementwise ops without attributes, by their names in custom calls: `mhlo.tan`, `chlo.erf`. */
const functions = new Map<string, UnaryName | BinaryName | (typeof chloUnaryNames | typeof chloBinaryNames)[number]>(
  [...unaryNames, ...binaryNames, ...chloUnaryNames, ...chloBinaryNames].flatMap(name => {
    const plain = name.replace('chlo.', '');
    return [[`mhlo.${plain}`, name] as const, [`chlo.${plain}`, name] as const];
  }),
);

/** An entry of a dictionary that is kept as text. */
const entryOf = (op: Call, dictionary: 'mhlo.attributes' | 'mhlo.backend_config', name: string): string | undefined => {
  const { more, backendConfig, apiVersion } = op.attributes;
  const text = more?.[dictionary] ?? (apiVersion === 4 ? backendConfig : undefined);
  return text === undefined ? undefined : new RegExp(`[{,]\\s*"?${name}"?\\s*=\\s*(-?\\w+)`).exec(text)?.[1];
};

/** Sorts tensors of one shape together along a dim, and keeps as many elements as the results have. */
function firstOfSorted(
  b: BaseBuilder,
  op: Call,
  operands: readonly Value[],
  dimension: number,
  isBefore: (b: BaseBuilder, args: readonly Value[]) => Value,
): readonly Value[] | undefined {
  const types = operands.map(tensorTypeOf);
  const [first] = types as [TensorType];
  const kept = op.results.map(({ type }) => (type.kind === 'tensor' ? (type.shape[dimension] ?? -1) : -1));
  const size = first.shape[dimension];
  require(op, size !== undefined && types.every(type => type.shape[dimension] === size), `has no dim ${dimension}`);
  if ([...types.flatMap(type => type.shape), ...kept].includes(dynamicDim)) return undefined;
  require(op, kept.every(k => k >= 0 && k <= size), `cannot keep ${kept[0]} of ${size} elements`);
  const region = b.region(
    types.flatMap(({ elementType }) => [tensorType(elementType), tensorType(elementType)]),
    (inner, args) => [isBefore(inner, args)],
  );
  const sorted = b.emit('sort', operands, { dimension, isStable: true }, [region]);
  return sorted.map((v, i) =>
    b.slice(
      v,
      first.shape.map(() => 0),
      first.shape.with(dimension, kept[i]!),
    ),
  );
}
function require(op: Call, condition: unknown, detail: string): asserts condition {
  check(condition, 'custom_call', 'trenio_custom_call_target', () => `@${op.attributes.callTargetName} ${detail}`);
}

/** The greatest or least elements along the last dim, with their positions. */
function top(b: BaseBuilder, op: Call, operands: readonly Value[]): readonly Value[] | undefined {
  require(op, operands.length === 1, `takes one operand, got ${operands.length}`);
  const [x] = operands as [Value];
  const { elementType, shape } = tensorTypeOf(x);
  require(op, shape.length > 0, 'takes no scalar');
  if (shape.includes(dynamicDim)) return undefined;
  const comparisonDirection = entryOf(op, 'mhlo.attributes', 'largest') === 'false' ? 'LT' : 'GT';
  const positions = b.iota(tensorType('i32', shape), shape.length - 1);
  return firstOfSorted(b, op, [x, positions], shape.length - 1, (inner, [p, q]) =>
    isFloat(elementType)
      ? inner.emit1('compare', [p!, q!], { comparisonDirection, compareType: 'TOTALORDER' })
      : inner.compare(comparisonDirection, p!, q!),
  );
}

/** The inputs of @ApproxTopK, which an initial value for each follows. */
const inputsOf = <T>(operands: readonly T[]): readonly T[] => operands.slice(0, operands.length / 2);
/** The comparison that @ApproxTopK names: of two elements of each input. */
export function appliedBy(op: Call): AppliedFunction | undefined {
  const { callTargetName, calledComputations } = op.attributes;
  const [name] = calledComputations ?? [];
  if (callTargetName !== 'ApproxTopK' || name === undefined) return undefined;
  const args = inputsOf(op.operands).flatMap(({ type }): Type[] => {
    const one = type.kind === 'tensor' ? tensorType(type.elementType) : type;
    return [one, one];
  });
  return { name, args, results: [tensorType('i1')] };
}
function approximateTop(b: BaseBuilder, op: Call, operands: readonly Value[]): readonly Value[] | undefined {
  const applied = appliedBy(op);
  const dimension = Number(entryOf(op, 'mhlo.backend_config', 'reduction_dim'));
  if (applied === undefined || !Number.isInteger(dimension) || operands.length < 2) return undefined;
  const { name: callee, results: resultTypes } = applied;
  return firstOfSorted(b, op, inputsOf(operands), dimension, (inner, args) =>
    inner.emit1('func.call', args, { callee, resultTypes }),
  );
}

function decompositionOf(op: Call): Decompose | undefined {
  const { callTargetName: target } = op.attributes;
  if (hints.has(target) || partings.has(target))
    return returnsOperands(op) ? (_b, _op, operands) => operands : undefined;
  if (target === 'mhlo.topk' || (target === 'TopK' && op.attributes.calledComputations === undefined)) return top;
  if (target === 'ApproxTopK') return approximateTop;
  const name = functions.get(target);
  return name && ((b, _op, operands) => b.emit(name, operands, {}));
}

/** Other ops with the results of a known call; undefined for others, and where its sizes are not known. */
export function decomposeCall(b: BaseBuilder, op: Call, operands: readonly Value[]): readonly Value[] | undefined {
  const decompose = decompositionOf(op);
  if (decompose === undefined) return undefined;
  if (!returnsOperands(op)) require(op, operands.every(v => v.type.kind === 'tensor'), 'takes tensors');
  const results = decompose(b, op, operands);
  if (results === undefined) return undefined;
  const got = results.map(v => v.type);
  require(op, got.length === op.results.length &&
    got.every((type, i) =>
      compatible(type, op.results[i]!.type),
    ), `gives ${got.map(formatType).join(', ')}, not ${op.results.map(v => formatType(v.type)).join(', ')}`);
  return results;
}
/** Whether a call is an elementwise op: `mhlo.erf`. */
export const isElementwiseCall = (op: Call): boolean => functions.has(op.attributes.callTargetName);
/** Whether a call can be decomposed for these types. */
export const isKnownCall = (op: Call): boolean => decompositionOf(op) !== undefined;
/** The advice where a call is not supported. */
export function adviceOn(op: Call): string | undefined {
  const { callTargetName: target } = op.attributes;
  if (partings.has(target)) return 'partition the program first: this call makes the parts of several devices';
  if (hints.has(target)) return 'give its results the types of its operands';
  return undefined;
}
