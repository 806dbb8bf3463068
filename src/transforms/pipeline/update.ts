// The end of a step, after its micro-batches have met: the optimizer's update, clipping, losses. An op belongs to the rank that
// has its operands; small values that mix those of several ranks, such as the norm of all gradients, are computed by each rank
// that needs them. Ranks work in rounds, and send what others need between them:
//
//   round 0   the sum of squares of the own gradients   ── sent to all ──▶   round 1   the norm, then the update
//
// Each op is computed in the last round that is early enough, so that little is kept from round to round.
import type { Op, Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import { readsOf } from './stage-program.ts';

/** Where a value is before the first round: on one rank, or on all. */
export type Place = number | 'all';
export interface UpdateRequest {
  /** In order. */
  readonly ops: readonly Op[];
  readonly ranks: number;
  /** The rank that has a value that no op of these computes; 'all' for one that each rank has or computes by itself. */
  placeOf(value: Value): Place;
  /** The results, with the ranks that need them; undefined for those that stay where they are computed. */
  readonly results: readonly { readonly value: Value; readonly on: Place | undefined }[];
}
/** A value that goes from one rank to another. */
export interface Sending {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
  /** The round after which it is sent, -1 for what is there before the first; and the round before which it arrives. */
  readonly after: number;
  readonly before: number;
}
export interface Update {
  readonly rounds: number;
  /** The round in which a rank computes an op, for those that cannot be computed in any. */
  roundOf(op: Op, rank: number): number | undefined;
  readonly sendings: readonly Sending[];
  /** Where each result is. */
  readonly results: readonly Place[];
}

/** Up to this many elements, a value that mixes those of several ranks is computed by each that needs it. */
const small = 1024;
const isSmall = ({ type }: Value): boolean => type.kind !== 'tensor' || elementCount(type.shape) <= small;

export function planUpdate({ ops, ranks, placeOf, results }: UpdateRequest): Update {
  const everyRank = Array.from({ length: ranks }, (_, rank) => rank);
  const places = new Map<Value, Place>();
  const depths = new Map<Value, number>();
  /** Ops that depend on what only some ranks have, by their results. */
  const placed = new Map<Value, Op>();
  const place = (value: Value): Place => places.get(value) ?? placeOf(value);
  const depth = (value: Value): number => depths.get(value) ?? -1;
  for (const op of ops) {
    const reads = readsOf(op);
    const own = [...new Set(reads.map(place).filter(at => at !== 'all'))] as number[];
    if (own.length === 0 && !reads.some(value => placed.has(value))) continue;
    const isMixed = own.length > 1 && op.results.every(isSmall);
    const at: Place = own.length === 0 || isMixed ? 'all' : Math.min(...own);
    const level = reads.map(value => depth(value) + (place(value) !== 'all' && place(value) !== at ? 1 : 0));
    for (const result of op.results) {
      placed.set(result, op);
      places.set(result, at);
      depths.set(result, Math.max(0, ...level));
    }
  }
  const goals = results.map(({ value, on }) => on ?? place(value));
  let last = 0;
  results.forEach(({ value }, i) => {
    const isSent = place(value) !== 'all' && goals[i] !== place(value);
    last = Math.max(last, depth(value) + (isSent ? 1 : 0));
  });

  /** By value, for each rank, the round before which it must be there. */
  const due = new Map<Value, Map<number, number>>();
  const need = (value: Value, rank: number, round: number): void => {
    const of = due.get(value) ?? new Map<number, number>();
    due.set(value, of);
    of.set(rank, Math.min(of.get(rank) ?? round, round));
  };
  results.forEach(({ value }, i) => {
    const goal = goals[i]!;
    for (const rank of goal === 'all' ? everyRank : [goal]) need(value, rank, last);
  });
  const rounds = new Map<Op, Map<number, number>>();
  const sendings: Sending[] = [];
  /** The round by which the owner has to have a value that others need, too. */
  const send = (value: Value, owner: number): void => {
    for (const [rank, round] of due.get(value) ?? []) if (rank !== owner) need(value, owner, round - 1);
  };
  for (const op of ops.toReversed()) {
    if (!op.results.some(result => placed.has(result))) continue;
    const of = new Map<number, number>();
    for (const result of op.results) {
      const at = place(result);
      if (at !== 'all') send(result, at);
      for (const [rank, round] of due.get(result) ?? [])
        if (at === 'all' || at === rank) of.set(rank, Math.min(of.get(rank) ?? round, round));
    }
    if (of.size === 0) continue;
    rounds.set(op, of);
    for (const value of readsOf(op)) for (const [rank, round] of of) need(value, rank, round);
  }
  for (const [value, of] of due) {
    const owner = place(value);
    if (owner === 'all') continue;
    const op = placed.get(value);
    const after = (op && rounds.get(op)?.get(owner)) ?? -1;
    for (const [rank, before] of of) if (rank !== owner) sendings.push({ value, from: owner, to: rank, after, before });
  }
  return {
    rounds: last + 1,
    roundOf: (op, rank) => rounds.get(op)?.get(rank),
    sendings,
    results: goals,
  };
}
