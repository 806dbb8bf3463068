// The plan of a module for a CPU. A program that runs from its kernels first is printed as C later, from the same plan.
import type { Module } from '../../../hlo/program.ts';
import type { Operators } from '../../ir/operators.ts';
import { planProgram } from '../../program/plan-program.ts';
import type { CpuProgram } from '../ir/kernel.ts';
import type { CpuTarget } from '../target/target.ts';
import { cpuMachine } from './cpu-machine.ts';

/** Plans that their next reader takes. */
const kept = new WeakMap<Module, { readonly plan: CpuProgram; readonly target: CpuTarget }>();

/** For modules of known sizes. @throws {UNSUPPORTED} for ops that only the interpreter supports */
export function planForCpu(module: Module, target: CpuTarget, operators: Operators): CpuProgram {
  const found = kept.get(module);
  if (found?.target !== target) return planProgram(module, cpuMachine(target), operators);
  kept.delete(module);
  return found.plan;
}
/** The same, for a module that may be printed later. */
export function keepPlanForCpu(module: Module, target: CpuTarget, operators: Operators): CpuProgram {
  const plan = planForCpu(module, target, operators);
  kept.set(module, { plan, target });
  return plan;
}
