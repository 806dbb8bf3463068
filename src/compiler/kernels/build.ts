// From a step of the schedule to its kernel.
import { TrenioError } from '../../base/errors.ts';
import type { Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import type { Step } from '../schedule/plan.ts';
import type { Target } from '../target.ts';
import { buildFused } from './fused.ts';
import type { KernelCode } from './kernel.ts';
import { buildAllGather, buildAllReduce, buildProcessId, buildReduceScatter } from './ops/collective.ts';
import { buildConvolution } from './ops/convolution.ts';
import { buildGemm, buildPlainDot } from './ops/dot.ts';
import { buildScatter } from './ops/scatter.ts';
import { buildSort } from './ops/sort.ts';
import { buildReduceWindow, buildSelectAndScatter } from './ops/window.ts';

export type KernelStep = Exclude<Step, { kind: 'control' }>;

/** The kernel of a step; undefined when all it writes is empty. */
export function buildKernel(step: KernelStep, stored: ReadonlySet<Value>, target: Target, numPartitions: number): KernelCode | undefined {
  if (step.writes.every(v => v.type.kind === 'tensor' && elementCount(v.type.shape) === 0)) return undefined;
  if (step.kind === 'fused') return buildFused(step.group, { isStored: v => stored.has(v) });
  const { op } = step;
  switch (op.name) {
    case 'dot_general': return step.dot ? buildGemm(step.dot, step.writes[0]!, target) : buildPlainDot(op);
    case 'convolution': return buildConvolution(op);
    case 'scatter': return buildScatter(op);
    case 'sort': return buildSort(op);
    case 'reduce_window': return buildReduceWindow(op);
    case 'select_and_scatter': return buildSelectAndScatter(op);
    case 'all_reduce': return buildAllReduce(op);
    case 'all_gather': return buildAllGather(op);
    case 'reduce_scatter': return buildReduceScatter(op);
    case 'replica_id': case 'partition_id': return buildProcessId(op, numPartitions);
    default:
      throw new TrenioError('UNSUPPORTED', { what: op.name, where: 'the C compiler backend', instead: 'run this program on the interpreter (TRENIO_BACKEND=interpreter)' }, { location: op.location });
  }
}
