// The compiler without C: programs are planned as for the CPU, in fused kernels and planned memory, and the kernels are
// WebAssembly. The device of tests that need no C compiler, and `cpu` on a machine without one.
import { type CpuTarget, multipliesOnce, prepareKernels, targetOf } from '../../../compiler/index.ts';
import type { Module } from '../../../hlo/program.ts';
import { operatorCalls, operatorsOf } from '../../execution/custom-operators.ts';
import { InProcessBackend, type RunModule } from '../in-process-backend.ts';

/** The same on every machine with fused multiply-adds, and so are the bits of results. */
const target = (): CpuTarget => targetOf(multipliesOnce() ? 'avx2' : 'generic');

export class KernelsBackend extends InProcessBackend {
  readonly name: string;
  readonly #maxLoopSteps: number | undefined;

  /** `maxLoopSteps`: the maximum number of iterations of a loop. `name`: that of the device that it stands in for. */
  constructor(maxLoopSteps?: number, name = 'kernels') {
    super();
    this.name = name;
    this.#maxLoopSteps = maxLoopSteps;
  }

  /** @throws {UNSUPPORTED} for ops that only the interpreter supports */
  protected override prepare(module: Module): RunModule {
    const run = prepareKernels(module, target(), operatorsOf(module));
    const limit = this.#maxLoopSteps === undefined ? {} : { maxLoopSteps: this.#maxLoopSteps };
    return args => run(args, { customCalls: operatorCalls(), ...limit });
  }
}
