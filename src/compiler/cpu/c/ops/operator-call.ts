// A call of a custom operator: a function in an already loaded library, called from the step function, so that its
// failure ends the step. The record it gets is `trenio_operator_call` of src/runtime/native/trenio_operator.h.
import { elementAt } from '../../../../base/element-at.ts';
import { shapeOf } from '../../../../hlo/program.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';
import { comment } from '../outside-text.ts';

/** `symbol`: of type `int (const trenio_operator_call *)`. */
export function printOperatorCall({ op, slots, symbol }: OpKernelOf<'operator'>): KernelText {
  const shapes = [...op.operands, ...op.results].map(shapeOf);
  const order = [...slots.operands, ...slots.results];
  const numbers = op.attributes.backendConfig === '' ? [] : op.attributes.backendConfig.split(' ').map(Number);
  return {
    code: '',
    inline: pointers => [
      `{ ${comment(`custom_call @${op.attributes.callTargetName}`)}`,
      `  extern int ${symbol}(const void *call);`,
      ...shapes.map((shape, i) => `  static const int64_t d${i}[] = {${[...shape, 0].join(', ')}};`),
      '  const struct { void *data; const int64_t *dims; int32_t rank; } operands[] = {',
      ...shapes.map((shape, i) => `    {${pointers[elementAt(order, i)]}, d${i}, ${shape.length}},`),
      '  };',
      `  static const double numbers[] = {${[...numbers.map(doubleText), 0].join(', ')}};`,
      '  const struct { const trenio_rt *rt; const void *operands; const double *numbers; } call = {rt, operands, numbers};',
      `  const int error = ${symbol}(&call);`,
      '  if (error) return error;',
      '}',
    ],
  };
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return '__builtin_nan("")';
  if (!Number.isFinite(value)) return `${value < 0 ? '-' : ''}__builtin_inf()`;
  // An integer that is too large for any C type is not valid.
  return Number.isSafeInteger(value) || !Number.isInteger(value) ? String(value) : value.toExponential();
}
