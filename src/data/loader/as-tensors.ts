// Batches are made of host data, also by workers, which have no device. A loop gets tensors.
import type { Literal } from '../../hlo/literal.ts';
import { isPlainObject, Tensor, tensor } from '../../tensor/index.ts';
import { isLiteral } from '../../tensor/types/host-data.ts';

/** A batch whose host data, literals, are tensors. Typed arrays, texts and other values of a `collateFn` stay as they are. */
export type AsTensors<B> = B extends Tensor | Literal
  ? Tensor
  : B extends ArrayBufferView | ((...args: never[]) => unknown)
    ? B
    : B extends object
      ? { -readonly [K in keyof B]: AsTensors<B[K]> }
      : B;

export function asTensors<B>(batch: B): AsTensors<B> {
  return converted(batch) as AsTensors<B>;
}
function converted(value: unknown): unknown {
  if (value instanceof Tensor || typeof value !== 'object' || value === null) return value;
  if (isLiteral(value)) return tensor(value);
  if (Array.isArray(value)) return value.every(entry => typeof entry !== 'object') ? value : value.map(converted);
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, converted(entry)]));
  return value;
}
