// custom_call @shape_assertion(ok, values…), which JAX emits for programs with dynamic shapes. It stops the
// program with a message if the sizes do not satisfy a constraint of the export.
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../literal.ts';
import type { OpOf } from '../program.ts';

/** The message, with {0}, {1} … for the values; undefined for another custom_call. */
export function assertionMessage(op: OpOf<'custom_call'>): string | undefined {
  if (op.attributes.callTargetName !== 'shape_assertion') return undefined;
  const text = op.attributes.more?.error_message;
  return text === undefined ? 'a size does not satisfy an assertion of the program' : text.replace(/^"|"$/g, '');
}

export function assertionError(
  program: string,
  message: string,
  values: ArrayLike<number | bigint>,
  location: OpOf<'custom_call'>['location'],
): TrenioError {
  const filled = message.replaceAll(/\{(\d+)\}/g, (hole, i: string) => String(values[Number(i)] ?? hole));
  return new TrenioError('SHAPE_ASSERTION', { program, message: filled }, { location });
}

/** No results if the assertion holds; undefined for another custom_call. @throws {SHAPE_ASSERTION} */
export function evaluateAssertion(op: OpOf<'custom_call'>, operands: readonly Literal[]): readonly [] | undefined {
  const message = assertionMessage(op);
  if (message === undefined) return undefined;
  const [ok, ...values] = operands;
  if (ok?.data[0]) return [];
  throw assertionError(
    'the program',
    message,
    values.map(v => v.data[0]!),
    op.location,
  );
}
