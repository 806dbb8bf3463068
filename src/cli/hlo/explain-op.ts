// Finds what became of the ops of a given name: kernels, views without cost, or simpler ops after decomposition.
import type { SourceLocation } from '../../base/errors.ts';
import type { ExplainedKernel, ExplainedOp, Explanation } from '../../compiler/index.ts';

export interface FoundOp {
  /** `computed` by the kernel; `index`: only changes which elements are read; `replaced` by other ops; `gone`. */
  readonly as: 'computed' | 'index' | 'replaced' | 'gone';
  readonly kernels: readonly string[];
  readonly type: string | undefined;
  readonly location: SourceLocation | undefined;
  /** The ops that replaced it. */
  readonly ops: readonly string[];
}

/** Undefined if the program has no such op. Ops that replaced it are found by their source location. */
export function whereOpWent({ recorded, kernels }: Explanation, name: string): readonly FoundOp[] | undefined {
  const isRecorded = recorded.some(op => op.name === name);
  const scheduled = [
    ...collect(kernels, k => k.ops, name, 'computed'),
    ...collect(kernels, k => k.views, name, 'index'),
  ];
  if (scheduled.length > 0) return scheduled;
  if (!isRecorded) return undefined;
  const positions = recorded.filter(op => op.name === name);
  return positions.map(({ location }) => {
    const inPlace = kernels.flatMap(kernel =>
      [...kernel.ops, ...kernel.views].filter(op => isSame(op.location, location)).map(op => ({ kernel, op })),
    );
    return {
      as: inPlace.length === 0 ? 'gone' : 'replaced',
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
