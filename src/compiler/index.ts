// Module in, C out. See README.md for the way between.
import { type Module, mainOf, tensorTypeOf } from '../hlo/program.ts';
import { compileDynamic, hasUnknownSizes, prepareDynamic } from './dynamic/index.ts';
import { printProgram } from './emit/program.ts';
import { KernelBuilder } from './kernels/build.ts';
import type { KernelCode } from './kernels/kernel.ts';
import { planMemory } from './memory/plan.ts';
import { checkCompilable } from './passes/check.ts';
import { runPasses } from './passes/index.ts';
import type { CompiledProgram, Operators } from './program.ts';
import type { Block, Step } from './schedule/plan.ts';
import { scheduleFunction } from './schedule/schedule.ts';
import type { Target } from './target.ts';

export { type DynamicParts, failures, inputWords, reportLayout } from './dynamic/index.ts';
export { compilerFlags, linkerFlags } from './flags.ts';
export type { CompiledProgram, KernelInfo, Operators, Unit } from './program.ts';
export { hostTarget, type Target, targetOf } from './target.ts';

/**
 * Compiles a module's main function to C. Deterministic: equal modules and targets give equal texts.
 * Throws UNSUPPORTED for what only the interpreter can do. `operators`: what custom calls may name.
 */
export function compileToC(module: Module, target: Target, operators: Operators = new Map()): CompiledProgram {
  if (module.functions.some(hasUnknownSizes)) {
    const func = prepareDynamic(module);
    if (hasUnknownSizes(func)) return compileDynamic(module, func, target);
    return compileToC({ ...module, functions: [func] }, target, operators);
  }
  const main = mainOf(runPasses(module));
  checkCompilable(main, operators);
  const schedule = scheduleFunction(main);
  const codes = new Map<Step, KernelCode>();
  const builder = new KernelBuilder(schedule.stored, target, module.numPartitions, operators);
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
  const { units, kernels } = printProgram(module.name, schedule.main, codeOf, memory, target);
  const donated = main.body.results.map((_, i) => {
    const argument = main.aliases.indexOf(i);
    return argument < 0 ? undefined : argument;
  });
  return {
    units,
    entry: 'trenio_step',
    arenaBytes: memory.arenaBytes,
    scratchBytes: Math.max(0, ...[...codes.values()].map(c => c.scratchBytes ?? 0)),
    inputTypes: main.body.args.map(tensorTypeOf),
    outputTypes: main.body.results.map(tensorTypeOf),
    donated,
    kernels,
  };
}
