// PyTorch's autocast: within it, multiplies are recorded in low precision whatever the types of their operands, and sums,
// exponentials and losses in f32. Parameters do not change; their conversions are part of the program, once per step.
// Auto-cast of whole programs is in `precision.ts`.
import { TrenioError } from '../base/errors.ts';
import { setAutocastType } from './autocast-type.ts';
import { checkFunction } from './check-arguments.ts';
import { during } from './during.ts';
import { userLocation } from './location.ts';
import { checkWord, settle } from './settings.ts';
import { type DType, dtypeName, elementTypeOf } from './types/dtype.ts';

const deviceTypes = ['cpu', 'cuda', 'mps', 'xla', 'xpu'] as const;
type DeviceType = (typeof deviceTypes)[number];
const order = ['deviceType', 'dtype', 'enabled', 'cacheEnabled'] as const;

/** Options of `autocast`. */
export interface AutocastOptions {
  /** bfloat16 by default, or float16. */
  readonly dtype?: DType;
  /** False to compute a part in float32 again. */
  readonly enabled?: boolean;
  /** Accepted, as in PyTorch, without effect: there is one kind of device. */
  readonly deviceType?: DeviceType;
  /** Accepted, as in PyTorch, without effect. */
  readonly cacheEnabled?: boolean;
}

/**
 * Runs `body` with multiplies recorded in `dtype`. With an async `body`, this lasts until its promise settles. The arguments
 * may also come first, in PyTorch's order, as in `with torch.autocast(…):`.
 * @throws {INVALID_OPTION}
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = new nn.Linear(2, 2), x = randn(1, 2);
 * autocast(() => layer(x), { dtype: 'bfloat16' }).dtype // 'bfloat16'
 * autocast('cpu', 'float16', () => layer(x)).dtype // 'float16'
 * autocast({ deviceType: 'cpu', dtype: 'float16' }, () => layer(x)).dtype // 'float16'
 */
export function autocast<T>(body: () => T, options?: AutocastOptions): T;
export function autocast<T>(first: DeviceType | AutocastOptions, body: () => T): T;
export function autocast<T>(deviceType: DeviceType, second: DType | AutocastOptions, body: () => T): T;
export function autocast<T>(deviceType: DeviceType, dtype: DType, enabled: boolean, body: () => T): T;
export function autocast(...args: readonly unknown[]): unknown {
  const isFirst = typeof args[0] === 'function';
  const body = isFirst ? args[0] : args.at(-1);
  checkFunction('autocast', 'the body', body);
  const options = settle<AutocastOptions>('autocast', order, isFirst ? args.slice(1) : args.slice(0, -1));
  if (options.deviceType !== undefined) checkWord('autocast', 'deviceType', options.deviceType, deviceTypes);
  const type = elementTypeOf(options.dtype ?? 'bf16');
  if (type !== 'bf16' && type !== 'f16')
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'autocast', option: 'dtype', got: dtypeName(type), expected: 'bfloat16 or float16' },
      { location: userLocation() },
    );
  const before = setAutocastType(options.enabled === false ? undefined : type);
  return during(body as () => unknown, () => {
    setAutocastType(before);
  });
}
