// Converts values of a trace to a function of the program language: exactly the ops that the values need, in program order, with
// an argument for each buffer that they start from.
import { costOf } from '../../hlo/cost.ts';
import type { Func, Op, Value } from '../../hlo/program.ts';
import { capturesOf, cloneOp } from '../../hlo/walk.ts';
import { setOrigin } from '../../transforms/rewriter.ts';
import type { IndexCheck } from './index-checks.ts';
import type { ArgumentSource, Trace } from './trace.ts';

/** A recorded program with its inputs and outputs. */
export interface TracedProgram {
  readonly func: Func;
  /** The binding of each argument. */
  readonly sources: readonly ArgumentSource[];
  /** The recorded ops: the function has copies of ops that depend on values computed earlier. */
  readonly ops: ReadonlySet<Op>;
  /** The representation of a recorded value in the function. */
  readonly standsFor: (value: Value) => Value;
  /** Their numbers are the last results. */
  readonly checks: readonly IndexCheck[];
}

const positionOf = (op: Op): number => op.results[0]?.id ?? 0;

/** Everything that an op reads from its surroundings. */
export function operandsOf(op: Op): readonly Value[] {
  if (op.regions.length === 0) return op.operands;
  const captured = capturesOf(op);
  return captured.size === 0 ? op.operands : [...op.operands, ...captured];
}

/** Operations and bytes. */
export function workOf(ops: Iterable<Op>): number {
  let work = 0;
  for (const op of ops) {
    const { flops, transcendentals, bytesRead, bytesWritten } = costOf(op);
    work += flops + transcendentals + bytesRead + bytesWritten;
  }
  return work;
}

/** The ops with inputs for the values that were computed before: copies of those that depend on one. */
function withInputs(
  trace: Trace,
  recorded: readonly Op[],
  captures: ReadonlyMap<Op, readonly Value[]>,
): { readonly ops: readonly Op[]; readonly standsFor: (value: Value) => Value } {
  if (!trace.hasComputed) return { ops: recorded, standsFor: value => value };
  const map = new Map<Value, Value>();
  const standsFor = (value: Value): Value => trace.computed.get(value) ?? map.get(value) ?? value;
  const ids = { next: trace.builder.lastId + 1 };
  const ops = recorded.map(op => {
    const reads = captures.get(op) ?? op.operands;
    if (reads.every(value => standsFor(value) === value)) return op;
    for (const value of reads) map.set(value, standsFor(value));
    const copy = cloneOp(op, map, ids);
    setOrigin(copy, op);
    return copy;
  });
  return { ops, standsFor };
}

/**
 * The program that computes `results`. Arguments are ordered by their first use and ops by recording order, so
 * that the same calls give the same program, whatever else was recorded before or between. Includes the checks of its lookups,
 * unless it is only used for printing.
 */
export function programOf(name: string, trace: Trace, results: readonly Value[]): TracedProgram {
  const isChecked = name !== 'display';
  const seen = new Set<Op>();
  // Searching regions is slow and nearly always finds nothing, so each op is searched once, and only results are cached.
  const captures = new Map<Op, readonly Value[]>();
  const pending: Op[] = [];
  const checked: Op[] = [];
  const visit = (value: Value): void => {
    if (value.op !== undefined && !seen.has(value.op) && !trace.computed.has(value)) {
      seen.add(value.op);
      pending.push(value.op);
    }
  };
  for (const value of results) visit(value);
  for (let op = pending.pop(); op !== undefined; op = pending.pop()) {
    const read = operandsOf(op);
    if (read !== op.operands) captures.set(op, read);
    const checks = isChecked ? trace.checks.get(op) : undefined;
    if (checks !== undefined) {
      checked.push(op);
      for (const { wrong } of checks) visit(wrong);
    }
    for (const value of read) visit(value);
  }
  // The list of the trace is in order already; it lacks ops recorded before an earlier read.
  const listed = trace.builder.ops.filter(op => seen.has(op));
  const recorded = listed.length === seen.size ? listed : [...seen].sort((a, b) => positionOf(a) - positionOf(b));
  const { ops, standsFor } = withInputs(trace, recorded, captures);

  const args = new Set<Value>();
  const see = (value: Value): void => {
    if (value.op === undefined && trace.sourceOf(value) !== undefined) args.add(value);
  };
  for (const op of recorded) for (const value of captures.get(op) ?? op.operands) see(standsFor(value));
  const checks = checked.sort((a, b) => positionOf(a) - positionOf(b)).flatMap(op => trace.checks.get(op)!);
  const all = [...results, ...checks.map(({ wrong }) => wrong)].map(standsFor);
  all.forEach(see);
  const list = [...args];
  return {
    func: { name, body: { args: list, ops, results: all }, aliases: list.map(() => undefined) },
    sources: list.map(value => trace.sourceOf(value)!),
    ops: seen,
    standsFor,
    checks,
  };
}

/** The same program with other results. */
export function withResults(program: TracedProgram, results: readonly Value[]): TracedProgram {
  const all = [...results, ...program.checks.map(({ wrong }) => wrong)];
  return { ...program, func: { ...program.func, body: { ...program.func.body, results: all.map(program.standsFor) } } };
}
