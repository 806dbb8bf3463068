// A value that is read in the middle of a step runs a separate program: the forward pass, for a loss that is read before
// `backward()`. Of what it computes, tensors without gradients are inputs of the rest of the step. The rest of the step would
// compute other values again. When that has happened twice after a read at the same line, the program of that read also returns
// the values that the rest of the step uses, which the step's next program gets as inputs.
//
// These results are kept until the step ends. Cheap values (constants, broadcasts) are recomputed.
import type { SourceLocation } from '../../base/errors.ts';
import { opTable } from '../../hlo/op-table.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { operandsOf, type TracedProgram, workOf } from './program.ts';
import type { ReadPlace, Trace } from './trace.ts';

/** A single read, such as one for a log, is not worth two more programs. */
const leastRepeats = 2;
/** The share of a program's work that must be saved. */
export const leastShare = 0.1;
const maxReads = 4;

/** Which reads of a device's programs have results that the rest of the step uses. */
export class ReadResults {
  /** By line, then by the names of the program's ops: a helper's line reads the results of many programs. */
  readonly #places = new Map<SourceLocation | undefined, Map<string, ReadPlace>>();

  #placeOf(location: SourceLocation | undefined, ops: ReadonlySet<Op>): ReadPlace {
    const places = this.#places.get(location) ?? new Map<string, ReadPlace>();
    this.#places.set(location, places);
    const names = Array.from(ops, op => op.name).join();
    const place = places.get(names) ?? { repeats: 0, used: [] };
    places.set(names, place);
    return place;
  }
  /** The values that the rest of the step will use, of those that a read at this line is the first to compute. */
  usedOf(trace: Trace, location: SourceLocation | undefined, { ops }: TracedProgram): readonly Value[] {
    const { repeats, used } = this.#placeOf(location, ops);
    if (repeats < leastRepeats) return [];
    const list = [...ops];
    return used
      .flatMap(({ op, result }) => list[op]?.results[result] ?? [])
      .filter(value => !trace.computed.has(value));
  }
  /** The program of a read at this line has run. */
  ran(trace: Trace, location: SourceLocation | undefined, { ops }: TracedProgram): void {
    trace.reads.push({ ops, at: this.#placeOf(location, ops) });
    if (trace.reads.length > maxReads) trace.reads.shift();
  }
  /**
   * Finds the values that this program computes again although earlier reads have computed them. True if that will be their
   * result.
   */
  learn(trace: Trace, { ops }: TracedProgram, results: readonly Value[]): boolean {
    let isNew = false;
    for (const { ops: earlier, at } of trace.reads) {
      const again = [...ops].filter(op => earlier.has(op));
      if (again.length === 0 || workOf(again) < leastShare * workOf(ops)) continue;
      at.repeats++;
      at.used = positionsOf(earlier, usedAfter(trace, earlier, ops, results));
      isNew ||= at.repeats === leastRepeats;
    }
    return isNew;
  }
}

/** The values of `earlier` that the other ops, or the results, are computed from. */
function usedAfter(
  trace: Trace,
  earlier: ReadonlySet<Op>,
  ops: ReadonlySet<Op>,
  results: readonly Value[],
): ReadonlySet<Value> {
  const used = new Set<Value>();
  const seen = new Set<Value>();
  const use = (value: Value): void => {
    if (value.op === undefined || !earlier.has(value.op) || seen.has(value) || trace.computed.has(value)) return;
    seen.add(value);
    const { kind } = opTable[value.op.name];
    if (kind === 'source' || kind === 'view') operandsOf(value.op).forEach(use);
    else used.add(value);
  };
  for (const op of ops) if (!earlier.has(op)) operandsOf(op).forEach(use);
  results.forEach(use);
  return used;
}

function positionsOf(ops: ReadonlySet<Op>, values: ReadonlySet<Value>): ReadPlace['used'] {
  const indices = new Map([...ops].map((op, i) => [op, i]));
  return [...values].map(value => ({ op: indices.get(value.op!)!, result: value.index }));
}
