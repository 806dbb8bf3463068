// "Did you mean …": the known name closest to the one that the user typed, if any is close enough.

/** The edit distance of two words: insertion, deletion, replacement or swap of neighbors count 1 (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, replace);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, beforePrevious[j - 2]! + 1);
      row.push(best);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}

const plain = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** The nearest of `known`, ignoring case and `-`/`_`; undefined if more than a third of it would have to change. */
export function nearestName(typed: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const distance = editDistance(plain(typed), plain(name));
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best !== undefined && bestDistance <= Math.max(1, Math.ceil(Math.max(typed.length, best.length) / 3))
    ? best
    : undefined;
}

/** The nearest `count` of `known`, nearest first: suggestions if no name is close enough. */
export function nearestNames(typed: string, known: Iterable<string>, count = 3): readonly string[] {
  return [...new Set(known)]
    .map(name => ({ name, distance: editDistance(plain(typed), plain(name)) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name);
}
