// The number formats in which a device computes: auto-cast and rounding, both applied to whole programs when they are compiled.
// `autocast.ts` decides instead what each call on tensors records.
import { TrenioError } from '../base/errors.ts';
import { type AutoCast, autoCastModes, autoCastTypes, noAutoCast } from '../base/neuron-flags.ts';
import { type Module, mainOf, type Op } from '../hlo/program.ts';
import { autoCast } from '../transforms/auto-cast.ts';
import { type RoundingSection, stochasticRounding } from '../transforms/stochastic-rounding.ts';
import { userLocation } from './location.ts';
import type { TracedProgram } from './step/program.ts';
import type { SectionLayout } from './step/sections.ts';
import type { Trace } from './step/trace.ts';

/**
 * How floats are rounded to a lower precision: to the nearest, or up with a probability equal to the distance from the lower
 * neighbor.
 */
export type RoundingMode =
  | {
      /** The rounding mode. */
      readonly mode: 'nearest-even';
    }
  | {
      /** The rounding mode. */
      readonly mode: 'stochastic';
      /** The seed of the random bits; 0 by default. */
      readonly seed?: number;
    };

/** Never changed in place: compiled functions compare it by identity. */
export interface Precision {
  /** Which operations are cast to a low-precision type. */
  readonly autoCast: AutoCast;
  /** How results are rounded. */
  readonly rounding: RoundingMode;
}
export const fullPrecision: Precision = { autoCast: noAutoCast, rounding: { mode: 'nearest-even' } };

/** @throws {INVALID_OPTION} for an unknown mode or type, or a seed that is not an integer */
export function checkedPrecision({ autoCast: cast, rounding }: Precision): Precision {
  check('autoCast', 'mode', cast.mode, autoCastModes);
  check('autoCast', 'type', cast.type, autoCastTypes);
  check('rounding', 'mode', rounding.mode, ['nearest-even', 'stochastic']);
  if (rounding.mode === 'stochastic' && rounding.seed !== undefined) {
    const { seed } = rounding;
    if (!Number.isSafeInteger(seed) || seed < 0) throw invalid('rounding', 'seed', seed, 'an integer, 0 or more');
  }
  return { autoCast: cast, rounding };
}
function check(what: string, option: string, got: string, known: readonly string[]): void {
  if (!known.includes(got)) throw invalid(what, option, got, `one of ${known.join(', ')}`);
}
const invalid = (what: string, option: string, got: unknown, expected: string): TrenioError =>
  new TrenioError(
    'INVALID_OPTION',
    { what: `the device's ${what}`, option, got: String(got), expected },
    { location: userLocation() },
  );

/** The information about a program that stochastic rounding needs. */
export interface ProgramRounding {
  /** For each input, whether all ranks and micro-batches hold the same values. */
  readonly replicated: readonly boolean[];
  /** Ranks or micro-batches each have a part of the batch. */
  readonly isSplit: boolean;
  readonly layout: SectionLayout;
}

/** The part of a program's key for the precision in which it is compiled. */
export function precisionKey({ autoCast: cast }: Precision, rounding: ProgramRounding | undefined): string {
  const casts = cast.mode === 'none' ? '' : ` ${cast.mode} ${cast.type}`;
  if (rounding === undefined) return casts;
  const { replicated, isSplit, layout } = rounding;
  return `${casts} stochastic ${replicated.map(Number).join('')}${isSplit ? ' split' : ''}${layout.key}`;
}

/** A module rewritten for the precision. Its last arguments are the random states of these sections. */
export function inPrecision(
  module: Module,
  { autoCast: cast }: Precision,
  rounding: ProgramRounding | undefined,
): { readonly module: Module; readonly sections: readonly RoundingSection[] } {
  const computed = autoCast(module, cast);
  if (rounding === undefined) return { module: computed, sections: [] };
  const { isSplit, layout } = rounding;
  const replicated = new Set(mainOf(module).body.args.filter((_, i) => rounding.replicated[i]));
  const sectionOf = (op: Op): RoundingSection => layout.at(op);
  return stochasticRounding(computed, { replicated, isSplit, sectionOf });
}

/** For each input of a program, whether all ranks hold the same values: parameters, their moments, numbers from the host. */
export function replicatedInputs({ sources }: TracedProgram, trace: Trace): readonly boolean[] {
  return sources.map(({ impl, host }) => {
    if (impl === undefined) return host !== undefined && host.label !== 'micro-batch';
    return impl.gradOf === undefined && ((impl.requiresGrad && impl.leaf) || trace.assigned.has(impl));
  });
}
