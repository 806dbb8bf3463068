// Where the ops of a name went: into kernels, into nothing (views), or into simpler ops that the passes put in their place.
import type { SourceLocation } from '../../base/errors.ts';
import type { ExplainedKernel, ExplainedOp, Explanation } from '../../compiler/index.ts';

export interface FoundOp {
  /** `computed` by the kernel, `index` where it only says at which index elements are found, `said otherwise` in other ops. */
  readonly as: 'computed' | 'index' | 'said otherwise' | 'gone';
  readonly kernels: readonly string[];
  readonly type: string | undefined;
  readonly location: SourceLocation | undefined;
  /** The ops in its place. */
  readonly ops: readonly string[];
}

/** Undefined if the program has no such op. An op's place in the text tells what the passes made of it. */
export function whereOpWent({ recorded, kernels }: Explanation, name: string): readonly FoundOp[] | undefined {
  const isRecorded = recorded.some(op => op.name === name);
  const scheduled = [
    ...collect(kernels, k => k.ops, name, 'computed'),
    ...collect(kernels, k => k.views, name, 'index'),
  ];
  if (scheduled.length > 0) return scheduled;
  if (!isRecorded) return undefined;
  const places = recorded.filter(op => op.name === name);
  return places.map(({ location }) => {
    const inPlace = kernels.flatMap(kernel =>
      [...kernel.ops, ...kernel.views].filter(op => isSame(op.location, location)).map(op => ({ kernel, op })),
    );
    return {
      as: inPlace.length === 0 ? 'gone' : 'said otherwise',
      kernels: [...new Set(inPlace.map(({ kernel }) => kernel.name))],
      type: undefined,
      location,
      ops: [...new Set(inPlace.map(({ op }) => op.name))],
    };
  });
}

function collect(
  kernels: readonly ExplainedKernel[],
  opsOf: (kernel: ExplainedKernel) => readonly ExplainedOp[],
  name: string,
  as: 'computed' | 'index',
): readonly FoundOp[] {
  const found = new Map<string, FoundOp>();
  for (const kernel of kernels) {
    for (const op of opsOf(kernel).filter(o => o.name === name)) {
      const { type, location } = op;
      const key = `${type} ${location?.file} ${location?.line} ${location?.column}`;
      const known = found.get(key)?.kernels ?? [];
      found.set(key, { as, kernels: [...new Set([...known, kernel.name])], type, location, ops: [] });
    }
  }
  return [...found.values()];
}

const isSame = (a: SourceLocation | undefined, b: SourceLocation | undefined): boolean =>
  a !== undefined && b !== undefined && a.file === b.file && a.line === b.line && a.column === b.column;
