// Products of matrices whose sizes are known only at run time, as one C function for each element type. The kernels, their packed
// operands and the split into tasks are those of known sizes (c/gemm/); here are the loops around them, with sizes as variables.
//
//   a task's chunk of C
//     for each pass over k              its columns of B are packed, in panels as wide as the tile
//       for each block of rows          packed, in strips as tall as the tile
//         for each strip, for each panel: the kernel; through a buffer at the edges of C
//
// An element is the sum of its products in the order of k, in passes of one depth. Products of known sizes have the same bits
// if they take one pass, too, and have more than a few rows and columns.
import type { GemmElementType } from '../../ir/multiply.ts';
import { fewRows } from '../../ir/multiply.ts';
import { emitKernel, type KernelSpec, kernelCall } from '../c/gemm/micro-kernel.ts';
import { emitPack, packName } from '../c/gemm/pack.ts';
import type { PackSource, PackSpec } from '../c/gemm/pack-spec.ts';
import type { PreludePiece } from '../c/scalar/prelude-piece.ts';
import { chooseTile } from '../gemm/gemm-plan.ts';
import { elementBytes } from '../gemm/problem.ts';
import type { Tile } from '../ir/multiply-tiling.ts';
import type { CpuTarget } from '../target/target.ts';

type FloatType = Extract<GemmElementType, 'f32' | 'f64'>;
const scalarNames = { f32: 'float', f64: 'double' } as const;
/** A size whose edges cost nothing. */
const large = 4096;

/** The functions that multiply matrices: `t_multiply_float` and `t_multiply_double`. They need the prelude of multiplies. */
export const multiplyPieces = (target: CpuTarget): readonly PreludePiece[] =>
  (['f32', 'f64'] as const).map(type => ({
    name: `t_multiply_${scalarNames[type]}`,
    text: multiplyText(type, target),
  }));

function multiplyText(type: FloatType, target: CpuTarget): string {
  const T = scalarNames[type];
  const bytes = elementBytes(type);
  const lanes = target.vectorBytes / bytes;
  const tile = chooseTile(large, large, large, lanes, target.registers);
  const few = { rows: fewRows, vectors: target.registers >= 32 ? 4 : 2 };
  const depth = Math.max(64, Math.floor(target.l1Bytes / (tile.rows * bytes)));
  const shared = new Map<string, string>();
  const bodies = [tile, few].map(t => loops(type, t, lanes, target, shared));
  return `typedef struct {
  gemm_call call;
  int64_t batches, m, n, k, a_batch, a_row, a_term, b_batch, b_term, b_column, depth;
} t_multiply_${T}_args;
${[...shared.values()].join('\n')}
${bodies.join('\n')}
static void t_multiply_${T}(const trenio_rt *rt, t_multiply_${T}_args s) {
  // passes of about the same depth, a multiple of 16
  const int64_t passes = (s.k - 1) / ${depth} + 1;
  s.depth = passes == 1 ? s.k : ((s.k + passes - 1) / passes + 15) / 16 * 16;
  s.call.rt = rt;
  if (s.m <= ${few.rows}) ${callOf(T, few)}
  else ${callOf(T, tile)}
}`;
}
const nameOf = (T: string, { rows }: Tile): string => `t_multiply_${T}_${rows}`;
const callOf = (T: string, tile: Tile): string => `${nameOf(T, tile)}(rt, &s);`;

/** The function for one tile. `shared`: the functions that it calls, by name. */
function loops(type: FloatType, tile: Tile, lanes: number, target: CpuTarget, shared: Map<string, string>): string {
  const T = scalarNames[type];
  const bytes = elementBytes(type);
  const { rows, vectors } = tile;
  const width = vectors * lanes;
  const kernel: KernelSpec = { elementType: type, lanes, tile, a: 'packed', b: 'packed', store: 'vectors' };
  shared.set(`kernel ${rows}`, emitKernel(kernel));
  const run = (c: string, cRow: string, add: string): string =>
    kernelCall(kernel, {
      depth: 'depth',
      a: 'strip',
      aStride: '',
      b: 'panel',
      bStride: '',
      c,
      cRow,
      cColumn: '',
      columns: '',
      add,
    });
  const pack = (columns: number, count: string, what: Packed): string =>
    packing(type, columns, lanes, count, what, shared);
  const a = pack(rows, 'strips', {
    from: 'a + block * s->a_row + k0 * s->a_term',
    across: 's->a_row',
    along: 's->a_term',
    stride: 'strip_stride',
    to: 'packed_a',
    rest: 'block_end - block',
  });
  const b = pack(width, 'panels', {
    from: 'b + column0 * s->b_column + k0 * s->b_term',
    across: 's->b_column',
    along: 's->b_term',
    stride: `${width} * depth`,
    to: 'packed_b',
    rest: 'column1 - column0',
  });
  const packedRows = Math.max(1, Math.floor(64 / rows)) * rows;
  const near = type === 'f64' ? 8 : 16;
  return `static void ${nameOf(T, tile)}_task(void *argument, int64_t task, int worker) {
  const t_multiply_${T}_args *const s = argument;
  const gemm_call *const call = &s->call;
  const int64_t row0 = task % call->row_chunks * call->rows, row1 = s->m - row0 < call->rows ? s->m : row0 + call->rows;
  const int64_t column0 = task / call->row_chunks % call->column_chunks * call->columns;
  const int64_t column1 = s->n - column0 < call->columns ? s->n : column0 + call->columns;
  const int64_t first = task / (call->row_chunks * call->column_chunks) * call->batches;
  const int64_t last = s->batches - first < call->batches ? s->batches : first + call->batches;
  const int64_t panels_up = (column1 - column0 - 1) / ${width} + 1, most = s->depth + ${64 / bytes};
  char *const scratch = call->rt->scratch(call->rt, worker, (panels_up * ${width} + ${packedRows} + ${rows}) * most * ${bytes});
  ${T} *const packed_a = (${T} *)scratch, *const edge = packed_a + ${packedRows} * most, *const packed_b = edge + ${rows * width};
  for (int64_t product = first; product < last; product++) {
    const ${T} *const a = (const ${T} *)call->a + product * s->a_batch, *const b = (const ${T} *)call->b + product * s->b_batch;
    ${T} *const c = (${T} *)call->c + product * s->m * s->n;
    for (int64_t k0 = 0; k0 < s->k; k0 += s->depth) {
      const int64_t depth = s->k - k0 < s->depth ? s->k - k0 : s->depth;
      ${b}
      for (int64_t block = row0; block < row1; block += ${packedRows}) {
        const int64_t block_end = row1 - block < ${packedRows} ? row1 : block + ${packedRows}, strip_stride = ${rows} * depth + ${64 / bytes};
        ${a}
        for (int64_t i = block; i < block_end; i += ${rows}) {
          const ${T} *const strip = packed_a + (i - block) / ${rows} * strip_stride, *panel = packed_b;
          const int64_t tall = block_end - i;
          for (int64_t j = column0; j < column1; j += ${width}, panel += ${width} * depth) {
            const int64_t wide = column1 - j;
            if (tall >= ${rows} && wide >= ${width}) ${run('c + i * s->n + j', 's->n', 'k0 > 0')}
            else {
              ${run('edge', String(width), '0')}
              for (int64_t r = 0; r < tall && r < ${rows}; r++)
                for (int64_t w = 0; w < wide && w < ${width}; w++) {
                  ${T} *const at = c + (i + r) * s->n + j + w;
                  *at = k0 > 0 ? *at + edge[r * ${width} + w] : edge[r * ${width} + w];
                }
            }
          }
        }
      }
    }
  }
}
static __attribute__((noinline)) void ${nameOf(T, tile)}(const trenio_rt *rt, t_multiply_${T}_args *s) {
  int64_t columns = ${Math.floor(target.l2Bytes / 2)} / (s->depth * ${width * bytes}) * ${width};
  columns = columns < ${width} ? ${width} : columns;
  gemm_split(&s->call, s->batches, s->m, s->n, s->k, ${rows}, ${width}, s->m, columns, ${near}, ${near});
  rt->parallel(rt, ${nameOf(T, tile)}_task, s, s->call.tasks);
}`;
}

/** An operand to be packed, as C expressions. */
interface Packed {
  readonly from: string;
  readonly across: string;
  readonly along: string;
  readonly stride: string;
  readonly to: string;
  /** Rows or columns that are left. */
  readonly rest: string;
}
/** Packs whole strips or panels in the way that fits the strides, and the last one, if it is narrower, element by element. */
function packing(
  elementType: FloatType,
  width: number,
  lanes: number,
  count: string,
  x: Packed,
  shared: Map<string, string>,
): string {
  const call = (source: PackSource, ...strides: string[]): string => {
    const spec: PackSpec = { elementType, width, columns: width, source, lanes };
    for (const [name, text] of emitPack(spec)) shared.set(name, text);
    return `${packName(spec)}(from, ${strides.join(', ')}, depth, ${count}, ${x.stride}, ${x.to});`;
  };
  const T = scalarNames[elementType];
  return `{
        const ${T} *const from = ${x.from};
        const int64_t across = ${x.across}, along = ${x.along}, ${count} = (${x.rest}) / ${width}, rest = (${x.rest}) % ${width};
        if (across == 1) ${call('across', 'along')}
        else if (along == 1) ${call('along', 'across')}
        else ${call('strided', 'across', 'along')}
        if (rest > 0) {
          const ${T} *const at = from + ${count} * ${width} * across;
          ${T} *const to = ${x.to} + ${count} * (${x.stride});
          for (int64_t k = 0; k < depth; k++)
            for (int64_t w = 0; w < ${width}; w++) to[k * ${width} + w] = w < rest ? at[w * across + k * along] : 0;
        }
      }`;
}
