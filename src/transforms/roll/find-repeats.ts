// Finds sections of a list of ops that repeat: the copies of a loop's body, one after another.
//
//   a b c d  a b c d  a b c d  e      start 0, period 4, count 3
//
// Ops are compared by a hash of their name, line and result types; `matcher.ts` compares what this leaves out. The search is
// linear: a position is a candidate if the few ops at it occur again, and the stretch in which ops equal those one period later
// is measured once per period.
import type { SourceLocation } from '../../base/errors.ts';
import type { OpName } from '../../hlo/attributes.ts';
import type { Op } from '../../hlo/program.ts';
import { elementTypes } from '../../hlo/types.ts';
import { isPure } from '../../hlo/walk.ts';

export interface Repeat {
  readonly start: number;
  readonly period: number;
  readonly count: number;
}

/** Fewer copies than this stay as they are. */
export const fewestTurns = 8;
/** As many ops identify a position. */
const gram = 4;
/** How many later occurrences of a position are tried as its first repetition. */
const tries = 3;

const mix = (hash: number, word: number): number => Math.imul(hash ^ word, 0x01000193) ^ (hash >>> 15);

const elementNumbers = new Map<string, number>(elementTypes.map((name, i) => [name, i]));

/** A number for each op: equal for copies of one op, different for nearly all others. Ops with effects are like no other. */
function classesOf(ops: readonly Op[]): Int32Array {
  const names = new Map<OpName, number>();
  const lines = new Map<SourceLocation | undefined, number>();
  const numberOf = <K>(table: Map<K, number>, key: K): number => {
    let number = table.get(key);
    if (number === undefined) {
      number = table.size;
      table.set(key, number);
    }
    return number;
  };
  return Int32Array.from(ops, (op, i) => {
    if (!isPure(op) || op.sharding !== undefined || op.discardable !== undefined) return mix(0x7fff, i);
    let hash = mix(mix(numberOf(names, op.name), numberOf(lines, op.location)), op.operands.length);
    for (const { type } of op.results as readonly { readonly type: Op['results'][number]['type'] }[]) {
      if (type.kind !== 'tensor') return mix(0x7fff, i);
      hash = mix(hash, elementNumbers.get(type.elementType)!);
      for (const size of type.shape) hash = mix(hash, size);
    }
    return hash;
  });
}

/** For each position, the next one at which the same few ops begin; -1 if there is none. */
function nextOccurrences(classes: Int32Array): Int32Array {
  const next = new Int32Array(classes.length).fill(-1);
  const seen = new Map<number, number>();
  for (let i = classes.length - gram; i >= 0; i--) {
    let hash = 0;
    for (let k = 0; k < gram; k++) hash = mix(hash, classes[i + k]!);
    next[i] = seen.get(hash) ?? -1;
    seen.set(hash, i);
  }
  return next;
}

/** The repeated sections, in order; they do not overlap. */
export function findRepeats(ops: readonly Op[]): readonly Repeat[] {
  const classes = classesOf(ops);
  const next = nextOccurrences(classes);
  /** By period, the end of the last stretch that was measured. */
  const ends = new Map<number, number>();
  /** The first position from `from` on whose op differs from the one a period later. */
  const endOf = (from: number, period: number): number => {
    const known = ends.get(period);
    if (known !== undefined && known >= from) return known;
    let end = from;
    while (end + period < classes.length && classes[end] === classes[end + period]) end++;
    ends.set(period, end);
    return end;
  };
  const found: Repeat[] = [];
  let free = 0;
  for (let i = 0; i < classes.length; ) {
    const best = bestAt(i, next, endOf);
    if (best === undefined) {
      i++;
      continue;
    }
    const { period } = best;
    let { start } = best;
    while (start > free && classes[start - 1] === classes[start - 1 + period]) start--;
    const count = Math.floor((endOf(i, period) + period - start) / period);
    found.push({ start, period, count });
    free = start + count * period;
    i = free;
  }
  return found;
}

/** The repetition that covers most, among those that begin at a position. */
function bestAt(i: number, next: Int32Array, endOf: (from: number, period: number) => number): Repeat | undefined {
  let best: Repeat | undefined;
  let at = next[i]!;
  for (let tried = 0; at >= 0 && tried < tries; tried++, at = next[at]!) {
    const period = at - i;
    const count = Math.floor((endOf(i, period) + period - i) / period);
    // A multiple of a period covers no more than the period.
    if (count >= fewestTurns && (best === undefined || count * period >= best.count * best.period + best.period))
      best = { start: i, period, count };
  }
  return best;
}
