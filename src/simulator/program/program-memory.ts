// The memory of a program by kind, from the compiler's plan. Temporaries and activations share one arena: values written by the
// forward pass and read after it count as activations, the rest as temporaries.
import type { PrintedModule } from '../../compiler/cpu/c/print-module.ts';
import { bytesOfType, totalBytes } from '../../hlo/ops/costs.ts';
import { type Func, type Module, mainOf, type Value } from '../../hlo/program.ts';
import type { MemoryKind } from '../run.ts';
import type { ProgramPhase, TrainingState } from './training-state.ts';

export type ProgramMemory = Readonly<Partial<Record<MemoryKind, number>>>;

/** `phases`: of the planned program's calls, in order. */
export function memoryOfPlan(
  plan: PrintedModule,
  phases: readonly ProgramPhase[],
  state: TrainingState,
): ProgramMemory {
  const { memory, printed, main } = plan;
  const isInArena = (v: Value): boolean => memory.locationOf(v).kind === 'arena';
  const made = new Set<Value>();
  const kept = new Set<Value>();
  printed.steps.forEach((step, call) => {
    if (phases[call] === 'forward') for (const v of step.writes) made.add(v);
    else for (const v of step.reads) if (made.has(v) && isInArena(v)) kept.add(v);
  });
  const constants = new Set<Value>();
  for (const step of printed.steps)
    for (const { value } of plan.kernelOf(step)?.operands ?? [])
      if (memory.locationOf(value).kind === 'constant') constants.add(value);
  const activations = Math.min(memory.arenaBytes, totalBytes([...kept]));
  return {
    ...ofState(main, state),
    activations: activations + outside(main, state),
    temporaries: memory.arenaBytes - activations,
    'program and runtime': totalBytes([...constants]),
  };
}

/** Without a plan: every value stays in memory until the end. */
export function memoryOfModule(module: Module, state: TrainingState): ProgramMemory {
  const main = mainOf(module);
  const made = main.body.ops.flatMap(op => op.results);
  return { ...ofState(main, state), activations: outside(main, state) + totalBytes(made), temporaries: 0 };
}

function ofState({ body, aliases }: Func, { weights, others }: TrainingState): ProgramMemory {
  const fresh = body.results.filter((_, i) => !aliases.includes(i));
  const shapes = new Set(weights.map(({ type }) => (type.kind === 'tensor' ? type.shape.join() : '')));
  // Gradients that outlive the step, for accumulation or reading.
  const gradients = fresh.filter(
    ({ type }) => type.kind === 'tensor' && type.shape.length > 0 && shapes.has(type.shape.join()),
  );
  return {
    weights: totalBytes(weights),
    'optimizer state': totalBytes(others),
    gradients: totalBytes(gradients),
  };
}

/** The batch, and results that do not reuse an input's memory, without gradients. */
function outside(func: Func, state: TrainingState): number {
  const { body, aliases } = func;
  const fresh = body.results.filter((_, i) => !aliases.includes(i)).reduce((sum, v) => sum + bytesOfType(v.type), 0);
  return totalBytes(state.inputs) + fresh - (ofState(func, state).gradients ?? 0);
}
