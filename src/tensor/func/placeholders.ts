// Arguments of functions that are recorded instead of run. Values that depend on them have no elements.
import type { Value } from '../../hlo/program.ts';
import { operandsOf } from '../step/program.ts';
import type { Trace } from '../step/trace.ts';

/** Whether a value was computed from a placeholder of a function that is being recorded. */
export function dependsOnExample(trace: Trace, value: Value): boolean {
  if (trace.placeholders.size === 0) return false;
  const seen = new Set<Value>();
  const pending: Value[] = [value];
  for (let v = pending.pop(); v !== undefined; v = pending.pop()) {
    if (seen.has(v)) continue;
    seen.add(v);
    if (trace.placeholders.has(v)) return true;
    if (v.op !== undefined) pending.push(...operandsOf(v.op));
  }
  return false;
}
