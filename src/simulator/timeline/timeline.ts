// The timeline of one training step: which lane does what, and when. Plain data, produced by `simulateStep`, read by
// reports and by the trace export.
import type { Phase } from '../run.ts';

/** A lane: something that does one thing at a time. */
export type LaneKind = 'compute' | 'link' | 'collectives' | 'host';

/** A resource that runs one task at a time. */
export interface Lane {
  /** Lanes of one stage are grouped: `stage 0`, or `device` if there is only one stage; `host`. */
  readonly group: string;
  /** Within the group: `compute`, `collectives`, `activations to stage 1`. */
  readonly name: string;
  /** Discriminates the members of the union. */
  readonly kind: LaneKind;
}

/** A part of a step on a lane. */
export interface Task {
  /** Index into `lanes`. */
  readonly lane: number;
  /** The name. */
  readonly name: string;
  /** The phase of the step. */
  readonly phase: Phase;
  /** Seconds since the step began. */
  readonly start: number;
  /** The end in seconds. */
  readonly end: number;
}

/** The tasks of a step, on lanes that run at the same time. */
export interface Timeline {
  /** The step: from 0 to the last end. */
  readonly seconds: number;
  /** The lanes. */
  readonly lanes: readonly Lane[];
  /** Tasks of one lane are in the order in which they start, and never overlap. */
  readonly tasks: readonly Task[];
}
