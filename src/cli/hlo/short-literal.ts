// A tensor as text for the terminal: nested lists, with the middle of long dims left out, as in NumPy.
//
//   f32[1000] [0, 1, 2, …, 997, 998, 999]
import { type Literal, numberAt } from '../../hlo/literal.ts';
import { formatFloat } from '../../hlo/text/print-literal.ts';
import { elementCount, formatType, isFloat } from '../../hlo/types.ts';

/** Shorter tensors are shown whole. */
const wholeElements = 100;
const edge = 3;

export function shortLiteral(value: Literal): string {
  const { shape } = value.type;
  const whole = elementCount(shape) <= wholeElements;
  const nested = (dim: number, start: number, size: number): string => {
    if (dim === shape.length) return elementText(value, start);
    const count = shape[dim]!;
    const step = count === 0 ? 0 : size / count;
    const item = (i: number): string => nested(dim + 1, start + i * step, step);
    const items =
      whole || count <= 2 * edge
        ? Array.from({ length: count }, (_, i) => item(i))
        : [...[0, 1, 2].map(item), '…', ...[count - 3, count - 2, count - 1].map(item)];
    return `[${items.join(dim === shape.length - 1 ? ', ' : `,\n${' '.repeat(dim + 1)}`)}]`;
  };
  const text = nested(0, 0, elementCount(shape));
  return `${formatType(value.type)}${text.includes('\n') ? '\n' : ' '}${text}`;
}

function elementText(value: Literal, i: number): string {
  const { elementType } = value.type;
  if (elementType.startsWith('complex')) return `(${number(value, 2 * i)}, ${number(value, 2 * i + 1)})`;
  return elementType === 'i1' ? String(value.data[i] !== 0) : number(value, i);
}
function number(value: Literal, i: number): string {
  const { elementType } = value.type;
  const complex = elementType.startsWith('complex');
  if (!complex && !isFloat(elementType)) return String(value.data[i]);
  const real = numberAt(value, i);
  const type = elementType === 'complex<f32>' ? 'f32' : elementType === 'complex<f64>' ? 'f64' : elementType;
  return Number.isFinite(real) ? formatFloat(real, type).replace(/\.0$/, '') : String(real);
}
