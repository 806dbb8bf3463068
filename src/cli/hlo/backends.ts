// Runs a program on a backend, with literals as inputs and outputs.

import { whileBlocked } from '../../base/blocked-progress.ts';
import type { Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { interpret } from '../../hlo/interpreter.ts';
import type { Literal } from '../../hlo/literal.ts';
import type { Module, Op } from '../../hlo/program.ts';
import { isLiteral } from '../../hlo/steps.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { backendNames, type Runtime, runModule } from '../../runtime/index.ts';
import { shortLiteral } from './short-literal.ts';

export interface Execution {
  readonly backend: string;
  /** The runtime for compiled programs; started on first use. */
  readonly runtime: Runtime;
  readonly stderr: OutputStream;
  readonly maxLoopSteps?: number | undefined;
  readonly onProbe?: ((id: string, iteration: number, value: Literal) => void) | undefined;
}

/** @throws {BAD_ARGUMENT} */
export function backendNamed(command: string, name: string): string {
  if (backendNames().includes(name)) return name;
  const expected = backendNames().join(' or ');
  throw new TrenioError('BAD_ARGUMENT', { command, argument: '--backend', got: `'${name}'`, expected });
}

/** The environment with the loop limit of the option, so that it applies to compiled programs too. */
export function withLoopLimit(environment: Variables, steps: number | undefined): Variables {
  return steps === undefined ? environment : { ...environment, TRENIO_MAX_LOOP_STEPS: String(steps) };
}

export function execute(module: Module, inputs: readonly Literal[], execution: Execution): readonly Literal[] {
  const { backend, stderr, runtime, maxLoopSteps, onProbe } = execution;
  if (backend === 'interpreter') {
    const options = {
      ...(maxLoopSteps === undefined ? {} : { maxLoopSteps }),
      ...(onProbe === undefined ? {} : { onProbe }),
      onPrint: (value: Literal, { operands: [v] }: Op) => {
        stderr.write(`%${v!.id} = ${shortLiteral(value)}\n`);
      },
    };
    // Tokens have no value to write.
    return whileBlocked(`interpreting ${countOps(module)} ops`, { stream: stderr }, () =>
      interpret(module, inputs, options).filter(isLiteral),
    );
  }
  return whileBlocked(
    `compiling ${countOps(module)} ops for the ${backend}, and running them`,
    { stream: stderr },
    () => runModule(module, inputs, runtime.backend(backend)),
  );
}

function countOps(module: Module): number {
  let count = 0;
  for (const func of module.functions) forEachOp(func.body, () => count++);
  return count;
}
