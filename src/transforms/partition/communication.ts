// The collectives of a program of one device, each with the line of the user's code that it serves.
import type { SourceLocation } from '../../base/errors.ts';
import type { OpName } from '../../hlo/attributes.ts';
import { type GroupOp, groupsOf } from '../../hlo/process-groups.ts';
import { type Module, mainOf, type Op, shapeOf, type Value } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';

/** The share of the larger of operands and results that each of `n` devices sends, on average. */
const sentShares = {
  all_reduce: n => (2 * (n - 1)) / n,
  all_gather: n => (n - 1) / n,
  reduce_scatter: n => (n - 1) / n,
  all_to_all: n => (n - 1) / n,
  collective_broadcast: n => (n - 1) / n,
  collective_permute: () => 1,
  send: () => 1,
  recv: () => 0,
} satisfies Partial<Record<OpName, (n: number) => number>>;
/** The collectives of programs in parts. */
export type CollectiveKind = keyof typeof sentShares;

/** One collective of a program, or one send along a pipeline, as it runs once. */
export interface Communication {
  /** The name of the op; `send`: to the rank of another stage of a pipeline. */
  readonly kind: CollectiveKind;
  /** The bytes that each device sends, at least. */
  readonly bytes: number;
  /** How many devices exchange with each other. */
  readonly devices: number;
  /** The shape of the larger of its operand and its result. */
  readonly shape: readonly number[];
  /** The line of the user's code. */
  readonly location: SourceLocation | undefined;
}

/** The collectives of a program in parts, in order; those of a loop once. */
export function communicationOf(module: Module): readonly Communication[] {
  const found: Communication[] = [];
  const visit = (ops: readonly Op[]): void => {
    for (const op of ops) {
      const sent = communicationOfOp(op, module);
      if (sent !== undefined) found.push(sent);
      for (const region of op.regions) visit(region.ops);
    }
  };
  visit(mainOf(module).body.ops);
  return found;
}

/** Undefined for an op that is no collective. */
export function communicationOfOp(op: Op, module: Module): Communication | undefined {
  if (!(op.name in sentShares)) return undefined;
  const kind = op.name as CollectiveKind;
  const bytesOf = (values: readonly Value[]): number =>
    values.reduce((sum, { type }) => sum + (type.kind === 'tensor' ? byteSize(type) : 0), 0);
  const [operands, results] = [bytesOf(op.operands), bytesOf(op.results)];
  const devices = 'replicaGroups' in op.attributes ? (groupsOf(op as GroupOp, module)[0]?.length ?? 1) : 2;
  const bytes = Math.round(Math.max(operands, results) * sentShares[kind](devices));
  const shape = shapeOf((operands > results ? op.operands : op.results)[0]!);
  return { kind, bytes, devices, shape, location: op.location };
}
