// Reverse mode over a list of ops, in two passes:
//
//   1. forwards   finds the values that depend on those we differentiate with respect to. Only between them and the output is
//                 there work to do: a frozen layer or a mask costs nothing.
//   2. backwards  the rule of each op turns its cotangents into those of its operands; cotangents of one value are summed.
//
// Linear in the number of ops. The rules are in `rules.ts`; the API is in `gradient.ts`.
import { invariant, TrenioError } from '../base/errors.ts';
import type { OpName } from '../hlo/attributes.ts';
import type { Builder } from '../hlo/builder.ts';
import { inline } from '../hlo/inline.ts';
import type { Func, Op, OpOf, Region, Value } from '../hlo/program.ts';
import { dynamicDim, formatType, isFloat, numberKind, sameShape, sameType } from '../hlo/types.ts';
import { copyPart, partHolds, type RecomputedPart, repeater } from './rematerialize.ts';
import type { GradientContext, GradientRule, NoGradient, Seed } from './rule.ts';
import { gradientTable } from './rules.ts';

export interface BackpropagateOptions {
  /** Values treated as constants: no cotangent flows through them. */
  readonly stopGradients?: ReadonlySet<Value>;
  /** The functions called by func.call ops. */
  readonly functions?: readonly Func[];
  /** Rules of custom calls, by call target name. */
  readonly customGradients?: ReadonlyMap<string, GradientRule<'custom_call'>>;
  /** Parts of the forward pass that are recomputed here instead of stored; they do not overlap. */
  readonly recompute?: readonly RecomputedPart[];
  /**
   * Ops for a computation with a custom gradient rule. They replace the ops that compute their results in the list of ops,
   * and are never part of a program or recomputed.
   */
  readonly nodes?: ReadonlyMap<Op, GradientRule<'custom_call'>>;
  /** Values that gradients compute again from their operands instead of using those of the forward pass. */
  readonly again?: (value: Value) => boolean;
  /** Called once per value when its cotangent is complete, before it is propagated. */
  readonly hooks?: ReadonlyMap<Value, (cotangent: Value) => Value>;
}

type AnyRule = GradientRule<OpName> | NoGradient;

function ruleOf(op: Op, options: BackpropagateOptions): AnyRule {
  const node = options.nodes?.get(op);
  if (node !== undefined) return node as AnyRule;
  const custom = op.name === 'custom_call' ? options.customGradients?.get(op.attributes.callTargetName) : undefined;
  return (custom ?? gradientTable[op.name]) as AnyRule;
}

/** True if a region captures a value of `values`. */
function usesAny(region: Region, values: ReadonlySet<Value>): boolean {
  return region.ops.some(op => readsAny(op, values)) || region.results.some(value => values.has(value));
}
function readsAny(op: Op, values: ReadonlySet<Value>): boolean {
  for (const operand of op.operands) if (values.has(operand)) return true;
  for (const region of op.regions) if (usesAny(region, values)) return true;
  return false;
}

/** Whether a cotangent may flow through a value: floats, complex numbers, and tuples of anything. */
function carriesGradient(value: Value): boolean {
  const { type } = value;
  if (type.kind !== 'tensor') return type.kind === 'tuple';
  const kind = numberKind(type.elementType);
  return kind === 'float' || kind === 'complex';
}

/** `wrt` and all values of `ops` that depend on it differentiably. */
function dependents(ops: readonly Op[], wrt: readonly Value[], options: BackpropagateOptions): Set<Value> {
  const stops = options.stopGradients ?? new Set<Value>();
  const values = new Set(wrt.filter(value => !stops.has(value)));
  for (const op of ops) {
    if (!readsAny(op, values)) continue;
    const rule = ruleOf(op, options);
    if (typeof rule !== 'function' && rule.kind === 'zero') continue;
    for (const result of op.results) if (carriesGradient(result) && !stops.has(result)) values.add(result);
  }
  return values;
}

function refuseOp(op: Op, reason: string): never {
  const called = op.name === 'custom_call' ? ` @${op.attributes.callTargetName}` : '';
  throw new TrenioError('NOT_DIFFERENTIABLE', { op: `${op.name}${called}`, reason }, { location: op.location });
}

function checkTypes(op: Op): void {
  for (const { type } of [...op.operands, ...op.results]) {
    if (type.kind !== 'tensor') continue;
    if (type.shape.includes(dynamicDim))
      refuseOp(op, `the shape of ${formatType(type)} is known only when the program runs`);
  }
}

/** A reducer may compute in a wider type than its operands have: the cotangent is then rounded to the operand's type. */
function rounded(builder: Builder, value: Value, cotangent: Value): Value {
  const [want, got] = [value.type, cotangent.type];
  if (sameType(want, got)) return cotangent;
  const convertible = want.kind === 'tensor' && got.kind === 'tensor' && sameShape(want.shape, got.shape);
  invariant(
    convertible && isFloat(want.elementType) && isFloat(got.elementType),
    `a cotangent of type ${formatType(got)} for a value of type ${formatType(want)}`,
  );
  return builder.convert(cotangent, want.elementType);
}

/**
 * Appends to `builder` the ops that carry the cotangents of `seeds` back through `ops` (in program order) to `wrt`, and
 * returns the cotangents of `wrt`, each of its value's type, or undefined where no cotangent reaches it.
 * @throws {NOT_DIFFERENTIABLE} at the location of the op that a cotangent cannot pass through
 */
export function backpropagate(
  builder: Builder,
  ops: readonly Op[],
  seeds: readonly Seed[],
  wrt: readonly Value[],
  options: BackpropagateOptions = {},
): readonly (Value | undefined)[] {
  const depends = dependents(ops, wrt, options);
  const cotangents = new Map<Value, Value>();
  const accumulate = (value: Value, given: Value): void => {
    if (!depends.has(value)) return;
    const cotangent = rounded(builder, value, given);
    const before = cotangents.get(value);
    cotangents.set(value, before === undefined ? cotangent : builder.add(before, cotangent));
  };
  for (const [value, cotangent] of seeds) accumulate(value, cotangent);
  const complete = new Set<Value>();
  /** Called when the cotangent of a value is complete. */
  const finish = (value: Value): void => {
    const hook = options.hooks?.get(value);
    const cotangent = cotangents.get(value);
    if (hook === undefined || cotangent === undefined || complete.has(value)) return;
    complete.add(value);
    cotangents.set(value, hook(cotangent));
  };

  const repeated = repeater(builder, options);
  // A copy of a stopped value is stopped too.
  const stops = new Set(options.stopGradients);
  const shared = {
    builder,
    needs: (value: Value): boolean => depends.has(repeated.originalOf(value)),
    accumulate: (value: Value, given: Value): void => accumulate(repeated.originalOf(value), given),
    inline(into: Builder, copied: readonly Op[], map: Map<Value, Value>): readonly Op[] {
      const replaced = new Set(map.keys());
      const copies = inline(into, copied, map);
      if (stops.size > 0) for (const [from, to] of map) if (!replaced.has(from) && stops.has(from)) stops.add(to);
      return copies;
    },
    backpropagate: (into: Builder, inner: readonly Op[], innerSeeds: readonly Seed[], innerWrt: readonly Value[]) =>
      backpropagate(into, inner, innerSeeds, innerWrt, { ...options, stopGradients: stops }),
    callee: (name: string): Func | undefined =>
      options.functions?.find(func => func.name === name && func.declaredResults === undefined),
  };

  const { location } = builder;
  /** Propagates backwards through a copy of a part, from the cotangents of its values to those of its inputs. */
  const throughCopy = (part: RecomputedPart, own: readonly Op[]): void => {
    const used = own.flatMap(op => op.results).filter(value => cotangents.has(value));
    if (used.length === 0) return;
    const copy = copyPart(builder, own, part.policy);
    const hooks = new Map(
      [...(options.hooks ?? [])].flatMap(([value, hook]) => {
        const copied = copy.map.get(value);
        return copied === undefined || copy.inputs.includes(value) ? [] : [[copied, hook] as const];
      }),
    );
    for (const [from, to] of copy.map) if (stops.has(from)) stops.add(to);
    const inputs = copy.inputs.filter(value => depends.has(value));
    const found = backpropagate(
      builder,
      copy.ops,
      used.map(value => [copy.map.get(value)!, cotangents.get(value)!]),
      inputs.map(value => copy.map.get(value)!),
      { ...options, stopGradients: stops, recompute: [], hooks },
    );
    inputs.forEach((value, i) => {
      if (found[i] !== undefined) accumulate(value, found[i]);
    });
  };
  for (let i = ops.length - 1; i >= 0; i--) {
    const op = ops[i]!;
    const part = options.nodes?.has(op) ? undefined : options.recompute?.find(p => partHolds(p, op));
    if (part !== undefined) {
      const end = i + 1;
      while (i > 0 && partHolds(part, ops[i - 1]!) && !options.nodes?.has(ops[i - 1]!)) i--;
      throughCopy(part, ops.slice(i, end));
      continue;
    }
    op.results.forEach(finish);
    if (!op.results.some(result => cotangents.has(result)) || !readsAny(op, depends)) continue;
    builder.location = op.location;
    checkTypes(op);
    const rule = ruleOf(op, options);
    if (typeof rule !== 'function') refuseOp(op, rule.reason);
    const context: GradientContext<OpName> = {
      ...shared,
      op: repeated.seen(op) as OpOf<OpName>,
      cotangents: op.results.map(result => cotangents.get(result)),
      refuse: reason => refuseOp(op, reason),
    };
    const gradients = rule(context);
    op.operands.forEach((operand, k) => {
      const gradient = gradients[k];
      if (gradient !== undefined) accumulate(operand, gradient);
    });
  }
  builder.location = location;
  wrt.forEach(finish);
  return wrt.map(value => cotangents.get(value));
}
