// The collectives of a profile: what a rank sends in a step, by line, and the time in which it does nothing else.
import type { Timeline } from '../../runtime/profiling/timeline.ts';
import type { Row } from '../../tensor/step/explain-communication.ts';

export interface WhatIsSent {
  readonly collectives: readonly Row[];
  /** Sentences on operands that are gathered, with the constraint that avoids it. */
  readonly replicated: readonly string[];
}

/** In a step of the first rank, on average. Those with most exposed time come first. */
export function communicationOfProfile([timeline]: readonly Timeline[]): WhatIsSent {
  const { programs, kernels, loop, replicated } = timeline!;
  const steps = Math.max(1, loop.length);
  const rows = new Map<string, Row & { readonly exposedMs: number }>();
  for (const [, ns, program, index] of kernels) {
    const { kind: uses, ops: kind, line, sent } = programs[program]!.kernels[index]!;
    if (uses !== 'collective' || sent === undefined) continue;
    const { devices } = sent;
    const unknown = kind === 'send' || kind === 'recv' ? 'between stages' : 'an unknown line';
    const at = line === '' ? unknown : line.split('/').at(-1)!.replace(/:\d+$/, '');
    const key = `${at} ${kind} ${devices}`;
    const { count, bytes, exposedMs } = rows.get(key) ?? { count: 0, bytes: 0, exposedMs: 0 };
    rows.set(key, {
      ...{ at, kind, devices },
      count: count + sent.times / steps,
      bytes: bytes + sent.bytes / steps,
      exposedMs: exposedMs + ns / 1e6 / steps,
    });
  }
  return { collectives: [...rows.values()].sort((a, b) => b.exposedMs - a.exposedMs), replicated };
}
