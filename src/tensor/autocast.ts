// PyTorch's autocast: within it, multiplies are recorded in low precision whatever the types of their operands, and sums,
// exponentials and losses in f32. Parameters do not change; their conversions are part of the program, once per step.
// Auto-cast of whole programs is in `precision.ts`.
import { TrenioError } from '../base/errors.ts';
import type { ElementType } from '../hlo/types.ts';
import { checkFunction } from './check-arguments.ts';
import { type DType, dtypeName, elementTypeOf } from './dtype.ts';
import { during } from './during.ts';
import { userLocation } from './location.ts';

let current: ElementType | undefined;

/** The type of multiplies that are recorded now; undefined outside of `autocast`. */
export const autocastType = (): ElementType | undefined => current;

/** Options of `autocast`. */
export interface AutocastOptions {
  /** bfloat16 by default, or float16. */
  readonly dtype?: DType;
  /** False to compute a part in float32 again. */
  readonly enabled?: boolean;
  /** Accepted, as in PyTorch, without effect: there is one kind of device. */
  readonly deviceType?: string;
  /** Accepted, as in PyTorch, without effect. */
  readonly cacheEnabled?: boolean;
}

/**
 * Runs `body` with multiplies recorded in `dtype`. With an async `body`, this lasts until its promise settles. The options
 * may also come first, as in PyTorch's `with torch.autocast(…):`.
 * @throws {INVALID_OPTION}
 * @example
 * const layer = new nn.Linear(2, 2), x = randn(1, 2);
 * autocast(() => layer(x), { dtype: 'bfloat16' }).dtype // 'bfloat16'
 * autocast({ deviceType: 'cpu', dtype: 'float16' }, () => layer(x)).dtype // 'float16'
 */
export function autocast<T>(body: () => T, options?: AutocastOptions): T;
export function autocast<T>(options: AutocastOptions, body: () => T): T;
export function autocast<T>(first: (() => T) | AutocastOptions, second: (() => T) | AutocastOptions = {}): T {
  const [body, options] = typeof first === 'function' ? [first, second as AutocastOptions] : [second, first];
  checkFunction('autocast', 'the body', body);
  const type = elementTypeOf(options.dtype ?? 'bf16');
  if (type !== 'bf16' && type !== 'f16')
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'autocast', option: 'dtype', got: dtypeName(type), expected: 'bfloat16 or float16' },
      { location: userLocation() },
    );
  const before = current;
  current = options.enabled === false ? undefined : type;
  return during(body as () => T, () => {
    current = before;
  });
}
