// What a step computes, for comments in the C and for reports: its ops, their work and the memory they move.

import type { OpName } from '../../hlo/attributes.ts';
import type { OpRow } from '../../hlo/op-row.ts';
import { opTable } from '../../hlo/op-table.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';
import type { KernelInfo } from '../program.ts';
import { isFree } from '../schedule/classify.ts';
import type { Step } from '../schedule/plan.ts';

type Description = Pick<KernelInfo, 'kind' | 'ops' | 'flops' | 'bytes'>;

export function describeStep(step: Step): Description {
  const ops = opsOf(step);
  const bytes = [...step.reads, ...step.writes].reduce(
    (n, v) => n + (v.type.kind === 'tensor' ? byteSize(v.type) : 0),
    0,
  );
  const flops = ops.reduce((n, op) => {
    const cost = (opTable[op.name] as OpRow<OpName>).cost(op as never);
    return n + cost.flops + cost.transcendentals;
  }, 0);
  return { kind: kindOf(step), ops: ops.map(op => ({ name: op.name, location: op.location })), flops, bytes };
}

function kindOf(step: Step): KernelInfo['kind'] {
  if (step.kind === 'fused') return 'fused';
  if (step.op.name === 'dot_general' || step.op.name === 'convolution') return 'multiply';
  return step.op.name === 'all_reduce' || step.op.name === 'all_gather' || step.op.name === 'reduce_scatter'
    ? 'collective'
    : 'other';
}

/** The ops a step computes, in program order; views and constants left out. */
function opsOf(step: Step): Op[] {
  if (step.kind !== 'fused') return [step.op];
  const reads = new Set(step.reads);
  const ops = new Set<Op>();
  const queue: Value[] = [...step.writes];
  for (let v = queue.pop(); v !== undefined; v = queue.pop()) {
    if (v.op === undefined || reads.has(v) || ops.has(v.op)) continue;
    ops.add(v.op);
    queue.push(...v.op.operands);
  }
  const all = [...ops].sort((a, b) => a.results[0]!.id - b.results[0]!.id);
  const shown = all.filter(op => !op.results.every(isFree) && opTable[op.name].kind !== 'view');
  return shown.length > 0 ? shown : all;
}
