// Rematerialization: the backward pass recomputes the values of a part of the forward pass instead of storing them
// (Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016; for `selective`, Korthikanti et al., "Reducing
// Activation Recomputation in Large Transformer Models", 2022). The user chooses the part.
//
//   forward    x ─▶ [ part ] ─▶ y ─▶ …                only x (and what the policy keeps) lives until the backward pass
//   backward   barrier(x) ─▶ [ copy of the part ] ─▶ gradients through the copy, given the cotangent of y
//
// The barrier prevents common-subexpression elimination from merging the copy with the part. Ops of the copy that the gradients
// do not need have no users and are removed.
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
