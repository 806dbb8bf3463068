// The text of tensors in `console.log(x)`, `${x}` and `JSON.stringify(x)`: PyTorch's text, including `True` and
// `requires_grad=True`, with Trenio's names of data types and devices. It also has the size of summarized tensors, and the
// reason why elements are not available.
//
//   tensor([[0.5000, 1.0000],
//           [2.0000, 3.0000]], dtype=bfloat16, grad_fn=<AddBackward>)
//
// Reading for display does not change the trace: `peek.ts`.
import { literalOfBytes, numberAt } from '../../hlo/literal.ts';
import { byteSize, elementCount } from '../../hlo/types.ts';
import { isDefaultDevice } from '../default-device.ts';
import type { Device } from '../device.ts';
import type { TensorImpl } from '../tensor-impl.ts';
import { dtypeName } from '../types/dtype.ts';
import { type NestedNumbers, nestedNumbers } from '../types/host-data.ts';
import { formatElements, shownElements } from './format-elements.ts';
import { peek } from './peek.ts';
import { printOptions } from './print-options.ts';

const prefix = 'tensor(';
const impliedTypes: ReadonlySet<string> = new Set(['f32', 'complex<f32>', 'i64', 'i1']);

/** A tensor as printed on the console. */
export function inspectTensor(device: Device, impl: TensorImpl): string {
  const options = printOptions();
  const { elementType, shape } = impl.type;
  const count = elementCount(shape);
  const isEmpty = count === 0;
  const buffer = isEmpty ? undefined : peek(device, impl);
  const facts: string[] = [];
  if (!isDefaultDevice(device)) facts.push(`device='${device}'`);
  const isMissing = typeof buffer === 'string';
  const isSummary = count > options.threshold || options.edgeitems === 0;
  if (isMissing || (isEmpty ? shape.length !== 1 : isSummary)) facts.push(`size=${tuple(shape)}`);
  if (isEmpty || isMissing ? elementType !== 'f32' : !impliedTypes.has(elementType))
    facts.push(`dtype=${dtypeName(elementType)}`);
  if (isMissing) facts.push(buffer);
  if (impl.requiresGrad) facts.push(impl.leaf ? 'requires_grad=True' : `grad_fn=<${backwardName(impl.op)}>`);
  const elements =
    buffer === undefined
      ? '[]'
      : isMissing
        ? '...'
        : formatElements(
            shownElements(impl.type, (into, from) => void buffer.copyToHost(into, from), options),
            prefix.length,
            options,
          );
  return withFacts(prefix + elements, facts, options.linewidth);
}

/** A tensor as text: the number of a scalar, as in Python's f-strings; for other tensors the same as on the console. */
export function tensorText(device: Device, impl: TensorImpl): string {
  const buffer = impl.type.shape.length === 0 ? peek(device, impl) : undefined;
  if (buffer === undefined || typeof buffer === 'string') return inspectTensor(device, impl);
  const value = literalOfBytes(impl.type, buffer.copyToHost());
  const [element] = value.data;
  if (impl.type.elementType === 'i1') return String(element !== 0);
  if (value.data.length > 1) return inspectTensor(device, impl);
  return String(typeof element === 'bigint' ? element : numberAt(value, 0));
}

/** The elements of a tensor for `JSON.stringify`, as nested arrays. @throws {TENSOR_RELEASED} @throws {READ_WHILE_COMPILING} */
export function tensorJson(device: Device, impl: TensorImpl): NestedNumbers {
  if (elementCount(impl.type.shape) === 0)
    return nestedNumbers(literalOfBytes(impl.type, new Uint8Array(byteSize(impl.type))));
  const found = peek(device, impl);
  // Tensors without available elements are read, which may throw.
  const buffer = typeof found === 'string' ? device.read(impl) : found;
  return nestedNumbers(literalOfBytes(impl.type, buffer.copyToHost()));
}

/**
 * Writes values to the console, like Python's `print`: the same as `console.log`.
 *
 * ```ts
 * print(tensor([1, 2])); // tensor([1., 2.])
 * ```
 * @example
 * // prints tensor([1.0000, 2.5000])
 * print(tensor([1, 2.5]))
 */
export function print(...values: readonly unknown[]): void {
  console.log(...values);
}

/** `(2, 3)`, `(2,)`, `()`, as in Python. */
const tuple = (shape: readonly number[]): string => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
/** `AddBackward`, of the op `add`. */
const backwardName = (op: string): string => `${op[0]?.toUpperCase() ?? ''}${op.slice(1).replace(/_$/, '')}Backward`;

/** Properties follow the elements, on new lines if the line would get too long. */
function withFacts(text: string, facts: readonly string[], linewidth: number): string {
  // PyTorch counts two characters too many in the first line.
  let used = text.length - text.lastIndexOf('\n') + 1;
  let out = text;
  for (const fact of facts) {
    const fits = used + fact.length + 2 <= linewidth;
    out += fits ? `, ${fact}` : `,\n${' '.repeat(prefix.length)}${fact}`;
    used = fits ? used + fact.length + 2 : prefix.length + fact.length;
  }
  return `${out})`;
}
