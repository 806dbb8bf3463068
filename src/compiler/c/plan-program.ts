// The stages between the passes and the C, and what each of them decided: shared by compiling and by explaining.
import { type Func, type Module, mainOf } from '../../hlo/program.ts';
import type { Block, Schedule, Step } from '../ir/schedule.ts';
import { type MemoryPlan, planMemory } from '../memory/memory-plan.ts';
import { checkCompilable } from '../passes/check.ts';
import { runPasses } from '../passes/index.ts';
import { scheduleFunction } from '../schedule/schedule.ts';
import type { Operators } from '../target/operators.ts';
import type { Target } from '../target/target.ts';
import { KernelBuilder } from './kernel-builder.ts';
import type { KernelCode } from './kernel-text.ts';
import { type PrintedProgram, printProgram } from './program-printer.ts';

export interface PlannedProgram {
  /** The program after the passes. */
  readonly main: Func;
  readonly schedule: Schedule;
  /** The kernel of a step; undefined when all it writes is empty, and for loops and branches. */
  codeOf(step: Step): KernelCode | undefined;
  readonly memory: MemoryPlan;
  readonly printed: PrintedProgram;
  readonly scratchBytes: number;
}

/** For modules of known sizes. @throws {UNSUPPORTED} for what only the interpreter can do */
export function planProgram(module: Module, target: Target, operators: Operators): PlannedProgram {
  const main = mainOf(runPasses(module));
  checkCompilable(main, operators);
  const schedule = scheduleFunction(main, target);
  const codes = new Map<Step, KernelCode>();
  const builder = new KernelBuilder(schedule.stored, target, module, operators);
  const build = (block: Block): void => {
    for (const step of block.steps) {
      if (step.kind === 'control') step.blocks.forEach(build);
      else {
        const code = builder.build(step);
        if (code) codes.set(step, code);
      }
    }
  };
  build(schedule.main);
  const codeOf = (step: Step): KernelCode | undefined => codes.get(step);
  const memory = planMemory(main, schedule.main, codeOf);
  const printed = printProgram(module.name, schedule.main, codeOf, memory, target, main.aliases);
  const scratchBytes = Math.max(0, ...[...codes.values()].map(c => c.scratchBytes ?? 0));
  return { main, schedule, codeOf, memory, printed, scratchBytes };
}
