// Programs that differ only in sizes and other numbers are one family. Its first programs are compiled for their sizes, which is
// fastest: most scripts have one size, or another for the last batch of an epoch. When a third program comes (the second, if
// another family at the line has come so far), sizes change, and one program is compiled for all of them (transforms/symbolic).
// Should numbers change that were the same in all programs so far, it is made anew. If only a few sizes recur, as those of
// buckets do, each gets a program of its own after a while.
import { isTrenioError } from '../../base/errors.ts';
import { structureOf } from '../../hlo/func-key.ts';
import type { Func, Literal, Op } from '../../hlo/index.ts';
import { type SymbolicProgram, symbolicProgram } from '../../transforms/symbolic/symbolic-program.ts';
import type { TensorImpl } from '../tensor-impl.ts';
import { marksOfInputs } from './marked-sizes.ts';

/** A family. */
interface Family {
  /** Programs of which no two are known to be computed by one. */
  readonly samples: Func[];
  symbolic: SymbolicProgram | undefined;
  /** An op of it cannot have sizes that change, or its sizes stay for another reason. */
  isFixed: boolean;
  /** How often the program for all sizes has been run for each; undefined once they are more than a few. */
  runs: Map<string, number> | undefined;
}
/** Where a program is to run. */
interface Run {
  /** The line, and the precision: programs in which these differ are different families. */
  readonly place: string;
  readonly inputs: readonly (TensorImpl | undefined)[];
  /** A function passed to `compile`: it has a program for each kind of input, unless a size is marked. */
  readonly isCompiled: boolean;
}
/** A program for all sizes, and its additional arguments. */
export interface OfAllSizes {
  readonly func: Func;
  readonly inputs: readonly Literal[];
  /** To be called if it cannot be compiled: programs of the family are compiled for their own sizes from now on. */
  refuse(): void;
}
/** Convolutions of unknown sizes are several times slower. */
const isSlow = (op: Op): boolean => op.name === 'convolution';

/** At most this many sizes recur, each at least this often, to get programs of their own. */
const maxRecurring = 4;
const fewestRuns = 8;
/** Counts a run of the program for all sizes; true if its inputs are among a few that recur. */
function recurs(family: Family, inputs: readonly Literal[]): boolean {
  if (family.runs === undefined) return false;
  const key = inputs.map(({ data }) => data.join()).join(' ');
  const count = (family.runs.get(key) ?? 0) + 1;
  family.runs.set(key, count);
  if (family.runs.size > maxRecurring) family.runs = undefined;
  return count > fewestRuns && family.runs !== undefined;
}

/** Programs compiled for their own sizes. */
const fixedPrograms = 2;
/** The oldest are forgotten: programs that never come back would stay in memory. */
const maxFamilies = 512;
/** Beyond this many attempts, the numbers follow no pattern. */
const maxSamples = 6;

export class ProgramFamilies {
  readonly #families = new Map<string, Family>();
  /** Where sizes are known to change. */
  readonly #changing = new Set<string>();

  /** How to run a program that was not compiled before: for all sizes, or, if undefined, for its own. */
  find(func: Func, { place, inputs, isCompiled }: Run): OfAllSizes | undefined {
    const { isDynamic, staticSizes } = marksOfInputs(inputs);
    const isOwn = isCompiled && !isDynamic;
    const structure = structureOf(func);
    const key = structure.key + place + staticSizes;
    const family = this.#families.get(key);
    if (family === undefined) {
      this.#families.set(key, {
        samples: [func],
        symbolic: undefined,
        isFixed: isOwn || func.body.ops.some(isSlow),
        runs: new Map(),
      });
      if (this.#families.size > maxFamilies) this.#families.delete(this.#families.keys().next().value!);
      return undefined;
    }
    const refuse = (): void => {
      family.isFixed = true;
      family.symbolic = undefined;
      family.samples.length = 0;
    };
    const more = family.symbolic?.bind(structure);
    if (more !== undefined)
      return recurs(family, more) ? undefined : { func: family.symbolic!.func, inputs: more, refuse };
    if (family.isFixed) return undefined;
    family.samples.push(func);
    if (family.samples.length <= (isDynamic || this.#changing.has(place) ? 1 : fixedPrograms)) return undefined;
    try {
      family.symbolic = symbolicProgram(family.samples);
    } catch (error) {
      if (!isTrenioError(error, 'UNSUPPORTED')) throw error;
      refuse();
      return undefined;
    }
    family.isFixed = family.samples.length === maxSamples;
    this.#changing.add(place);
    return { func: family.symbolic.func, inputs: family.symbolic.bind(structure)!, refuse };
  }
}
