// Random edits of text, for tests that readers survive any input. Not part of the product.

/** A number in [0, 1), the next of a sequence. */
export type Random = () => number;

/** The sequence of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const tokenPattern = /[%@#!^]?[\w.$-]+|"[^"\n]*"|->|\S/g;
/** Characters and words that programs are made of, and a few that they are not. */
const pieces = [
  ...'()[]{}<>:,=-?*"#@%!^0189xe.\\/\n \0é',
  '->',
  '<{',
  '}>',
  '({',
  '})',
  '99999999999999999999',
  '4294967296',
  '-1',
  '0x',
  '1.0e400',
  'tensor<',
  'tensor<?xf32>',
  'tensor<4294967296x4294967296xf32>',
  'complex<f32>',
  'tuple<>',
  '!stablehlo.token',
  '!quant.uniform<i8:f32, 1.0>',
  'dense<',
  'array<i64: 1>',
  'loc(',
  'stablehlo.return',
  'stablehlo.add',
];

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}
const splice = (text: string, at: number, count: number, put: string): string =>
  text.slice(0, at) + put + text.slice(at + count);

function editLines(random: Random, text: string): string {
  const lines = text.split('\n');
  const at = Math.floor(random() * lines.length);
  const other = Math.floor(random() * lines.length);
  switch (Math.floor(random() * 3)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, lines[other]!);
      break;
    default:
      [lines[at], lines[other]] = [lines[other]!, lines[at]!];
  }
  return lines.join('\n');
}
function editTokens(random: Random, text: string): string {
  const tokens = [...text.matchAll(tokenPattern)];
  if (tokens.length < 2) return text;
  const [a, b] = [pick(random, tokens), pick(random, tokens)].sort((x, y) => x.index - y.index) as [
    RegExpExecArray,
    RegExpExecArray,
  ];
  switch (Math.floor(random() * 3)) {
    case 0:
      return splice(text, a.index, a[0].length, '');
    case 1:
      return splice(text, a.index, a[0].length, b[0]);
    default:
      return a === b ? text : splice(splice(text, b.index, b[0].length, a[0]), a.index, a[0].length, b[0]);
  }
}

/** The text with one to three edits. */
export function mutated(random: Random, text: string): string {
  let result = text;
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--) {
    const at = Math.floor(random() * result.length);
    switch (Math.floor(random() * 6)) {
      case 0:
        result = splice(result, at, 1, String.fromCharCode(32 + Math.floor(random() * 96)));
        break;
      case 1:
        result = splice(result, at, random() < 0.5 ? 0 : 1, pick(random, pieces));
        break;
      case 2:
        result = editLines(random, result);
        break;
      case 3:
      case 4:
        result = editTokens(random, result);
        break;
      default:
        result = random() < 0.2 ? result.slice(0, at) : splice(result, at, Math.floor(random() * 10), '');
    }
  }
  return result;
}
