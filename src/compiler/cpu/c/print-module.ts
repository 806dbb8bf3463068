// The plan of a module and its C: for compilation, and for reports that use the kernel names of the C.
import type { Module } from '../../../hlo/program.ts';
import { type PlannedProgram, planProgram } from '../../program/plan-program.ts';
import type { Operators } from '../target/operators.ts';
import type { Target } from '../target/target.ts';
import { type PrintedProgram, printProgram } from './program-printer.ts';

export interface PrintedModule extends PlannedProgram {
  readonly printed: PrintedProgram;
}

/** For modules of known sizes. @throws {UNSUPPORTED} for ops that only the interpreter supports */
export function printModule(module: Module, target: Target, operators: Operators): PrintedModule {
  const plan = planProgram(module, target, operators);
  return { ...plan, printed: printProgram(plan, target) };
}
