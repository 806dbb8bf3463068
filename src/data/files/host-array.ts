// Arrays of numbers in an item: a literal, a typed array, or a tensor whose values are read.
import type { Literal, LiteralData } from '../../hlo/literal.ts';
import type { TensorType } from '../../hlo/types.ts';
import { isLiteral, literalFrom } from '../../tensor/types/host-data.ts';

/** The tensor interface that `data` depends on. */
export interface ReadableTensor {
  /** The data type and shape. */
  readonly type: TensorType;
  /** The elements, copied to the host. */
  literal(): Literal;
}
/** Numbers in memory: literals, typed arrays and tensors. */
export type HostArray = Literal | LiteralData | Uint8ClampedArray | ReadableTensor;

/** Whether it is a tensor. */
export const isReadable = (value: object): value is ReadableTensor =>
  'literal' in value && typeof value.literal === 'function' && 'type' in value;

/** The elements of an array; undefined for anything else. */
export function literalOf(value: unknown): Literal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (ArrayBuffer.isView(value)) {
    if (value instanceof DataView) return undefined;
    // PyTorch has no clamped bytes; they are bytes.
    const bytes =
      value instanceof Uint8ClampedArray ? new Uint8Array(value.buffer, value.byteOffset, value.length) : value;
    return literalFrom(bytes as LiteralData, undefined, undefined);
  }
  // First: a tensor also has a type and data.
  if (isReadable(value)) return value.literal();
  return isLiteral(value) ? value : undefined;
}
