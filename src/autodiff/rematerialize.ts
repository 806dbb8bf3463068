// Rematerialization: the backward pass recomputes the values of a part of the forward pass instead of storing them
// (Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016; for `selective`, Korthikanti et al., "Reducing
// Activation Recomputation in Large Transformer Models", 2022). The user chooses the part.
//
//   forward    x ─▶ [ part ] ─▶ y ─▶ …                only x (and what the policy keeps) lives until the backward pass
//   backward   barrier(x) ─▶ [ copy of the part ] ─▶ gradients through the copy, given the cotangent of y
//
// The barrier prevents common-subexpression elimination from merging the copy with the part. Ops of the copy that the gradients
// do not need have no users and are removed.
import type { OpName } from '../hlo/attributes.ts';
import type { Builder } from '../hlo/builder.ts';
import { inline } from '../hlo/inline.ts';
import type { Op, Value } from '../hlo/program.ts';
import { capturesOf } from '../hlo/walk.ts';

/**
 * Which values are recomputed. `full`: all, from the inputs of the part. `selective`: those that are cheap to recompute for the
 * memory they
 * take, that is, all but the results of convolutions and of multiplies without batch dimensions (linear layers), which are kept.
 */
export const recomputePolicies = ['none', 'selective', 'full'] as const;
export type RecomputePolicy = (typeof recomputePolicies)[number];

/** The ops whose first result has an id above `after` and up to `to`: those recorded by one call. */
export interface RecomputedPart {
  readonly after: number;
  readonly to: number;
  readonly policy: Exclude<RecomputePolicy, 'none'>;
}

export const partHolds = (part: RecomputedPart, op: Op): boolean => {
  const id = op.results[0]?.id ?? -1;
  return id > part.after && id <= part.to;
};

/** A copy of the ops of a part, behind barriers. */
export interface Copy {
  /** In program order. A kept op is listed with its copied operands and its stored result; it is not recomputed. */
  readonly ops: readonly Op[];
  /** Maps a value of the part, or an input of it, to its counterpart in the copy. */
  readonly map: ReadonlyMap<Value, Value>;
  readonly inputs: readonly Value[];
}

/** Appends a copy of `ops`, the ops of a part, to the builder. */
export function copyPart(builder: Builder, ops: readonly Op[], policy: RecomputedPart['policy']): Copy {
  const made = new Set(ops.flatMap(op => op.results));
  const inputs = [...new Set(ops.flatMap(op => [...op.operands, ...capturesOf(op)]))].filter(v => !made.has(v));
  const kept = policy === 'full' ? [] : ops.filter(isKept).flatMap(op => op.results);
  const behind = [...inputs, ...kept];
  const map = new Map<Value, Value>();
  if (behind.length > 0)
    builder.emit('optimization_barrier', behind, {}).forEach((value, i) => {
      map.set(behind[i]!, value);
    });
  const copies = ops.flatMap((op): readonly Op[] => {
    if (policy === 'full' || !isKept(op)) return inline(builder, [op], map);
    const operands = op.operands.map(v => map.get(v) ?? v);
    return [{ ...op, operands, results: op.results.map(v => map.get(v)!) } as Op];
  });
  return { ops: copies, map, inputs };
}

const isKept = (op: Op): boolean =>
  op.name === 'convolution' || (op.name === 'dot_general' && op.attributes.lhsBatchingDimensions.length === 0);

/** Ops that only arrange the elements of their operand: computed again with it. */
const arrangements: ReadonlySet<OpName> = new Set(['transpose', 'reshape', 'convert', 'broadcast_in_dim', 'slice']);

export interface Repeater {
  /** The op as gradient rules see it: operands for which `again` holds, and arrangements of those, are computed again. */
  seen(op: Op): Op;
  /** The value that an operand of such an op is a copy of; itself if it is none. */
  originalOf(value: Value): Value;
}
export function repeater(builder: Builder, { again }: { readonly again?: (value: Value) => boolean }): Repeater {
  if (again === undefined) return { seen: op => op, originalOf: value => value };
  const copies = new Map<Value, Value>();
  const originals = new Map<Value, Value>();
  const copyOf = (value: Value): Value => {
    const known = copies.get(value);
    if (known !== undefined) return known;
    const { op } = value;
    const isRepeated = op !== undefined && again(value);
    if (op === undefined || !(isRepeated || arrangements.has(op.name))) return value;
    const operands: readonly Value[] = op.operands;
    const now = operands.map(isRepeated ? operand => operand : copyOf);
    if (!isRepeated && now.every((operand, i) => operand === operands[i])) return value;
    const inputs = isRepeated ? builder.emit('optimization_barrier', now, {}) : now;
    const [copy] = inline(builder, [op], new Map(operands.map((operand, i) => [operand, inputs[i]!]))).at(-1)!.results;
    copies.set(value, copy!);
    originals.set(copy!, value);
    return copy!;
  };
  return {
    seen: op => {
      const operands = op.operands.map(copyOf);
      return operands.every((operand, i) => operand === op.operands[i]) ? op : ({ ...op, operands } as Op);
    },
    originalOf: value => originals.get(value) ?? value,
  };
}
