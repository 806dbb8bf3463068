// The compiler without C: programs are planned as for the CPU, in fused kernels and planned memory, and the kernels are
// WebAssembly. The device of tests that need no C compiler, and `cpu` on a machine without one.
import { type CpuTarget, multipliesOnce, prepareKernels, targetOf } from '../../../compiler/index.ts';
import { type Module, mainOf } from '../../../hlo/program.ts';
import { operatorCalls, operatorsOf } from '../../execution/custom-operators.ts';
import { observedProgram } from '../../execution/observed-program.ts';
import type { ProgramRecord } from '../../profiling/program-record.ts';
import { InProcessBackend, type RunModule } from '../in-process-backend.ts';

/** The same on every machine with fused multiply-adds, and so are the bits of results. */
const target = (): CpuTarget => targetOf(multipliesOnce() ? 'avx2' : 'generic');

export interface KernelsOptions {
  /** The maximum number of iterations of a loop. */
  readonly maxLoopSteps?: number | undefined;
  /** The name of the device that it stands in for. */
  readonly name?: string;
  /** Set when programs are recorded for predictions. */
  readonly programRecord?: ProgramRecord | undefined;
}

export class KernelsBackend extends InProcessBackend {
  readonly name: string;
  readonly #options: KernelsOptions;

  constructor(options: KernelsOptions = {}) {
    super();
    this.name = options.name ?? 'kernels';
    this.#options = options;
  }

  /** @throws {UNSUPPORTED} for ops that only the interpreter supports */
  protected override prepare(module: Module): RunModule {
    const run = prepareKernels(module, target(), operatorsOf(module));
    const { maxLoopSteps, programRecord } = this.#options;
    const limit = maxLoopSteps === undefined ? {} : { maxLoopSteps };
    programRecord?.add(module);
    const onRun = observedProgram(module.name, mainOf(module).aliases.filter(alias => alias !== undefined).length);
    return args => {
      const start = process.hrtime.bigint();
      const results = run(args, { customCalls: operatorCalls(), ...limit });
      onRun?.(process.hrtime.bigint() - start);
      return results;
    };
  }
}
