// Plans a program of any sizes once, to run it in this process any number of times, without C. Programs with kernels that have no
// function are evaluated by the reference interpreter.
import { invariant } from '../../../base/errors.ts';
import { interpret } from '../../../hlo/interpreter.ts';
import type { Literal } from '../../../hlo/literal.ts';
import type { Module } from '../../../hlo/program.ts';
import type { Operators } from '../../ir/operators.ts';
import type { Block } from '../../ir/schedule.ts';
import { fusedCallsOf, hasUnknownSizes, prepareDynamic } from '../dynamic/index.ts';
import type { CpuProgram, Kernel } from '../ir/kernel.ts';
import { keepPlanForCpu, planForCpu } from '../kernels/plan-for-cpu.ts';
import type { CpuTarget } from '../target/target.ts';
import { type KernelFunction, KernelModule } from '../wasm/kernels.ts';
import { runsKernelsFor } from '../wasm/support.ts';
import { interpretCalls } from './dynamic.ts';
import { type KernelOptions, runProgram } from './program.ts';

export type KernelRun = (args: readonly Literal[], options: KernelOptions) => readonly Literal[];

/** @throws {UNSUPPORTED} for ops that only the reference interpreter supports */
export function prepareKernels(module: Module, target: CpuTarget, operators: Operators = new Map()): KernelRun {
  if (module.functions.some(hasUnknownSizes)) {
    const func = prepareDynamic(module);
    if (!hasUnknownSizes(func)) return prepareKernels({ ...module, functions: [func] }, target, operators);
    const calls = fusedCallsOf(module, func);
    return (args, options) => interpretCalls(calls, target, args, options);
  }
  const plan = keepPlanForCpu(module, target, operators);
  const functions = runsKernelsFor(target) ? kernelFunctions(plan, target) : undefined;
  if (functions === undefined) return (args, options) => interpret(module, args, options);
  const program = { plan, functions };
  return (args, options) => runProgram(program, [args], options)[0]!;
}

/** The module's results for these arguments, which are not changed. */
export function interpretKernels(
  module: Module,
  target: CpuTarget,
  args: readonly Literal[],
  options: KernelOptions = {},
): readonly Literal[] {
  return prepareKernels(module, target)(args, options);
}
/** The same for every process of a module: one list of arguments and of results each. */
export function interpretProcesses(
  module: Module,
  target: CpuTarget,
  args: readonly (readonly Literal[])[],
  options: KernelOptions = {},
): Literal[][] {
  const plan = planForCpu(module, target, new Map());
  const functions = kernelFunctions(plan, target);
  invariant(functions !== undefined, 'a program of several processes has kernels without functions');
  return runProgram({ plan, functions }, args, options);
}

/** Undefined if one cannot be printed. */
function kernelFunctions(plan: CpuProgram, target: CpuTarget): ReadonlyMap<Kernel, KernelFunction> | undefined {
  const printer = new KernelModule(target);
  const names = new Map<Kernel, string>();
  const print = (block: Block): boolean =>
    block.steps.every(step => {
      if (step.kind === 'control') return step.blocks.every(print);
      const planned = plan.kernelOf(step);
      if (planned === undefined || planned.kernel.kind === 'op') return true;
      const name = printer.print(planned.kernel, planned.operands);
      if (name !== undefined) names.set(planned.kernel, name);
      return name !== undefined;
    });
  if (!print(plan.schedule.main)) return undefined;
  const compiled = printer.load();
  return new Map([...names].map(([kernel, name]) => [kernel, compiled.get(name)!]));
}
