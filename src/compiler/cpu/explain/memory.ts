// How the memory of a program is used: the live temporaries at each call, and the largest of them. Read off
// the memory plan, which has placed them already (memory/memory-plan.ts).
import type { Func, Value } from '../../../hlo/program.ts';
import { byteSize } from '../../../hlo/types.ts';
import type { KernelMemory } from '../../ir/machine.ts';
import type { Step } from '../../ir/schedule.ts';
import type { MemoryPlan } from '../../memory/memory-plan.ts';
import type { ExplainedMemory, ExplainedValue } from './explanation.ts';

const shownLargest = 10;
const bytesOf = (v: Value): number => (v.type.kind === 'tensor' ? byteSize(v.type) : 0);
const sum = (values: readonly number[]): number => values.reduce((n, x) => n + x, 0);

/** `steps`: the step of each call, in order. Values of loops live from their first to their last use in the text. */
export function explainMemory(
  func: Func,
  steps: readonly Step[],
  kernelOf: (step: Step) => KernelMemory | undefined,
  plan: MemoryPlan,
  explain: (value: Value) => ExplainedValue,
): ExplainedMemory {
  const lives = new Map<Value, { first: number; last: number }>();
  const constants = new Set<Value>();
  steps.forEach((step, call) => {
    for (const { value } of kernelOf(step)?.operands ?? []) {
      const { kind } = plan.locationOf(value);
      if (kind === 'constant') constants.add(value);
      if (kind !== 'arena') continue;
      const life = lives.get(value);
      if (life === undefined) lives.set(value, { first: call, last: call });
      else life.last = call;
    }
  });
  // A result that overwrites its operand takes the same bytes: each range of the arena counts once.
  const live = steps.map((step, call) => {
    const ranges = new Map<number, number>();
    for (const [value, { first, last }] of lives) {
      const location = plan.locationOf(value);
      if (location.kind !== 'arena' || call < first || call > last) continue;
      ranges.set(location.offset, Math.max(ranges.get(location.offset) ?? 0, bytesOf(value)));
    }
    const workspace = plan.workspaceOf(step) === undefined ? 0 : (kernelOf(step)?.workspaceBytes ?? 0);
    return sum([...ranges.values()]) + workspace;
  });
  const liveBytes = Math.max(0, ...live);
  const { args, results } = func.body;
  const donated = sum(args.map((v, i) => (func.aliases[i] === undefined ? 0 : bytesOf(v))));
  const [argumentBytes, resultBytes] = [sum(args.map(bytesOf)), sum(results.map(bytesOf))];
  const constantBytes = sum([...constants].map(bytesOf));
  const largest = [...lives]
    .sort(([a, x], [b, y]) => bytesOf(b) - bytesOf(a) || x.first - y.first)
    .slice(0, shownLargest)
    .map(([value, { first, last }]) => ({ ...explain(value), firstCall: first, lastCall: last }));
  return {
    arenaBytes: plan.arenaBytes,
    liveBytes,
    liveAt: liveBytes === 0 ? undefined : live.indexOf(liveBytes),
    argumentBytes,
    resultBytes,
    donatedBytes: donated,
    constantBytes,
    totalBytes: plan.arenaBytes + argumentBytes + resultBytes - donated + constantBytes,
    largest,
  };
}
