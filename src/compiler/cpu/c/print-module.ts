// The plan of a module and its C: for compilation, and for reports that use the kernel names of the C.
import type { Module } from '../../../hlo/program.ts';
import type { Operators } from '../../ir/operators.ts';
import type { CpuProgram } from '../ir/kernel.ts';
import { planForCpu } from '../kernels/plan-for-cpu.ts';
import type { CpuTarget } from '../target/target.ts';
import { type PrintedProgram, printProgram } from './program-printer.ts';

export interface PrintedModule extends CpuProgram {
  readonly printed: PrintedProgram;
}

/** For modules of known sizes. @throws {UNSUPPORTED} for ops that only the interpreter supports */
export function printModule(module: Module, target: CpuTarget, operators: Operators): PrintedModule {
  const plan = planForCpu(module, target, operators);
  return { ...plan, printed: printProgram(plan, target) };
}
