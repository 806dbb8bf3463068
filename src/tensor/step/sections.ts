// The sections of a trace: the part of a training step that each op belongs to. Stochastic rounding generates its bits by
// section, so that they are a function of the optimizer step, the micro-batch of the global batch and the op, whatever else is
// in the program that runs it:
//
//   forward 0 │ backward 0 │ forward 1 │ backward 1 │ … │ update           one rank, in one program or in several
//   forward 0 │ backward 0 │ update                                        one of several ranks
//
// A read leaves the ops recorded before it in their section, and only ops recorded afterwards get new bits: so a rank that
// reads its loss rounds like those that do not. Ops recorded within `noGrad` are in a separate section, of the evaluation, so
// that ranks that evaluate more or fewer batches than a single rank would continue with the same bits.

import type { Op } from '../../hlo/program.ts';
import type { RoundingSection } from '../../transforms/stochastic-rounding.ts';

export const phases = ['forward', 'backward', 'update', 'evaluation'] as const;
export type Phase = (typeof phases)[number];

export interface Section {
  readonly phase: Phase;
  /** Earlier calls of `backward()` that did not begin a new micro-batch. */
  readonly pass: number;
  /** Earlier reads in the same phase that sampled random numbers. */
  readonly execution: number;
  /** The index of the micro-batch in the trace; undefined for ops that all micro-batches share. */
  readonly part: number | undefined;
}

/** The sections of one trace, in the order in which ops were recorded. */
export class Sections {
  readonly #starts: { readonly firstId: number; readonly section: Section }[] = [];

  /** Ops with ids from `firstId` on belong to this section. */
  enter(section: Section, firstId: number): void {
    const last = this.#starts.at(-1);
    if (last !== undefined) {
      if (sameKeys(last.section, section) && last.section.part === section.part) return;
      if (last.firstId === firstId) this.#starts.pop();
    }
    this.#starts.push({ firstId, section });
  }

  /** How a program of this trace is divided into sections. */
  layoutOf(ops: readonly Op[]): SectionLayout {
    const found: ProgramSection[] = [];
    const at = (op: Op): ProgramSection => {
      const section = this.#at(op.results[0]?.id ?? 0);
      const known = found.find(one => sameKeys(one.section, section) && one.section.part === section.part);
      if (known !== undefined) return known;
      const keys = found.find(one => sameKeys(one.section, section))?.keys ?? found.length;
      const part =
        section.part === undefined
          ? undefined
          : (found.find(one => one.section.part === section.part)?.part ?? found.length);
      const made = { keys, part, section };
      found.push(made);
      return made;
    };
    let key = '';
    let last: ProgramSection | undefined;
    ops.forEach((op, i) => {
      const section = at(op);
      if (section !== last) key += ` ${i}:${section.keys}.${section.part ?? 'all'}`;
      last = section;
    });
    const of = ({ keys, part }: RoundingSection): Section =>
      found.find(one => one.keys === keys && one.part === part)?.section ?? wholeTrace;
    return { key, at, of };
  }
  #at(id: number): Section {
    const starts = this.#starts;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]!.firstId <= id) low = middle + 1;
      else high = middle;
    }
    return starts[low - 1]?.section ?? wholeTrace;
  }
}
const wholeTrace: Section = { phase: 'forward', pass: 0, execution: 0, part: 0 };
const sameKeys = (a: Section, b: Section): boolean =>
  a.phase === b.phase && a.pass === b.pass && a.execution === b.execution;

/** A section, as numbered in a program. */
export interface ProgramSection extends RoundingSection {
  readonly section: Section;
}
export interface SectionLayout {
  /** Equal for programs that are divided in the same way. */
  readonly key: string;
  /** The section of an op that was recorded in the trace. */
  at(op: Op): ProgramSection;
  /** The section with this number, in this program or in one that is divided in the same way. */
  of(numbered: RoundingSection): Section;
}
