// Compiles a module to C. README.md describes the stages.
import { type Module, tensorTypeOf } from '../hlo/program.ts';
import type { CompiledProgram } from './cpu/c/compiled-program.ts';
import { printModule } from './cpu/c/print-module.ts';
import { compileDynamic, hasUnknownSizes, prepareDynamic } from './cpu/dynamic/index.ts';
import type { CpuTarget } from './cpu/target/target.ts';
import type { Operators } from './ir/operators.ts';

export type { CompiledProgram } from './cpu/c/compiled-program.ts';
export { compilerFlags, linkerFlags } from './cpu/c/compiler-flags.ts';
export { lineDirective } from './cpu/c/outside-text.ts';
export type { FunctionUnit, ProgramText, Unit } from './cpu/c/units.ts';
export type { KernelInfo } from './cpu/counting/kernel-info.ts';
export { programOps } from './cpu/counting/program-ops.ts';
export { type DynamicParts, failures, inputWords, reportLayout } from './cpu/dynamic/index.ts';
export { explainProgram } from './cpu/explain/explain.ts';
export type {
  ComputedAgain,
  ExplainedKernel,
  ExplainedOp,
  ExplainedValue,
  Explanation,
} from './cpu/explain/explanation.ts';
export { prepareKernels } from './cpu/in-process/prepare.ts';
export {
  dataTypeOf,
  dataTypes,
  launchLayout,
  launchStates,
  operandLayout,
  operatorCallLayout,
  reductions,
  sampleKinds,
  samplesLayout,
  stepErrors,
} from './cpu/target/runtime-abi.ts';
export { type CpuTarget, hostTarget, targetOf } from './cpu/target/target.ts';
export { multipliesOnce, runsKernelsFor } from './cpu/wasm/support.ts';
export type { Reduction } from './ir/collective.ts';
export type { Operators } from './ir/operators.ts';
export { hasSameBits } from './same-bits.ts';

/**
 * Compiles a module's main function to C. Deterministic: equal modules and targets give equal C. `operators`: what
 * custom calls may refer to.
 * @throws {UNSUPPORTED} for ops that only the interpreter supports
 */
export function compileToC(module: Module, target: CpuTarget, operators: Operators = new Map()): CompiledProgram {
  if (module.functions.some(hasUnknownSizes)) {
    const func = prepareDynamic(module);
    if (hasUnknownSizes(func)) return compileDynamic(module, func, target);
    return compileToC({ ...module, functions: [func] }, target, operators);
  }
  const { main, memory, printed, scratchBytes } = printModule(module, target, operators);
  const donated = main.body.results.map((_, i) => {
    const argument = main.aliases.indexOf(i);
    return argument < 0 ? undefined : argument;
  });
  return {
    get units() {
      return printed.text.units();
    },
    text: printed.text,
    entry: 'trenio_step',
    arenaBytes: memory.arenaBytes,
    scratchBytes,
    inputTypes: main.body.args.map(tensorTypeOf),
    outputTypes: main.body.results.map(tensorTypeOf),
    donated,
    kernels: printed.kernels,
    calls: printed.calls,
  };
}
