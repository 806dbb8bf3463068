// Emits the events of a program's executions (src/observe).
import { programOps } from '../../compiler/index.ts';
import { emit, isObserved } from '../../observe/events.ts';
import type { ProgramParts } from './timers.ts';

let programs = 0;

/** Announces a program. Returns a function to call with the nanoseconds of each execution; undefined if no one listens. */
export function observedProgram(
  name: string,
  stateInputs: number,
  parts: ProgramParts = { kernels: [], calls: [] },
): ((nanoseconds: bigint) => void) | undefined {
  if (!isObserved()) return undefined;
  const id = ++programs;
  const multiplies = parts.kernels.filter(({ products }) => products !== undefined);
  const flopsOf = ({ flops, calls }: (typeof multiplies)[number]): number => flops * calls;
  const flops = multiplies.reduce((sum, kernel) => sum + flopsOf(kernel), 0);
  const { products } = multiplies.toSorted((a, b) => flopsOf(b) - flopsOf(a))[0] ?? {};
  emit({
    kind: 'program',
    id,
    name,
    stateInputs,
    kernels: parts.kernels.length,
    ops: programOps(parts),
    flops,
    products,
  });
  return nanoseconds => emit({ kind: 'run', program: id, nanoseconds: Number(nanoseconds) });
}
