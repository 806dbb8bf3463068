// A fused group as the epilogue of a multiply: what computes with the multiply's result does so while the sums of a few
// rows are still in the cache, and the result itself never goes to memory. Not the multiply (gemm/), nor which groups
// become epilogues (schedule/fusion.ts).
//
//   gemm: a strip of rows ─ sums ─▶ NAME_epilogue(rows, count, offset, next, sums, sums_next)
//                                    │  for each of the rows: element `offset + i` of the result is sums[i]
//                                    ▼
//                                    bias, GELU, dropout, residual, softmax … ─▶ memory
//
// A group without reductions takes any piece of a row; one with reductions takes whole rows, so the multiply's chunks
// must span them.
import type { Value } from '../../hlo/program.ts';
import { type ElementType, elementBytes, elementCount } from '../../hlo/types.ts';
import { registerType } from '../emit/c-types.ts';
import { canHaveEpilogue, type GemmSpec, gemmParts, planGemm } from '../gemm/index.ts';
import type { DotPlan } from '../schedule/dot.ts';
import type { EpilogueDot } from '../schedule/plan.ts';
import type { Target } from '../target.ts';
import { type FusedGroup, nestOf, type Space, type Storage } from './fused.ts';
import type { KernelCode } from './kernel.ts';
import { canonicalIndex, declareOperands, decodeLoops, type Nest, requiredNodes, sizeOf } from './nest.ts';
import type { Node } from './node.ts';
import type { KernelOperand } from './operands.ts';
import { pointerText } from './ops/dot.ts';
import { declare } from './print.ts';
import { planRow, type RowPlan } from './row-plan.ts';
import { RowPrinter } from './row-printer.ts';
import { randomBlock } from './rows-plan.ts';
import { Writer } from './writer.ts';

/** A row of scratch values lies on the stack; longer rows are left to kernels of their own. */
const longestRow = 4096;

/** True when a group over this space may be the epilogue of a multiply whose result it reads in order. */
export function fitsEpilogue(spec: GemmSpec, space: Space, target: Target): boolean {
  // the few rows of a plan of its own are not summed by tiles
  if (spec.elementType === 'f64' || planGemm(spec, target).kind !== 'tiled') return false;
  const first = space.reduced.indexOf(true);
  if (first < 0) return canHaveEpilogue(spec, target);
  const row = elementCount(space.shape.slice(first));
  const trailing = space.reduced.slice(first).every(r => r);
  return trailing && row === spec.n && row <= longestRow && canHaveEpilogue(spec, target, { wholeRows: true });
}

export function buildEpilogue(group: FusedGroup, dot: EpilogueDot, storage: Storage, target: Target): KernelCode {
  const nest = nestOf(group, storage, dot.value);
  const wholeRows = group.space.reduced.includes(true);
  const { operands, lhs, rhs } = withMultiplied(dot.plan, nest.operands);
  const entry = new Writer();
  entry.open('static void @(const trenio_rt *rt, char *const *p)');
  entry.line('t_call call = {rt, p};');
  entry.line(`@_gemm(rt, ${pointerText(dot.plan.lhs, lhs)}, ${pointerText(dot.plan.rhs, rhs)}, &call);`);
  entry.close();
  const gemm = gemmParts('@_gemm', dot.plan.spec, target, { epilogue: { name: '@_epilogue', wholeRows } });
  const gemmPlan = planGemm(dot.plan.spec, target, {}, { wholeRows });
  const ahead = gemmPlan.kind === 'tiled' ? gemmPlan.tile.rows * gemmPlan.problem.c.m : 0;
  const row = planRow(nest, requiredNodes(nest.outputs), !wholeRows);
  const code = [printSegment(row, operands, wholeRows, ahead), gemm.code, entry].join('\n');
  const [a, b] = [
    { slot: lhs, offset: dot.plan.lhs.offset },
    { slot: rhs, offset: dot.plan.rhs.offset },
  ];
  const kernel = { kind: 'epilogue', multiply: { spec: dot.plan.spec, lhs: a, rhs: b }, row } as const;
  const { helpers, scratchBytes } = gemm;
  return { code, kernel, helpers, operands, workspaceBytes: 0, scratchBytes, usesGemm: true };
}

/** The group's operands and the multiply's. What the multiply reads must not be written while it runs. */
function withMultiplied(
  plan: DotPlan,
  own: readonly KernelOperand[],
): { readonly operands: readonly KernelOperand[]; readonly lhs: number; readonly rhs: number } {
  const operands = [...own];
  const slotOf = (value: Value): number => {
    const slot = operands.findIndex(o => o.value === value);
    return slot >= 0 ? slot : operands.push({ value, access: 'read' }) - 1;
  };
  const [lhs, rhs] = [slotOf(plan.lhs.value), slotOf(plan.rhs.value)];
  const free = (o: KernelOperand): KernelOperand =>
    o.inPlaceOf === undefined ? o : { ...o, inPlaceOf: o.inPlaceOf.filter(slot => slot !== lhs && slot !== rhs) };
  return { operands: operands.map(free), lhs, rhs };
}

/** `ahead`: elements from a row to that of the next strip. */
function printSegment(row: RowPlan, operands: readonly KernelOperand[], wholeRows: boolean, ahead: number): string {
  const { nest, required } = row;
  const printer = new RowPrinter(nest, !wholeRows);
  printer.row(row);
  const width = sizeOf(nest.inner);
  const out = new Writer();
  const head = 'static void @_epilogue(void *context, int64_t rows, int64_t count';
  out.open(`${head}, int64_t offset, int64_t next, const float *restrict sums, int64_t sums_next)`);
  out.line('const t_call *const call = context;');
  out.line('char *const *const p = call->p;');
  declareOperands(out, operands);
  for (const s of printer.scratch) out.line(`_Alignas(64) ${registerType(s.type)} s${s.id}[${width}];`);
  for (const n of row.hoisted) declare(out, n, printer.overrides, printer.random);
  out.open('for (; rows > 0; rows--, offset += next, sums += sums_next)');
  printPrefetch(out, nest, required, ahead);
  if (wholeRows) {
    out.open(`for (int64_t row = offset / ${width}; row < (offset + count) / ${width}; row++)`);
  } else {
    // a piece of a row of the multiply may be several rows here, or a part of one
    out.open('for (int64_t at = offset; at < offset + count;)');
    out.line(`const int64_t row = at / ${width}, lo = at % ${width}, rest = offset + count - at;`);
    const longest = Math.min(width, randomBlock);
    out.line(`int64_t hi = rest < ${longest} ? lo + rest : lo + ${longest};`);
    out.line(`if (hi > ${width}) hi = ${width};`);
    out.line('at += hi - lo;');
  }
  if (sizeOf(nest.kept) > 1) decodeLoops(out, nest.kept, 'row');
  for (const line of printer.out.lines) out.line(line);
  out.close();
  out.close();
  out.close();
  return out.toString();
}

/**
 * What the next strip's call reads in full begins its way from memory now: it arrives while the multiply sums that strip. An
 * update of weights would wait for short pieces of several distant rows, which no hardware foresees.
 */
function printPrefetch(out: Writer, nest: Nest, required: readonly Node[], ahead: number): void {
  const { key } = canonicalIndex([...nest.kept, ...nest.inner]);
  const reads = new Map<number, ElementType>(
    required.flatMap(n => (n.kind === 'load' && n.index.key === key ? [[n.slot, n.type] as const] : [])),
  );
  if (reads.size < 2 || ahead === 0) return;
  for (const [slot, type] of reads) {
    const line = 64 / elementBytes(type);
    out.line(
      `for (int64_t i = offset + ${ahead}; i < offset + count + ${ahead}; i += ${line}) __builtin_prefetch(p${slot} + i, 0, 2);`,
    );
  }
}
