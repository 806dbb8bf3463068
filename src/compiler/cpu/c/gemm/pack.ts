// Packing: copies panels of an operand, each `width` elements across and `depth` along k, so that the micro-kernel reads
// one contiguous stream: target[panel][k][w]. A and B are packed in the same way; only the widths differ.
//
// Elements are converted during packing: low-precision floats to f32, or f32 rounded to tf32. bf16 that is multiplied as
// bf16 is stored in pairs, target[panel][k / 2][w][2], and an odd last k is padded with a zero.

import { vectorWidths } from '../../gemm/vector-widths.ts';
import type { Load } from '../../ir/multiply-tiling.ts';
import { loadText, loadType, shareLoad } from './formats.ts';
import { scalarType, vectorType } from './gemm-types.ts';
import { pairsAcross, pairsAlong, pairsStrided } from './pack-pairs.ts';
import type { PackSource, PackSpec } from './pack-spec.ts';
import { emitTranspose, smallestTranspose, transposeName } from './transpose.ts';

export function packName(s: PackSpec): string {
  const padding = s.columns < s.width ? `_of_${s.width}` : '';
  const load = loadOf(s) === 'copy' ? '' : `_${loadOf(s)}`;
  return `gemm_${s.elementType}_pack${load}_${s.columns}${padding}_${s.source}`;
}

function loadOf(s: PackSpec): Load {
  return s.load ?? 'copy';
}

/** The type moved in registers: pairs of bf16 as f32. */
function movedType(s: PackSpec): 'f32' | 'f64' {
  return s.elementType === 'f64' ? 'f64' : 'f32';
}

function sourceType(s: PackSpec): string {
  return s.elementType === 'bf16' ? 'uint16_t' : loadType(loadOf(s), movedType(s));
}

/** The way to pack with these strides. */
export function packSource(acrossStride: number, alongStride: number): PackSource {
  return acrossStride === 1 ? 'across' : alongStride === 1 ? 'along' : 'strided';
}

/** The position and number of panels, as C expressions. */
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

/** The functions that a packing function needs, with itself last: name → C. */
export function emitPack(s: PackSpec): Map<string, string> {
  const helpers = new Map<string, string>();
  const load = loadOf(s);
  const pairs = s.elementType === 'bf16';
  if (!pairs)
    for (const size of [1, ...vectorWidths(s.columns, s.lanes).map(p => p.size)])
      shareLoad(helpers, load, size, s.f16 ?? false);
  if (s.source === 'along') {
    for (const { size } of vectorWidths(s.columns, s.lanes)) {
      if (size >= smallestTranspose(s.elementType)) {
        helpers.set(transposeName(s.elementType, load, size), emitTranspose(s.elementType, load, size));
      }
    }
  }
  const body = pairs
    ? { across: pairsAcross, along: pairsAlong, strided: pairsStrided }[s.source](s)
    : { across: emitAcross, along: emitAlong, strided: emitStrided }[s.source](s);
  helpers.set(packName(s), [head(s), ...body.map(line => `  ${line}`), '}'].join('\n'));
  return helpers;
}

function head(s: PackSpec): string {
  const strides = { across: ['along'], along: ['across'], strided: ['across', 'along'] }[s.source];
  return [
    `static __attribute__((noinline)) void ${packName(s)}(`,
    `    const ${sourceType(s)} *restrict source, ${strides.map(name => `int64_t ${name}, `).join('')}int64_t depth, int64_t panels, int64_t panel_stride,`,
    `    ${scalarType(s.elementType)} *restrict target) {`,
  ].join('\n');
}

/**
 * A row of all panels at a time: the source may have a page for each row, so a row is read as long as it is. The next
 * rows are fetched ahead, because no hardware follows a stride of pages.
 */
function emitAcross(s: PackSpec): string[] {
  const ahead = 4;
  const line = sourceType(s) === 'uint16_t' ? 32 : s.elementType === 'f64' ? 8 : 16;
  const lines = [
    'for (int64_t k = 0; k < depth; k++, source += along) {',
    `  ${scalarType(s.elementType)} *to = target + k * ${s.width};`,
    `  for (int64_t panel = 0; panel < panels; panel++, to += panel_stride) {`,
    `    const ${sourceType(s)} *from = source + panel * ${s.columns};`,
  ];
  for (let offset = 0; offset < s.columns; offset += line) {
    lines.push(`    __builtin_prefetch(from + ${ahead} * along${offset ? ` + ${offset}` : ''});`);
  }
  for (const { offset, size } of vectorWidths(s.columns, s.lanes)) {
    const value = loadText(loadOf(s), movedType(s), size, `from + ${offset}`);
    if (size === 1) lines.push(`    to[${offset}] = ${value};`);
    else lines.push(`    GEMM_STORE(${vectorType(movedType(s), size)}, to + ${offset}, ${value});`);
  }
  return [...lines, ...zeros(s, 'to').map(text => `    ${text}`), '  }', '}'];
}

/** Squares are transposed in registers; the rest is copied element by element. */
function emitAlong(s: PackSpec): string[] {
  const from = (offset: number): string => `source + ${offset} * across`;
  const lines = [
    `for (int64_t panel = 0; panel < panels; panel++, source += ${s.columns} * across, target += panel_stride) {`,
  ];
  for (const { offset, size } of vectorWidths(s.columns, s.lanes)) {
    const squares = size >= smallestTranspose(s.elementType);
    const whole = squares ? `depth / ${size} * ${size}` : '0';
    if (squares) {
      lines.push(
        `  for (int64_t k = 0; k < ${whole}; k += ${size}) {`,
        `    ${transposeName(s.elementType, loadOf(s), size)}(${from(offset)} + k, across, target + k * ${s.width} + ${offset}, ${s.width});`,
        '  }',
      );
    }
    const value = loadText(loadOf(s), movedType(s), 1, 'source + w * across + k');
    lines.push(
      `  for (int64_t k = ${whole}; k < depth; k++) {`,
      `    for (int64_t w = ${offset}; w < ${offset + size}; w++) target[k * ${s.width} + w] = ${value};`,
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
  const value = loadText(loadOf(s), movedType(s), 1, 'source + w * across + k * along');
  return [
    `for (int64_t panel = 0; panel < panels; panel++, source += ${s.columns} * across, target += panel_stride) {`,
    '  for (int64_t k = 0; k < depth; k++) {',
    `    for (int64_t w = 0; w < ${s.columns}; w++) target[k * ${s.width} + w] = ${value};`,
    ...zeros(s, `(target + k * ${s.width})`).map(text => `    ${text}`),
    '  }',
    '}',
  ];
}

function zeros(s: PackSpec, row: string): string[] {
  return s.columns < s.width ? [`for (int64_t w = ${s.columns}; w < ${s.width}; w++) ${row}[w] = 0;`] : [];
}
