// Numbers in calls that change from step to step: the start of a slice, an index, a counter in a comparison. Constants are faster
// (a slice fuses, a factor folds), so each number is a constant at first. When a program differs from the previous one at its
// line only in such numbers, they become inputs of the program from the next step on: new values then cause no compilation.
//
// This does not apply to the sizes of results, which are part of every program.
import type { Builder } from '../../hlo/builder.ts';
import { equalAttributes } from '../../hlo/equal-attributes.ts';
import { bytesOf, splat } from '../../hlo/literal.ts';
import type { Func, Op, Value } from '../../hlo/program.ts';
import { type ElementType, sameType, tensorType } from '../../hlo/types.ts';
import { originOf } from '../../transforms/rewriter.ts';
import { changingNumber, shortLocation } from './explain.ts';
import type { HostInput } from './host-input.ts';

/** A number of a call: the line, and how many such numbers were recorded at that line before it, in the same program. */
interface Site {
  readonly line: unknown;
  readonly nth: number;
}
/** Records the numbers of one trace. */
interface Recorder {
  readonly numbers: ChangingNumbers;
  readonly argument: (input: HostInput) => Value;
  readonly counts: Map<unknown, number>;
}
const recorders = new WeakMap<Builder, Recorder>();
const siteOf = new WeakMap<Op, Site>();
const numberOf = new WeakMap<Value, number>();

/** The number of an input; undefined for other values. */
export const movingNumber = (value: Value): number | undefined => numberOf.get(value);

/**
 * A value that depends on a number: `fixed` if the number is part of the program, or `moving` if it is known to change and is
 * an input. `opOf`: the op of the first that holds the number.
 */
export function changing(
  b: Builder,
  number: { readonly value: number | bigint | boolean; readonly type: ElementType },
  fixed: () => Value,
  moving: (input: Value) => Value,
  opOf: (fixed: Value) => Op | undefined = value => value.op,
): Value {
  const recorder = recorders.get(b);
  if (recorder === undefined) return fixed();
  const { counts, numbers, argument } = recorder;
  const line = b.location;
  const nth = counts.get(line) ?? 0;
  counts.set(line, nth + 1);
  if (numbers.has({ line, nth })) {
    const type = tensorType(number.type);
    const bytes = bytesOf(splat(type, number.value));
    const input = argument({ label: `${changingNumber}${shortLocation(b.location)}`, type, next: () => bytes });
    numberOf.set(input, Number(number.value));
    return moving(input);
  }
  const value = fixed();
  const op = opOf(value);
  if (op !== undefined) siteOf.set(op, { line, nth });
  return value;
}

/** The numbers of a device's programs that are known to change. */
export class ChangingNumbers {
  readonly #sites = new Map<unknown, Set<number>>();

  /** Numbers that this builder records may become inputs. `counts` is cleared where a program begins. */
  record(b: Builder, counts: Map<unknown, number>, argument: (input: HostInput) => Value): void {
    recorders.set(b, { numbers: this, counts, argument });
  }
  has({ line, nth }: Site): boolean {
    return this.#sites.get(line)?.has(nth) ?? false;
  }
  /** Compares a program with the one it replaces. True if they differ only in numbers that may become inputs. */
  learn(before: Func, now: Func): boolean {
    const ops = changedOps(before, now);
    const sites = ops.flatMap(op => siteOf.get(originOf(op)) ?? []);
    // The gradient of a slice is a pad with the same number.
    if (sites.length === 0 || ops.some(op => !siteOf.has(originOf(op)) && op.name !== 'pad')) return false;
    for (const site of sites) this.#sites.set(site.line, (this.#sites.get(site.line) ?? new Set()).add(site.nth));
    return true;
  }
}

/** The ops of `now` that have other attributes than those of `before`; none where the programs differ in anything else. */
function changedOps({ body: a }: Func, { body: b }: Func): readonly Op[] {
  if (a.args.length !== b.args.length || a.ops.length !== b.ops.length || a.results.length !== b.results.length)
    return [];
  if (!b.args.every((arg, i) => sameArgument(arg, a.args[i]!))) return [];
  const changed: Op[] = [];
  for (const [i, op] of b.ops.entries()) {
    const old = a.ops[i]!;
    const isSame =
      old.name === op.name &&
      old.results.length === op.results.length &&
      op.results.every((result, k) => sameArgument(result, old.results[k]!));
    if (!isSame) return [];
    if (!equalAttributes(old.attributes, op.attributes)) changed.push(op);
  }
  return changed;
}
const sameArgument = (x: Value, y: Value): boolean =>
  x.type.kind === 'tensor' && y.type.kind === 'tensor' ? sameType(x.type, y.type) : x.type.kind === y.type.kind;
