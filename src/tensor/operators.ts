// Custom operators as functions of tensors. Their representation in programs (a custom_call) and in the runtime (a function
// in a library) is in runtime/execution/custom-operators.ts; this file records calls and registers gradients.

import type { GradientRule } from '../autodiff/rule.ts';
import { TrenioError } from '../base/errors.ts';
import { tensorTypeOf, type Value } from '../hlo/program.ts';
import {
  formatNumbers,
  loadCustomOperator,
  type OperatorDeclaration,
  operatorOutputs,
  parseNumbers,
} from '../runtime/execution/custom-operators.ts';
import { defaultRuntime } from '../runtime/index.ts';
import type { Device } from './device.ts';
import { device as defaultDevice } from './devices.ts';
import { setOperatorRule } from './gradients/operator-gradients.ts';
import { userLocation } from './location.ts';
import type { Trace } from './step/trace.ts';
import { record, Tensor } from './tensor.ts';
import { type DType, elementTypeOf } from './types/dtype.ts';

/** Options of `loadOperator`: the signature and source of a custom operator. */
export interface OperatorOptions extends Omit<OperatorDeclaration, 'inputs' | 'outputs'> {
  /** The data types of the tensors that it takes. */
  readonly inputs: readonly DType[];
  /** The data types of its results. */
  readonly outputs: readonly DType[];
  /**
   * The cotangents of the inputs, from those of the outputs: any tensor ops, other operators included. `undefined` where
   * none flows. Without it, asking for a gradient through the operator is an error.
   */
  readonly gradient?: (call: {
    readonly inputs: readonly Tensor[];
    readonly outputs: readonly Tensor[];
    readonly cotangents: readonly Tensor[];
    readonly numbers: readonly number[];
  }) => readonly (Tensor | undefined)[];
}

/** Calls an operator: tensors, then its numbers. A single output directly, several as a list. */
export type Operator = (...args: readonly (Tensor | number)[]) => Tensor | readonly Tensor[];

/**
 * Makes an operator out of a C++ file: compiled by the system's C++ compiler, kept in the compile cache, called inside the
 * step. docs/custom-operators.md explains the C++ side.
 * @throws {OPERATOR_NOT_COMPILED}
 * @throws {OPERATOR_SIGNATURE}
 * @throws {NO_C_COMPILER}
 * @throws {UNKNOWN_DTYPE}
 * @example
 * ```ts no-run
 * // scale.cc is described in docs/custom-operators.md
 * const scale = loadOperator({
 *   name: 'scale',
 *   source: 'scale.cc',
 *   inputs: ['float32'],
 *   outputs: ['float32'],
 *   numbers: 1,
 *   shape: ([x]) => [x!],
 * });
 * const y = scale(tensor([1, 2]), 3);
 * ```
 */
export function loadOperator(options: OperatorOptions): Operator {
  const { compiler, cache } = defaultRuntime();
  const { gradient, ...given } = options;
  const declaration: OperatorDeclaration = {
    ...given,
    inputs: given.inputs.map(elementTypeOf),
    outputs: given.outputs.map(elementTypeOf),
  };
  loadCustomOperator(declaration, { compiler, cache });
  setOperatorRule(options.name, gradient && ((device, trace) => ruleOf(device, trace, options.name, gradient)));
  return (...args) => call(declaration, args);
}

function call(declaration: OperatorDeclaration, args: readonly (Tensor | number)[]): Tensor | readonly Tensor[] {
  const tensors = args.filter(arg => arg instanceof Tensor);
  const numbers = args.filter(arg => typeof arg === 'number');
  const expected = declaration.numbers ?? 0;
  if (numbers.length !== expected) {
    const reason = `it takes ${expected} numbers after its tensors, got ${numbers.length}`;
    throw new TrenioError('OPERATOR_CALL', { operator: declaration.name, reason }, { location: userLocation() });
  }
  const types = operatorOutputs(
    declaration,
    tensors.map(x => x.type),
  );
  const device = tensors[0]?.device ?? defaultDevice();
  const { name } = declaration;
  let values: readonly Value[] = [];
  // One record per result: the first one appends the call.
  const outputs = types.map((_, i) =>
    record(
      name,
      tensors,
      (b, operands) => {
        if (i === 0) {
          values = b.emit('custom_call', operands, {
            callTargetName: name,
            backendConfig: formatNumbers(numbers),
            resultTypes: types,
            hasSideEffect: false,
          });
        }
        return values[i]! as Value<(typeof types)[number]>;
      },
      { on: { device, make: init => new Tensor(init) } },
    ),
  );
  return outputs.length === 1 ? outputs[0]! : outputs;
}

function ruleOf(
  device: Device,
  trace: Trace,
  name: string,
  gradient: NonNullable<OperatorOptions['gradient']>,
): GradientRule<'custom_call'> {
  return ({ op, builder, cotangents, refuse }) => {
    if (builder !== trace.builder) refuse('the gradient of a custom operator cannot be taken inside control flow');
    const tensorOf = (value: Value): Tensor =>
      new Tensor({ device, type: tensorTypeOf(value), op: name, value, trace, location: op.location });
    const found = gradient({
      inputs: op.operands.map(tensorOf),
      outputs: op.results.map(tensorOf),
      cotangents: op.results.map((result, i) => tensorOf(cotangents[i] ?? builder.like(result, 0))),
      numbers: parseNumbers(op.attributes.backendConfig),
    });
    if (found.length !== op.operands.length) {
      const reason = `its gradient must give ${op.operands.length} tensors, got ${found.length}`;
      throw new TrenioError('OPERATOR_CALL', { operator: name, reason }, { location: op.location });
    }
    return found.map(tensor => (tensor === undefined ? undefined : device.valueOf(tensor)));
  };
}
