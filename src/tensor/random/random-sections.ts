// Random numbers and the sections of a step (sections.ts): which numbers the currently recorded ops sample, and how a read or the
// end of a backward pass changes that.
import { isGradEnabled } from '../gradients/grad-mode.ts';
import type { Section } from '../step/sections.ts';
import type { Trace } from '../step/trace.ts';
import type { Executions, RandomSource } from './random.ts';

/** The numbers of executions, for each kind of random number. */
const executionKind = { forward: 'training', evaluation: 'evaluation' } as const;

/** The section of the step that ops recorded now are in. */
export function sectionNow(random: RandomSource, trace: Trace): Section {
  const phase = trace.phase ?? (isGradEnabled() ? 'forward' : 'evaluation');
  const { part, pass } = random.position(trace.backwards);
  return phase === 'update'
    ? { phase, pass: 0, execution: 0, part: undefined }
    : { phase, pass, execution: phase === 'backward' ? 0 : random.executions[executionKind[phase]], part };
}

/** Identifies the random numbers that ops recorded now would sample, of a program that rounds in `sections`. */
export function sampledIn(
  random: RandomSource,
  trace: Trace,
  sections: readonly Section[],
): { readonly [K in keyof Executions]: boolean } {
  const { executions } = random;
  const { part, pass } = random.position(trace.backwards);
  const rounded = (of: 'forward' | 'evaluation'): boolean =>
    sections.some(
      s => s.phase === of && s.pass === pass && s.part === part && s.execution === executions[executionKind[of]],
    );
  return {
    training: trace.uses.training > 0 || rounded('forward'),
    evaluation: trace.uses.evaluation > 0 || rounded('evaluation'),
  };
}

/** After a backward pass, the next pass starts from the first random number again. */
export function endPass(random: RandomSource, trace: Trace): void {
  const { pass } = random.position(trace.backwards++);
  for (const kind of ['training', 'evaluation'] as const) trace.uses[kind] = 0;
  if (random.endPass()) trace.renewHostArgument(random.base('training', pass));
}

/** After a read, ops recorded from now on use other random numbers than those that were read. */
export function endRead(random: RandomSource, trace: Trace, sections: readonly Section[]): void {
  const sampled = sampledIn(random, trace, sections);
  for (const kind of ['training', 'evaluation'] as const) {
    if (!sampled[kind]) continue;
    trace.uses[kind] = 0;
    trace.renewHostArgument(random.base(kind, random.position(trace.backwards).pass));
    random.afterRead(kind);
  }
}
