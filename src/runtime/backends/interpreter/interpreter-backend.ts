// The reference interpreter as a backend: the oracle, and eager debugging.
import { interpret } from '../../../hlo/interpreter.ts';
import type { Module } from '../../../hlo/program.ts';
import { operatorCalls, operatorsOf } from '../../execution/custom-operators.ts';
import { InProcessBackend, type RunModule } from '../in-process-backend.ts';

export class InterpreterBackend extends InProcessBackend {
  readonly name = 'interpreter';
  readonly #maxLoopSteps: number | undefined;

  /** `maxLoopSteps`: the maximum number of iterations of a loop. */
  constructor(maxLoopSteps?: number) {
    super();
    this.#maxLoopSteps = maxLoopSteps;
  }

  protected override prepare(module: Module): RunModule {
    operatorsOf(module);
    const limit = this.#maxLoopSteps === undefined ? {} : { maxLoopSteps: this.#maxLoopSteps };
    return args => interpret(module, args, { customCalls: operatorCalls(), ...limit });
  }
}
