// How tensors are printed: PyTorch's `set_printoptions`, with its names in camelCase and its defaults. Settings of the process,
// as in PyTorch. They only affect text.
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';

/** How tensors are printed. */
export interface PrintOptions {
  /** Digits after the decimal point. */
  readonly precision: number;
  /** Tensors with more elements than this are summarized. */
  readonly threshold: number;
  /** How many entries a summary shows at each end of a dim. */
  readonly edgeitems: number;
  /** Characters in a line. */
  readonly linewidth: number;
  /** Scientific notation: always, never, or depending on the range of the elements (undefined). */
  readonly sciMode: boolean | undefined;
}

/** The options of `setPrintOptions`. */
export interface PrintSettings extends Partial<PrintOptions> {
  /** Sets the others first: `default`; `short` has a precision of 2 and two edge items; `full` never summarizes. */
  readonly profile?: 'default' | 'short' | 'full' | undefined;
}

const defaults: PrintOptions = { precision: 4, threshold: 1000, edgeitems: 3, linewidth: 80, sciMode: undefined };
const profiles: Readonly<Record<string, PrintOptions>> = {
  default: defaults,
  short: { ...defaults, precision: 2, edgeitems: 2 },
  full: { ...defaults, threshold: Number.POSITIVE_INFINITY },
};
const limits = {
  precision: [0, 40],
  threshold: [0, Number.POSITIVE_INFINITY],
  edgeitems: [0, Number.MAX_SAFE_INTEGER],
  linewidth: [1, Number.MAX_SAFE_INTEGER],
} as const;

let current = defaults;

/** @internal */
export const printOptions = (): PrintOptions => current;

/**
 * Sets how tensors are printed from now on, like PyTorch's `set_printoptions`. Omitted settings do not change.
 *
 * ```ts
 * setPrintOptions({ precision: 2, linewidth: 120 });
 * setPrintOptions({ profile: 'full' }); // every element, of the largest tensors too
 * setPrintOptions({ profile: 'default' });
 * ```
 * @throws {NO_SUCH_OPTION}
 * @throws {INVALID_OPTION}
 * @example
 * setPrintOptions({ precision: 2 });
 * console.log(String(tensor([1 / 3]))); // tensor([0.33])
 */
export function setPrintOptions(settings: PrintSettings): void {
  const what = 'setPrintOptions';
  refuseUnknownOptions(what, settings, [...Object.keys(limits), 'sciMode', 'profile']);
  const { profile } = settings;
  if (profile !== undefined && !Object.hasOwn(profiles, profile))
    throw invalid('profile', profile, Object.keys(profiles).join(', '));
  const next: { -readonly [K in keyof PrintOptions]: PrintOptions[K] } = {
    ...(profile === undefined ? current : profiles[profile]!),
  };
  for (const option of ['precision', 'threshold', 'edgeitems', 'linewidth'] as const) {
    const value = settings[option];
    if (value === undefined) continue;
    const [min, max] = limits[option];
    const isWhole = Number.isSafeInteger(value) || (option === 'threshold' && value === max);
    if (!isWhole || value < min || value > max)
      throw invalid(option, value, max > 40 ? `an integer, ${min} or more` : `an integer from ${min} to ${max}`);
    next[option] = value;
  }
  if ('sciMode' in settings) {
    const { sciMode } = settings;
    if (sciMode !== undefined && typeof sciMode !== 'boolean')
      throw invalid('sciMode', sciMode, 'true, false, or undefined to decide by the elements');
    next.sciMode = sciMode;
  }
  current = next;
}

const invalid = (option: string, got: unknown, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'setPrintOptions', option, got: String(got), expected });
