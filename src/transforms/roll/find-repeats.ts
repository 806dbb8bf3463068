// Finds sections of a list of ops that repeat: the copies of a loop's body, one after another.
//
//   a b c d  a b c d  a b c d  e      start 0, period 4, count 3
//
// Ops are compared by their class (`op-classes.ts`); `matcher.ts` compares what this leaves out. The search is linear: a position
// is a candidate if the few ops at it occur again, and the stretch in which ops equal those one period later is measured once
// per period.

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
export function findRepeats(classes: Int32Array): readonly Repeat[] {
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
