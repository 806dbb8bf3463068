// The collectives of a program that is one device's part of a whole: what each moves among which devices, and what may run
// beside it.
//
//   gather of a parameter ─▶ multiply …          no multiply before it: it can run early
//   multiply ─▶ sum of its terms ─▶ multiply …   layers wait for it
//   multiply ─▶ sum of a gradient ─▶ optimizer   no multiply after it: it can end late
import { opTable } from '../../hlo/op-table.ts';
import { bytesOfType } from '../../hlo/ops/costs.ts';
import type { Op, Region, Value } from '../../hlo/program.ts';
import { regionsHold } from '../../hlo/walk.ts';
import type { CollectiveKind } from '../collectives/index.ts';
import type { ProgramCollective } from '../workload.ts';

const kinds: Readonly<Partial<Record<Op['name'], CollectiveKind>>> = {
  all_reduce: 'all-reduce',
  all_gather: 'all-gather',
  reduce_scatter: 'reduce-scatter',
  all_to_all: 'all-to-all',
  collective_permute: 'permute',
  collective_broadcast: 'broadcast',
};

export const isCollective = (op: Op): boolean => op.name in kinds;

/** One collective of a program, run `times` times; undefined for another op. */
export function programCollective(op: Op, times: number, waits: Waits): ProgramCollective | undefined {
  const kind = kinds[op.name];
  if (kind === undefined) return undefined;
  const sum = (values: readonly Value[]): number => values.reduce((bytes, { type }) => bytes + bytesOfType(type), 0);
  return {
    kind,
    bytes: Math.max(sum(op.operands), sum(op.results)),
    groups: groupsOf(op),
    times,
    waits: waits(op),
  };
}

function groupsOf(op: Op): ProgramCollective['groups'] {
  if (op.name === 'collective_permute') return op.attributes.sourceTargetPairs;
  const groups = 'replicaGroups' in op.attributes ? op.attributes.replicaGroups : [];
  return Array.isArray(groups) ? groups : [];
}

export type Waits = (op: Op) => ProgramCollective['waits'];

/** Returns what waits for each op of a program. */
export function waitsOf({ ops }: Region): Waits {
  const [after, before] = [new Set<Value>(), new Set<Value>()];
  for (const op of ops)
    if (isMultiply(op) || op.operands.some(value => after.has(value)))
      for (const result of op.results) after.add(result);
  for (const op of ops.toReversed())
    if (isMultiply(op) || op.results.some(value => before.has(value)))
      for (const operand of op.operands) before.add(operand);
  const own = new Set(ops);
  return op => {
    if (!own.has(op)) return 'layers';
    if (!op.results.some(value => before.has(value))) return 'optimizer';
    return op.operands.some(value => after.has(value)) ? 'layers' : 'parameters';
  };
}

const isMultiply = (op: Op): boolean =>
  opTable[op.name].kind === 'contraction' || regionsHold(op, inner => opTable[inner.name].kind === 'contraction');
