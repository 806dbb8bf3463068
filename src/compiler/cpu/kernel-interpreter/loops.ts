// Loops over elements: each node is computed in the outermost loop in which its inputs are available, as in the printed C.
import type { Loop } from '../../ir/index-expr.ts';
import type { Node } from '../../ir/node.ts';
import type { Frame } from './frame.ts';

export type Range = readonly [from: number, to: number];

/** Called after a loop, the innermost by default, or after at most `longest` of its steps, with their number. */
export interface After {
  readonly loop?: Loop;
  readonly longest: number;
  call(steps: number): void;
}

interface Levels {
  /** The loops of more than one step. */
  readonly inner: readonly Loop[];
  /** The nodes that are computed in each of them. */
  readonly byLevel: readonly (readonly Node[])[];
}
const levels = new WeakMap<readonly Node[], WeakMap<readonly Loop[], Levels>>();

function levelsOf(loops: readonly Loop[], nodes: readonly Node[]): Levels {
  let known = levels.get(nodes);
  if (known === undefined) {
    known = new WeakMap();
    levels.set(nodes, known);
  }
  let found = known.get(loops);
  if (found === undefined) {
    const inner = loops.filter(l => l.size !== 1);
    const level = (n: Node): number => inner.reduce((deepest, l, i) => ((n.deps >> l.id) & 1 ? i + 1 : deepest), 0);
    found = { inner, byLevel: inner.map((_, depth) => nodes.filter(n => level(n) === depth + 1)) };
    known.set(loops, found);
  }
  return found;
}

/** Iterates over `loops`, some of which may cover only a part of their size, and calls `body` for each element. */
export function overElements(
  frame: Frame,
  loops: readonly Loop[],
  nodes: readonly Node[],
  ranges: ReadonlyMap<Loop, Range>,
  body: () => void,
  after?: After,
): void {
  for (const l of loops) if (l.size === 1) frame.setLoop(l, 0);
  const { inner, byLevel } = levelsOf(loops, nodes);
  const run = (depth: number): void => {
    const loop = inner[depth];
    if (loop === undefined) {
      body();
      return;
    }
    const [from, to] = ranges.get(loop) ?? [0, frame.sizes(loop.size)];
    for (let i = from; i < to; i++) {
      frame.setLoop(loop, i);
      frame.evaluate(byLevel[depth]!);
      run(depth + 1);
      if (after === undefined || loop !== (after.loop ?? inner.at(-1))) continue;
      const steps = (i - from) % after.longest;
      if (i + 1 === to || steps + 1 === after.longest) after.call(steps + 1);
    }
  };
  run(0);
}
