// The micro-kernel of processors with AMX: up to 32 × 32 sums of C in four tiles, multiplied 32 deep at a time.
//
//                tmm6   tmm7      B: 16 pairs of k, 16 columns each; packed as for vdpbf16ps
//               ┌──────┬──────┐
//    A:   tmm4  │ tmm0 │ tmm1 │   a tile is 16 rows of 64 bytes: 16 × 16 sums, or 16 × 32 bf16
//         tmm5  │ tmm2 │ tmm3 │
//               └──────┴──────┘   A: rows, each 32 of k; in place, or as packed by pack-tiles.ts
//
// One instruction, tdpbf16ps, adds 16 × 16 × 32 products: for each sum the even and the odd k separately, then both to the sum.
// It treats subnormal operands, products and sums as zero. If k is not a multiple of 32, packed operands are padded with zeros.
// The number of rows of the tiles is a configuration of the core (GEMM_TILES), so only the rows of a strip vary, and columns are
// padded. A process must ask the system for permission before it uses tiles (src/runtime/toolchain/tile-permission.ts).

import { tileDepth, tileRows } from '../../gemm/tile.ts';
import type { Tile } from '../../ir/multiply-tiling.ts';

export interface TileKernelSpec {
  /** Rows of C, at most 32; vectors of 16 columns, at most 2. */
  readonly tile: Tile;
  readonly a: 'rows' | 'packed';
  /** Stores whole vectors to rows of C, or `columns` of the tile one by one, `c_column` apart. */
  readonly store: 'vectors' | 'elements';
  /** C is bf16; for a single pass over k, 'vectors' only. */
  readonly roundC?: boolean;
}

/** Rows of packed A, padding included. */
export function packedTileRows(rows: number): number {
  return Math.ceil(rows / tileRows) * tileRows;
}

/**
 * The C that all tile kernels share. It is assembly, because the header of the intrinsics takes longer to compile than many
 * multiplies. A test compares the two, and another one defines GEMM_TILE_LOAD and the others in plain C to run without AMX.
 */
export const tilePrelude = `// Instructions on tiles (AMX): registers of 16 rows of 64 bytes. Strides between rows are in bytes.
#ifndef GEMM_TILE_LOAD
#define GEMM_TILE_CONFIGURE(p) __asm__ volatile("ldtilecfg %0" :: "m"(*(const gemm_tile_setting *)(p)))
#define GEMM_TILE_RELEASE() __asm__ volatile("tilerelease" ::)
#define GEMM_TILE_ZERO(t) __asm__ volatile("tilezero %%tmm" #t ::)
#define GEMM_TILE_LOAD(t, p, stride) \\
  __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #t :: "r"((const void *)(p)), "r"((int64_t)(stride)) : "memory")
#define GEMM_TILE_STORE(t, p, stride) \\
  __asm__ volatile("tilestored %%tmm" #t ", (%0,%1,1)" :: "r"((void *)(p)), "r"((int64_t)(stride)) : "memory")
// sum += a · b, where b has pairs of rows.
#define GEMM_TILE_DOT(sum, a, b) __asm__ volatile("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #sum ::)
#endif
// The operand of ldtilecfg: the palette, and the size of each tile.
typedef struct {
  uint8_t palette, start_row, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} gemm_tile_setting;
// Configures the tiles for strips of \`rows\` rows, at most 32: tiles 0, 1, 4 hold the first 16 rows, 2, 3, 5 the others, 6 and 7
// hold B. This takes as long as about 50 products, so tasks do it only when the number of rows changes.
static __attribute__((noinline)) void gemm_tiles_for(int rows) {
  const int upper = rows < 16 ? rows : 16, lower = rows <= 16 ? 16 : rows - 16;
  gemm_tile_setting setting = {.palette = 1};
  for (int tile = 0; tile < 8; tile++) {
    setting.row_bytes[tile] = 64;
    setting.rows[tile] = tile >= 6 ? 16 : tile < 2 || tile == 4 ? upper : lower;
  }
  GEMM_TILE_CONFIGURE(&setting);
}
#define GEMM_TILES(rows) do { if (tiles != (rows)) gemm_tiles_for(tiles = (rows)); } while (0)
`;

export function tileKernelName(s: TileKernelSpec): string {
  const store = `${s.store === 'vectors' ? '' : '_elements'}${s.roundC ? '_rounded' : ''}`;
  return `gemm_bf16_tiles_${s.tile.rows}x${s.tile.vectors * tileRows}_a_${s.a}${store}`;
}

/** The kernel's C, with the arguments of a vector kernel (kernel.ts); the depth is a multiple of 32. */
export function emitTileKernel(s: TileKernelSpec): string {
  const { rows, vectors } = s.tile;
  const lower = rows > tileRows;
  const C = s.roundC ? 'uint16_t' : 'float';
  const columns = [...Array(vectors).keys()];
  // The tiles of sums: number, row, column.
  const sums = (lower ? [0, 1] : [0]).flatMap(half =>
    columns.map(j => ({ tile: 2 * half + j, row: half * tileRows, column: j * tileRows })),
  );
  const buffered = s.store === 'elements' || s.roundC === true;
  const at = ({ row, column }: { row: number; column: number }): string =>
    `c${row === 0 ? '' : ` + ${row} * c_row`}${column === 0 ? '' : ` + ${column}`}`;
  const aLower = s.a === 'rows' ? `a + ${tileRows} * a_stride` : `a + ${tileDepth}`;
  const aBytes = s.a === 'rows' ? '2 * a_stride' : String(4 * packedTileRows(rows));
  const bBytes = 64 * vectors;
  const zero = `    ${sums.map(({ tile }) => `GEMM_TILE_ZERO(${tile});`).join(' ')}`;
  const dots = (half: number): string =>
    columns.map(j => `GEMM_TILE_DOT(${2 * half + j}, ${4 + half}, ${6 + j});`).join(' ');
  const advanceA = s.a === 'rows' ? tileDepth : tileDepth * packedTileRows(rows);
  return [
    `static __attribute__((noinline)) void ${tileKernelName(s)}(`,
    `    int64_t depth, const uint16_t *a, ${s.a === 'rows' ? 'int64_t a_stride, ' : ''}const uint16_t *b, ${C} *c, int64_t c_row, ${s.store === 'vectors' ? '' : 'int64_t c_column, int64_t columns, '}int add) {`,
    ...(buffered
      ? [zero.slice(2)]
      : [
          '  if (add) {',
          ...sums.map(sum => `    GEMM_TILE_LOAD(${sum.tile}, ${at(sum)}, 4 * c_row);`),
          '  } else {',
          zero,
          '  }',
        ]),
    `  for (int64_t k = 0; k < depth; k += ${tileDepth}) {`,
    ...columns.map(j => `    GEMM_TILE_LOAD(${6 + j}, b${j === 0 ? '' : ` + ${tileDepth * j}`}, ${bBytes});`),
    `    GEMM_TILE_LOAD(4, a, ${aBytes});`,
    `    ${dots(0)}`,
    ...(lower ? [`    GEMM_TILE_LOAD(5, ${aLower}, ${aBytes});`, `    ${dots(1)}`] : []),
    `    a += ${advanceA}; b += ${tileDepth * tileRows * vectors};`,
    '  }',
    ...(buffered
      ? [
          `  float tile[${packedTileRows(rows)}][${vectors * tileRows}] __attribute__((aligned(64)));`,
          ...sums.map(({ tile, row, column }) => `  GEMM_TILE_STORE(${tile}, &tile[${row}][${column}], ${bBytes});`),
          ...fromBuffer(s),
        ]
      : sums.map(sum => `  GEMM_TILE_STORE(${sum.tile}, ${at(sum)}, 4 * c_row);`)),
    '}',
  ].join('\n');
}

function fromBuffer(s: TileKernelSpec): string[] {
  const { rows, vectors } = s.tile;
  if (s.roundC) {
    return [
      '  (void)add;',
      `  for (int64_t i = 0; i < ${rows}; i++) {`,
      `    for (int64_t j = 0; j < ${vectors * tileRows}; j += ${tileRows}) {`,
      '      const gemm_f32x16 sum = GEMM_LOAD(gemm_f32x16, &tile[i][j]);',
      '      GEMM_STORE_BF16(c + i * c_row + j, sum);',
      '    }',
      '  }',
    ];
  }
  return [
    `  for (int64_t i = 0; i < ${rows}; i++) {`,
    '    for (int64_t j = 0; j < columns; j++) {',
    '      float *at = c + i * c_row + j * c_column;',
    '      *at = add ? *at + tile[i][j] : tile[i][j];',
    '    }',
    '  }',
  ];
}
