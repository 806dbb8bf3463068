// Loops over elements: each node is computed in the outermost loop in which its inputs are available; the innermost loop goes
// four elements at a time where it can.
import type { Loop } from '../../ir/index-expr.ts';
import type { Output } from '../../ir/nest.ts';
import type { Node } from '../../ir/node.ts';
import { addI32, apply, type Expr, get, i32Const, lessThan, minI32 } from './encoder.ts';
import type { Scope, Width } from './scope.ts';

export type Range = readonly [from: Expr, to: Expr];

/** Called after a loop, the innermost by default, or after at most `longest` of its steps, with their number. */
export interface After {
  readonly loop?: Loop;
  readonly longest: number;
  call(steps: Expr): void;
}
export interface Elements {
  readonly loops: readonly Loop[];
  readonly nodes: readonly Node[];
  /** Loops that cover only a part of their size. */
  readonly ranges?: ReadonlyMap<Loop, Range>;
  /** The outputs that the body stores: their addresses are prepared. */
  readonly outputs: readonly Output[];
  /** Whether the body takes four elements at a time. */
  readonly takesVectors: boolean;
  readonly after?: After | undefined;
}

/** Iterates over elements and calls `body` for the code of one, or of four. */
export function overElements(scope: Scope, elements: Elements, body: (width: Width) => void): void {
  const { loops, nodes, ranges, outputs, takesVectors, after } = elements;
  const { f } = scope;
  const inner = loops.filter(l => l.size !== 1);
  for (const l of loops) if (!inner.includes(l)) scope.setLoop(l, i32Const(0));
  const level = (n: Node): number => inner.reduce((deepest, l, i) => ((n.deps >> l.id) & 1 ? i + 1 : deepest), 0);
  const atLevel = (depth: number): Node[] => nodes.filter(n => level(n) === depth + 1);
  const run = (depth: number): void => {
    const loop = inner[depth];
    if (loop === undefined) {
      body('scalar');
      return;
    }
    const [from, to] = ranges?.get(loop) ?? [i32Const(0), i32Const(scope.sizes(loop.size))];
    const isPaced = after !== undefined && loop === (after.loop ?? inner.at(-1));
    const steps = (first: Expr, end: Expr): void => {
      if (depth === inner.length - 1) innermost(loop, atLevel(depth), first, end);
      else
        f.loop(first, end, 1, at => {
          scope.setLoop(loop, at);
          scope.evaluate(atLevel(depth));
          run(depth + 1);
        });
      if (isPaced) after.call(apply('i32', [0x6b], end, first));
    };
    if (!isPaced) steps(from, to);
    else
      f.loop(from, to, after.longest, first =>
        steps(first, f.keep(minI32(addI32(first, i32Const(after.longest)), to))),
      );
  };
  const innermost = (loop: Loop, own: readonly Node[], from: Expr, to: Expr): void => {
    const isVector = takesVectors && scope.canBeVectors(loop, own);
    const at = f.local('i32');
    scope.enter(loop, own, outputs, isVector);
    f.set(at, from);
    const steps = (width: Width, end: Expr, step: number): void =>
      f.while(lessThan(get(at), end), () => {
        scope.setLoop(loop, get(at));
        scope.evaluate(own, width);
        body(width);
        f.set(at, addI32(get(at), i32Const(step)));
      });
    if (isVector) {
      const end = f.keep(apply('i32', [0x6b], to, i32Const(3)));
      steps('vector', end, 4);
    }
    scope.leaveVectors();
    steps('scalar', to, 1);
    scope.leave();
    scope.forget(own);
  };
  run(0);
}
