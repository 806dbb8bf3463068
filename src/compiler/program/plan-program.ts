// The stages before a program is printed or run, and their decisions: the passes, the schedule, the kernels and their memory.
import { type Func, type Module, mainOf } from '../../hlo/program.ts';
import { bucketAllReduces } from '../../transforms/collective-buckets.ts';
import type { Machine, Planned } from '../ir/machine.ts';
import type { Operators } from '../ir/operators.ts';
import type { Block, Schedule, Step } from '../ir/schedule.ts';
import { isCollective } from '../lowering/lowering-kinds.ts';
import { type MemoryPlan, planMemory } from '../memory/memory-plan.ts';
import { checkCompilable } from '../passes/check.ts';
import { runPasses } from '../passes/index.ts';
import { scheduleFunction } from '../schedule/schedule.ts';
import { KernelPlanner } from './kernel-planner.ts';

export interface PlannedProgram<Kernel> {
  /** Before the passes: its name, its grid of processes. */
  readonly module: Module;
  /** The program after the passes. */
  readonly main: Func;
  readonly schedule: Schedule;
  /** The kernel of a step; undefined if everything it writes is empty, and for loops and branches. */
  kernelOf(step: Step): Planned<Kernel> | undefined;
  readonly memory: MemoryPlan;
  /** The maximum scratch memory that a worker requests from the runtime. */
  readonly scratchBytes: number;
}

/** For modules of known sizes. @throws {UNSUPPORTED} for ops that only the interpreter supports, or that the machine lacks */
export function planProgram<Kernel>(
  module: Module,
  machine: Machine<Kernel>,
  operators: Operators,
): PlannedProgram<Kernel> {
  const main = mainOf(bucketAllReduces(runPasses(module), machine.bucketBytes, isCollective));
  checkCompilable(main, operators);
  const schedule = scheduleFunction(main, machine);
  const kernels = new Map<Step, Planned<Kernel>>();
  const planner = new KernelPlanner(schedule.stored, machine, module, operators);
  const plan = (block: Block): void => {
    for (const step of block.steps) {
      if (step.kind === 'control') step.blocks.forEach(plan);
      else {
        const kernel = planner.plan(step);
        if (kernel) kernels.set(step, kernel);
      }
    }
  };
  plan(schedule.main);
  const kernelOf = (step: Step): Planned<Kernel> | undefined => kernels.get(step);
  const memory = planMemory(main, schedule.main, kernelOf);
  const scratchBytes = Math.max(0, ...[...kernels.values()].map(k => k.scratchBytes));
  return { module, main, schedule, kernelOf, memory, scratchBytes };
}
