// Result types that were inferred before: a script records the same ops at the same lines in each step. The op that follows
// another is nearly always the one that followed it the last time, so that one comparison is enough. Ops with regions are not
// looked up.
import type { SourceLocation } from '../base/errors.ts';
import type { OpAttributes, OpName } from './attributes.ts';
import { equalAttributes } from './equal-attributes.ts';
import type { Value } from './program.ts';
import { sameType, type Type } from './types.ts';

interface Known {
  readonly name: OpName;
  readonly operands: readonly Type[];
  readonly attributes: unknown;
  readonly results: readonly Type[];
  /** The op that followed it the last time. */
  next: Known | undefined;
}

/** As many ops of a line are known. */
const maxPerLine = 32;
const byLine = new WeakMap<SourceLocation, Known[]>();

export class KnownTypes {
  #last: Known | undefined;

  find<N extends OpName>(
    name: N,
    operands: readonly Value[],
    attributes: OpAttributes[N],
    location: SourceLocation,
  ): readonly Type[] | undefined {
    const expected = this.#last?.next;
    if (expected !== undefined && isFor(expected, name, operands, attributes)) {
      this.#last = expected;
      return expected.results;
    }
    const known = byLine.get(location)?.find(one => isFor(one, name, operands, attributes));
    if (known !== undefined && this.#last !== undefined) this.#last.next = known;
    this.#last = known;
    return known?.results;
  }
  add(
    name: OpName,
    operands: readonly Type[],
    attributes: unknown,
    location: SourceLocation,
    results: readonly Type[],
  ): void {
    const ofLine = byLine.get(location) ?? [];
    this.#last = { name, operands, attributes, results, next: undefined };
    if (ofLine.unshift(this.#last) > maxPerLine) ofLine.pop();
    byLine.set(location, ofLine);
  }
}

function isFor(known: Known, name: OpName, operands: readonly Value[], attributes: unknown): boolean {
  if (known.name !== name || known.operands.length !== operands.length) return false;
  for (let i = 0; i < operands.length; i++) if (!sameType(operands[i]!.type, known.operands[i]!)) return false;
  return equalAttributes(attributes, known.attributes);
}
