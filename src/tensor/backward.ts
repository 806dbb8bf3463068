// From one value of a trace back to the leaves it was computed from: which ops lie between, and the gradients.
import { gradients } from '../autodiff/index.ts';
import type { Op, Value } from '../hlo/program.ts';
import type { Cell } from './cell.ts';
import type { Device } from './device.ts';
import { operatorRules } from './operator-gradients.ts';
import { operandsOf } from './program.ts';
import type { Trace } from './trace.ts';

export interface LeafGradient {
  readonly leaf: Cell;
  readonly gradient: Value;
}

/**
 * The gradients of `output` with respect to every leaf that requires one, in the order in which the leaves were first
 * used; `seed` is the cotangent of the output, 1 by default. The walk ends at leaves and at stopped values, so ops
 * behind them are never looked at.
 */
export function leafGradients(
  device: Device,
  trace: Trace,
  output: Value,
  seed: Value | undefined,
): readonly LeafGradient[] {
  const leaves = new Map<Value, Cell>();
  const stops = new Set<Value>();
  const seen = new Set<Value>();
  const ops = new Set<Op>();
  const pending: Value[] = [output];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    if (trace.stopped.has(value)) {
      stops.add(value);
      continue;
    }
    const leaf = trace.leafOf(value);
    if (leaf?.requiresGrad) {
      leaves.set(value, leaf);
      continue;
    }
    if (value.op === undefined || ops.has(value.op)) continue;
    ops.add(value.op);
    pending.push(...operandsOf(value.op));
  }
  if (leaves.size === 0) return [];
  const wrt = [...leaves].sort(([a], [b]) => a.id - b.id);
  const ordered = [...ops].sort((a, b) => (a.results[0]?.id ?? 0) - (b.results[0]?.id ?? 0));
  const found = gradients(
    trace.builder,
    output,
    wrt.map(([value]) => value),
    {
      ops: ordered,
      stopGradients: stops,
      recompute: trace.recomputed,
      customGradients: operatorRules(device, trace),
      ...(seed === undefined ? {} : { seed }),
    },
  );
  return wrt.map(([, leaf], i) => ({ leaf, gradient: found[i]! }));
}
