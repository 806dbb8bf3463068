// Packing: copies panels of an operand, each `width` elements across and `depth` along k, so that the micro-kernel reads
// one contiguous stream: target[panel][k][w]. A and B are packed alike; only the widths differ.
import { scalarType, vectorType } from './prelude.ts';
import { elementBytes, type GemmSpec } from './spec.ts';
import { emitTranspose, smallestTranspose, transposeName } from './transpose.ts';

/** What lies contiguously in the source: the elements across, those along k, or neither. */
export type PackSource = 'across' | 'along' | 'strided';

export interface PackSpec {
  readonly elementType: GemmSpec['elementType'];
  /** Elements across a panel. */
  readonly width: number;
  /** Of which the source has so many; the others become zeros. */
  readonly columns: number;
  readonly source: PackSource;
  /** Widest vector to copy with. */
  readonly lanes: number;
}

export function packName(s: PackSpec): string {
  const padding = s.columns < s.width ? `_of_${s.width}` : '';
  return `gemm_${s.elementType}_pack_${s.columns}${padding}_${s.source}`;
}

/** The way to pack with these strides. */
export function packSource(acrossStride: number, alongStride: number): PackSource {
  return acrossStride === 1 ? 'across' : alongStride === 1 ? 'along' : 'strided';
}

/** Where panels are and how many, as C expressions. */
export interface PackArguments {
  readonly source: string;
  readonly across: number;
  readonly along: number;
  readonly depth: string;
  /** Panels side by side in the source, `panelStride` elements apart in the target. */
  readonly panels: string;
  readonly panelStride: string;
  readonly target: string;
}

export function packCall(s: PackSpec, x: PackArguments): string {
  const strides = { across: [x.along], along: [x.across], strided: [x.across, x.along] }[s.source].join(', ');
  return `${packName(s)}(${x.source}, ${strides}, ${x.depth}, ${x.panels}, ${x.panelStride}, ${x.target});`;
}

/** The functions a packing function needs, itself last: name → C. */
export function emitPack(s: PackSpec): Map<string, string> {
  const helpers = new Map<string, string>();
  if (s.source === 'along') {
    for (const { size } of pieces(s.columns, s.lanes)) {
      if (size >= smallestTranspose(s.elementType)) {
        helpers.set(transposeName(s.elementType, size), emitTranspose(s.elementType, size));
      }
    }
  }
  const body = { across: emitAcross, along: emitAlong, strided: emitStrided }[s.source](s);
  helpers.set(packName(s), [head(s), ...body.map(line => `  ${line}`), '}'].join('\n'));
  return helpers;
}

function head(s: PackSpec): string {
  const T = scalarType(s.elementType);
  const strides = { across: ['along'], along: ['across'], strided: ['across', 'along'] }[s.source];
  return [
    `static __attribute__((noinline)) void ${packName(s)}(`,
    `    const ${T} *restrict source, ${strides.map(name => `int64_t ${name}, `).join('')}int64_t depth, int64_t panels, int64_t panel_stride,`,
    `    ${T} *restrict target) {`,
  ].join('\n');
}

/**
 * A row of all panels at a time: the source may have a page for each row, so a row is read as long as it is. The next
 * rows are fetched ahead, because no hardware follows a stride of pages.
 */
function emitAcross(s: PackSpec): string[] {
  const ahead = 4;
  const line = 64 / elementBytes(s.elementType);
  const lines = [
    'for (int64_t k = 0; k < depth; k++, source += along) {',
    `  ${scalarType(s.elementType)} *to = target + k * ${s.width};`,
    `  for (int64_t panel = 0; panel < panels; panel++, to += panel_stride) {`,
    `    const ${scalarType(s.elementType)} *from = source + panel * ${s.columns};`,
  ];
  for (let offset = 0; offset < s.columns; offset += line) {
    lines.push(`    __builtin_prefetch(from + ${ahead} * along${offset ? ` + ${offset}` : ''});`);
  }
  for (const { offset, size } of pieces(s.columns, s.lanes)) {
    const V = vectorType(s.elementType, size);
    if (size === 1) lines.push(`    to[${offset}] = from[${offset}];`);
    else lines.push(`    GEMM_STORE(${V}, to + ${offset}, GEMM_LOAD(${V}, from + ${offset}));`);
  }
  return [...lines, ...zeros(s, 'to').map(text => `    ${text}`), '  }', '}'];
}

/** Squares are transposed in registers; what is left over goes element by element. */
function emitAlong(s: PackSpec): string[] {
  const from = (offset: number): string => `source + ${offset} * across`;
  const lines = [
    `for (int64_t panel = 0; panel < panels; panel++, source += ${s.columns} * across, target += panel_stride) {`,
  ];
  for (const { offset, size } of pieces(s.columns, s.lanes)) {
    const squares = size >= smallestTranspose(s.elementType);
    const whole = squares ? `depth / ${size} * ${size}` : '0';
    if (squares) {
      lines.push(
        `  for (int64_t k = 0; k < ${whole}; k += ${size}) {`,
        `    ${transposeName(s.elementType, size)}(${from(offset)} + k, across, target + k * ${s.width} + ${offset}, ${s.width});`,
        '  }',
      );
    }
    lines.push(
      `  for (int64_t k = ${whole}; k < depth; k++) {`,
      `    for (int64_t w = ${offset}; w < ${offset + size}; w++) target[k * ${s.width} + w] = source[w * across + k];`,
      '  }',
    );
  }
  if (s.columns < s.width)
    lines.push(
      '  for (int64_t k = 0; k < depth; k++) {',
      ...zeros(s, `(target + k * ${s.width})`).map(text => `    ${text}`),
      '  }',
    );
  return [...lines, '}'];
}

function emitStrided(s: PackSpec): string[] {
  return [
    `for (int64_t panel = 0; panel < panels; panel++, source += ${s.columns} * across, target += panel_stride) {`,
    '  for (int64_t k = 0; k < depth; k++) {',
    `    for (int64_t w = 0; w < ${s.columns}; w++) target[k * ${s.width} + w] = source[w * across + k * along];`,
    ...zeros(s, `(target + k * ${s.width})`).map(text => `    ${text}`),
    '  }',
    '}',
  ];
}

function zeros(s: PackSpec, row: string): string[] {
  return s.columns < s.width ? [`for (int64_t w = ${s.columns}; w < ${s.width}; w++) ${row}[w] = 0;`] : [];
}

/** A width as a sum of powers of two, none above `widest`, in order. */
function pieces(width: number, widest: number): { offset: number; size: number }[] {
  const result: { offset: number; size: number }[] = [];
  for (let offset = 0, size = widest; offset < width; ) {
    if (offset + size <= width) {
      result.push({ offset, size });
      offset += size;
    } else size /= 2;
  }
  return result;
}
