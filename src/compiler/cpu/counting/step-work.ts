// The work of one call of a compiled kernel. A multiply that shares its kernel with other ops counts as two pieces of work:
// the multiply, and a sweep over its result, which is not stored between them.

import { opTable } from '../../../hlo/op-table.ts';
import { bytesOfType, countOf } from '../../../hlo/ops/costs.ts';
import type { Op } from '../../../hlo/program.ts';
import { type DotPlan, operandsOfDot } from '../../ir/multiply.ts';
import type { KernelStep } from '../../ir/schedule.ts';
import { isCollective } from '../../lowering/lowering-kinds.ts';
import { batchCount, simplify } from '../gemm/problem.ts';
import type { KernelInfo } from './kernel-info.ts';
import {
  countedType,
  type KernelMultiply,
  type KernelRowMove,
  type KernelSweep,
  type KernelWork,
  type SweepPattern,
} from './kernel-work.ts';
import {
  addOperations,
  isMultiply,
  isRowMove,
  multipliesOf,
  noOperations,
  operationsOf,
  perElement,
  rowMoveOf,
} from './op-work.ts';
import { dotOf, opsOf } from './step-description.ts';

/** The work of a kernel call, with `multiply` separate from the rest, as they may belong to different phases. */
export interface StepWork {
  readonly multiplies: readonly KernelMultiply[];
  readonly others: readonly KernelWork[];
}

/** `lanes`: f32 elements per vector of the target machine. */
export function workOfStep(step: KernelStep, info: KernelInfo, lanes: number): StepWork {
  if (step.kind === 'fused') return workOfFused(step, info, lanes);
  const { op } = step;
  const dot = dotOf(step);
  if (dot !== undefined) return { multiplies: [multiplyOf(step, info, lanes)], others: [] };
  if (isMultiply(op)) return { multiplies: multipliesOf(op, info.name), others: [] };
  // Other processes participate: the layout gives their number, and the simulator the time.
  if (isCollective(op)) return { multiplies: [], others: [] };
  if (isRowMove(op)) return { multiplies: [], others: [rowMoveOf(op, info.name)] };
  return { multiplies: [], others: sweeps([op], info, 'other', info.bytesRead) };
}

function workOfFused(step: Extract<KernelStep, { kind: 'fused' }>, info: KernelInfo, lanes: number): StepWork {
  const ops = opsOf(step);
  if (step.dot !== undefined) {
    const { plan } = step.dot;
    const multiply = multiplyOf(step, info, lanes);
    const operands = bytesOfOperands(plan);
    const rest = ops.filter(op => op !== step.dot!.op);
    return { multiplies: [multiply], others: sweeps(rest, info, 'epilogue', Math.max(0, info.bytesRead - operands)) };
  }
  const { shape, reduced } = step.group.space;
  const length = shape.filter((_, d) => reduced[d]).reduce((n, size) => n * size, 1);
  const pattern: SweepPattern = length === 1 ? 'elements' : reduced.at(-1) === true ? 'rows' : 'columns';
  const elements = shape.reduce((n, size) => n * size, 1);
  const gathers = ops.filter(isRowMove).map(op => rowMoveOf(op, info.name));
  const gathered = gathers.reduce((sum, g) => sum + bytesMoved(g), 0);
  const others = ops.filter(op => !isRowMove(op));
  const rest =
    others.length === 0 ? [] : sweeps(others, info, pattern, Math.max(0, info.bytesRead - gathered), elements);
  return { multiplies: [], others: [...gathers, ...rest] };
}

const bytesMoved = ({ rows, bytesPerRow }: KernelRowMove): number => rows * bytesPerRow;

const bytesOfOperands = (dot: DotPlan): number =>
  operandsOfDot(dot).reduce((sum, { type }) => sum + bytesOfType(type), 0);

/** The multiply of a step with the dims that its kernel sees: adjacent ones are merged. */
function multiplyOf(step: KernelStep, info: KernelInfo, lanes: number): KernelMultiply {
  const dot = dotOf(step)!;
  const { spec } = dot;
  const problem = simplify(spec, lanes);
  const { m, n, k } = problem;
  const isEpilogue = step.kind === 'fused';
  const bytes = isEpilogue ? bytesOfOperands(dot) : info.bytesRead + info.bytesWritten;
  const type = countedType(spec.elementType, spec.compute === 'tf32') ?? 'f32';
  return {
    kind: 'multiply',
    name: info.name,
    batch: batchCount(problem),
    m,
    n,
    k,
    type,
    bytes,
    of: 'dot',
    layout: `${problem.a.k === 1 ? 'n' : 't'}${problem.b.n === 1 ? 'n' : 't'}`,
  };
}

function sweeps(
  ops: readonly Op[],
  info: KernelInfo,
  pattern: SweepPattern,
  bytesRead: number,
  space?: number,
): readonly KernelSweep[] {
  const operations = ops.map(operationsOf).reduce(addOperations, noOperations);
  const largest = ops.flatMap(op => [...op.results, ...(opTable[op.name].kind === 'reduction' ? op.operands : [])]);
  const elements = Math.max(1, space ?? Math.max(1, ...largest.map(v => countOf(v.type))));
  return [
    {
      kind: 'sweep',
      name: info.name,
      elements,
      ...perElement(operations, elements),
      bytesRead,
      bytesWritten: info.bytesWritten,
      pattern,
      bytesInPlace: info.bytesInPlace,
    },
  ];
}
