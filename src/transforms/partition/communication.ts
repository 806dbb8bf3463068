// The collectives of a program of one device, each with the line of the user's code that it serves.
import type { SourceLocation } from '../../base/errors.ts';
import type { OpName } from '../../hlo/attributes.ts';
import { type Module, mainOf, type Op, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';

/** The share of the larger of operand and result that each of `n` devices sends. */
const sentShares = {
  all_reduce: n => (2 * (n - 1)) / n,
  all_gather: n => (n - 1) / n,
  reduce_scatter: n => (n - 1) / n,
  all_to_all: n => (n - 1) / n,
  collective_permute: () => 1,
} satisfies Partial<Record<OpName, (n: number) => number>>;
/** The collectives of programs in parts. */
export type CollectiveKind = keyof typeof sentShares;

/** One collective of a program, or one send along a pipeline, as it runs once. */
export interface Communication {
  /** The name of the collective; `send`: to the rank of another stage of a pipeline. */
  readonly kind: CollectiveKind | 'send';
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
      if (op.name in sentShares) found.push(communication(op as Op & { readonly name: CollectiveKind }));
      for (const region of op.regions) visit(region.ops);
    }
  };
  visit(mainOf(module).body.ops);
  return found;
}

function communication(op: Op & { readonly name: CollectiveKind }): Communication {
  const bytesOf = (values: readonly Value[]): number =>
    values.reduce((sum, value) => sum + byteSize(tensorTypeOf(value)), 0);
  const [operands, results] = [bytesOf(op.operands), bytesOf(op.results)];
  const groups = 'replicaGroups' in op.attributes ? op.attributes.replicaGroups : undefined;
  const devices = groups !== undefined && Array.isArray(groups) ? (groups[0]?.length ?? 1) : 2;
  const larger = operands > results ? op.operands[0]! : op.results[0]!;
  return {
    kind: op.name,
    bytes: Math.round(Math.max(operands, results) * sentShares[op.name](devices)),
    devices,
    shape: tensorTypeOf(larger).shape,
    location: op.location,
  };
}
