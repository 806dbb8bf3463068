// Plans a program of any sizes once, to run it from the data of its kernels any number of times.
import type { Literal } from '../../../hlo/literal.ts';
import type { Module } from '../../../hlo/program.ts';
import type { Operators } from '../../ir/operators.ts';
import { planProgram } from '../../program/plan-program.ts';
import { fusedCallsOf, hasUnknownSizes, prepareDynamic } from '../dynamic/index.ts';
import { cpuMachine } from '../kernels/cpu-machine.ts';
import type { CpuTarget } from '../target/target.ts';
import { interpretCalls } from './dynamic.ts';
import { interpretPlanned, type KernelOptions } from './program.ts';

export type KernelRun = (args: readonly Literal[], options: KernelOptions) => readonly Literal[];

/** @throws {UNSUPPORTED} for ops that only the reference interpreter supports */
export function prepareKernels(module: Module, target: CpuTarget, operators: Operators = new Map()): KernelRun {
  if (module.functions.some(hasUnknownSizes)) {
    const func = prepareDynamic(module);
    if (!hasUnknownSizes(func)) return prepareKernels({ ...module, functions: [func] }, target, operators);
    const calls = fusedCallsOf(module, func);
    return (args, options) => interpretCalls(calls, target, args, options);
  }
  const plan = planProgram(module, cpuMachine(target), operators);
  return (args, options) => interpretPlanned(plan, target, [args], options)[0]!;
}
