// Padding of [N, C, …]: with a value, or with elements of the input itself.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { elementIn } from '../../tensor/element-in.ts';
import { lower, record, type Tensor } from '../../tensor/index.ts';
import { checkWord, type Settings, settle, wrongText } from '../../tensor/settings.ts';

const padModes = ['constant', 'reflect', 'replicate', 'circular'] as const;
/** The mode of padding. */
export type PadMode = (typeof padModes)[number];
/** Options of `pad`. */
export interface PadSettings {
  /** Whether padding is a value or elements of the tensor. Default: `constant`. */
  readonly mode?: PadMode;
  /** The value for the mode `constant`; 0 by default. */
  readonly value?: number;
}

const part = (b: Builder, x: Value, dim: number, start: number, end: number): Value =>
  lower.slice(b, x, dim, start, end, 1);
const reversed = (b: Builder, x: Value, dim: number): Value => b.emit1('reverse', [x], { dimensions: [dim] });

/** The padding before (or after) a dim; undefined for none. */
function edge(b: Builder, mode: PadMode, x: Value, dim: number, count: number, before: boolean): Value | undefined {
  if (count <= 0) return undefined;
  const size = shapeOf(x)[dim]!;
  switch (mode) {
    case 'reflect':
      return reversed(b, before ? part(b, x, dim, 1, count + 1) : part(b, x, dim, size - count - 1, size - 1), dim);
    case 'circular':
      return before ? part(b, x, dim, size - count, size) : part(b, x, dim, 0, count);
    default: {
      const one = before ? part(b, x, dim, 0, 1) : part(b, x, dim, size - 1, size);
      return lower.broadcastTo(
        b,
        one,
        shapeOf(x).map((d, i) => (i === dim ? count : d)),
      );
    }
  }
}

/**
 * x with padding around it: `padding` is [left, right, top, bottom, …], the last dim first; negative numbers remove elements.
 * 'constant' pads with `value`; 'reflect' mirrors at the edge element, 'replicate' repeats it, 'circular' wraps around.
 *
 *     pad(images, [1, 1, 2, 2], 'reflect')
 *
 * @throws {WRONG_ARGUMENT} for a padding that does not match the dims, or exceeds what can be mirrored
 * @example
 * nn.functional.pad(tensor([[1, 2]]), [1, 0]) // [[0, 1, 2]]
 * nn.functional.pad(tensor([[1, 2]]), [0, 2], 'replicate') // [[1, 2, 2, 2]]
 */
export function pad(x: Tensor, padding: readonly number[], ...rest: Settings<PadSettings, ['mode', 'value']>): Tensor {
  const call = 'pad';
  const { mode = 'constant', value = 0 } = settle<PadSettings>(call, ['mode', 'value'], rest);
  checkWord(call, 'mode', mode, padModes);
  const dims = padding.length / 2;
  if (!Array.isArray(padding) || !Number.isInteger(dims) || dims > x.ndim || padding.some(p => !Number.isInteger(p)))
    throw wrongText(
      { call, argument: 'the padding' },
      `[${padding}]`,
      `two integers for each of at most ${x.ndim} dims`,
    );
  return record(call, [x], (b, [v]) => {
    const low = x.shape.map(() => 0);
    const high = x.shape.map(() => 0);
    for (let i = 0; i < dims; i++) [low[x.ndim - 1 - i], high[x.ndim - 1 - i]] = [padding[2 * i]!, padding[2 * i + 1]!];
    if (mode === 'constant')
      return lower.pad(b, v!, low, high, Number(elementIn('pad', 'value', x.type.elementType, value)));
    return x.shape.reduce((y: Value, size, dim) => {
      const [before, after] = [low[dim]!, high[dim]!];
      const most = mode === 'reflect' ? size - 1 : mode === 'circular' ? size : Number.POSITIVE_INFINITY;
      if (Math.max(before, after) > most)
        throw lower.mismatch(
          b,
          call,
          x.shape,
          padding,
          `dim ${dim} of size ${size} can be padded by ${most} at most ('${mode}')`,
        );
      const inner = part(b, y, dim, Math.max(0, -before), size - Math.max(0, -after));
      const pieces = [edge(b, mode, y, dim, before, true), inner, edge(b, mode, y, dim, after, false)];
      return lower.cat(
        b,
        pieces.filter(piece => piece !== undefined),
        dim,
      );
    }, v!);
  });
}
