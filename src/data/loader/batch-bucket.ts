// Sequences of different lengths in one batch: padded to the smallest of a few sizes, so that a step compiles one program for
// each size that occurs. One size for the whole batch: that of its longest sequence.
//
//   lengths 7, 52, 80    bucket [64, 128]    ──▶  [3, 128]
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { bytesOf, type Literal, literalOfBytes, splat } from '../../hlo/literal.ts';
import { formatType, tensorType } from '../../hlo/types.ts';
import { bucketOf } from '../../tensor/functions/bucket.ts';
import { literalFrom, type NestedNumbers } from '../../tensor/types/host-data.ts';
import { invalidOption, wrongOption } from '../check-options.ts';
import { literalOf } from '../files/host-array.ts';

/** How `DataLoader` pads sequences. */
export interface BucketOptions {
  /** The lengths to pad to, such as [64, 128, 256]; above the largest, its multiples. */
  readonly sizes: readonly number[];
  /**
   * Which fields of an item are padded: names, or positions in a tuple. Default: every field that is a sequence of numbers (has
   * one dim). Fields named here may have more dims; the first is padded.
   */
  readonly fields?: readonly (string | number)[] | undefined;
  /** The value to pad with, for all fields or by field. Default: −100 for `labels`, which losses ignore, 0 for all others. */
  readonly padValue?: number | Readonly<Record<string, number>> | undefined;
  /** Adds a field of this name to items that are objects: 1 for each element of the longest sequence, 0 for padding (int32). */
  readonly mask?: string | undefined;
}

const defaultPadValues: Readonly<Record<string, number>> = { labels: -100 };

/**
 * The normalized options.
 * @throws {INVALID_OPTION}
 * @throws {NO_SUCH_OPTION}
 */
export function bucketOptions(given: readonly number[] | BucketOptions): BucketOptions {
  const what = 'DataLoader';
  const options: BucketOptions = Array.isArray(given) ? { sizes: given } : (given as BucketOptions);
  if (typeof options !== 'object' || options === null)
    throw wrongOption(what, 'bucket', given, 'sizes, such as [64, 128, 256], or { sizes, fields, padValue, mask }');
  refuseUnknownOptions(`${what}'s bucket`, options, ['sizes', 'fields', 'padValue', 'mask']);
  const { sizes, fields, padValue, mask } = options;
  if (!Array.isArray(sizes) || sizes.length === 0 || !sizes.every(size => Number.isSafeInteger(size) && size > 0))
    throw invalidOption(what, 'bucket', String(sizes), 'sizes, such as [64, 128, 256]');
  if (fields !== undefined && (!Array.isArray(fields) || fields.length === 0))
    throw wrongOption(what, 'bucket.fields', fields, 'an array of names, or of positions in a tuple');
  const values = typeof padValue === 'object' && padValue !== null ? Object.entries(padValue) : [['', padValue ?? 0]];
  for (const [field, value] of values)
    if (typeof value !== 'number')
      throw wrongOption(what, `bucket.padValue${field === '' ? '' : `.${field}`}`, value, 'a number');
  if (mask !== undefined && typeof mask !== 'string')
    throw wrongOption(what, 'bucket.mask', mask, 'the name of the field to add');
  return options;
}

type Sequence = Literal | readonly number[];
const isList = (sequence: Sequence): sequence is readonly number[] => Array.isArray(sequence);
const lengthOf = (sequence: Sequence): number => (isList(sequence) ? sequence.length : (sequence.type.shape[0] ?? 0));

/**
 * The items with their sequences padded to the bucket of the longest one.
 * @throws {INVALID_OPTION} if items have no sequences, or lack the named fields
 */
export function padItems<T>(items: readonly T[], options: BucketOptions): readonly T[] {
  const perItem = items.map(item => sequencesOf(item, options));
  const lengths = perItem.map(sequences => Math.max(0, ...[...sequences.values()].map(lengthOf)));
  const size = bucketOf(Math.max(1, ...lengths), options.sizes);
  return items.map((item, i) => {
    const padded = [...perItem[i]!].map(
      ([field, sequence]) => [field, pad(sequence, size, padValueOf(field, options))] as const,
    );
    const whole = padded.find(([field]) => field === '');
    if (whole !== undefined) return whole[1] as T;
    if (Array.isArray(item)) return Object.assign([...item], Object.fromEntries(padded)) as T;
    const mask = options.mask === undefined ? {} : { [options.mask]: maskOf(lengths[i]!, size) };
    return { ...item, ...Object.fromEntries(padded), ...mask };
  });
}

function padValueOf(field: string, { padValue }: BucketOptions): number {
  if (typeof padValue === 'number') return padValue;
  return padValue?.[field] ?? defaultPadValues[field] ?? 0;
}

function maskOf(length: number, size: number): Int32Array {
  return new Int32Array(size).fill(1, 0, length);
}

/** The sequences of an item by field; an item that is itself a sequence is under ''. */
function sequencesOf(item: unknown, { fields }: BucketOptions): ReadonlyMap<string, Sequence> {
  const whole = literalOf(item);
  if (whole !== undefined) {
    if (whole.type.shape.length > 0) return new Map([['', whole]]);
    throw invalidOption('DataLoader', 'bucket', `set for items of type ${formatType(whole.type)}`, 'sequences');
  }
  const entries = typeof item === 'object' && item !== null ? Object.entries(item) : [];
  const found = new Map<string, Sequence>();
  for (const [field, value] of entries) {
    if (fields !== undefined && !fields.map(String).includes(field)) continue;
    const sequence = sequenceOf(value);
    if (sequence === undefined) continue;
    const dims = isList(sequence) ? 1 : sequence.type.shape.length;
    if (fields !== undefined || dims === 1) found.set(field, sequence);
  }
  for (const field of fields ?? [])
    if (!found.has(String(field)))
      throw invalidOption(
        'DataLoader',
        'bucket.fields',
        `'${field}', which is not a sequence in the items`,
        `some of ${entries.map(([name]) => name).join(', ') || 'the fields of the items'}`,
      );
  if (found.size === 0)
    throw invalidOption('DataLoader', 'bucket', 'set for items without sequences', 'items with arrays of numbers');
  return found;
}

function sequenceOf(value: unknown): Sequence | undefined {
  if (!Array.isArray(value)) {
    const found = literalOf(value);
    return found === undefined || found.type.shape.length === 0 ? undefined : found;
  }
  if (value.every(v => typeof v === 'number')) return value as readonly number[];
  // Rows: the collate function reports arrays of non-numbers or of different sizes.
  const first = (value as readonly unknown[])[0];
  return Array.isArray(first) && first.every(v => typeof v === 'number')
    ? literalFrom(value as NestedNumbers, undefined, undefined)
    : undefined;
}

function pad(sequence: Sequence, size: number, value: number): Sequence {
  const length = lengthOf(sequence);
  if (length === size) return sequence;
  if (isList(sequence)) return [...sequence, ...new Array<number>(size - length).fill(value)];
  const { type } = sequence;
  const padded = tensorType(type.elementType, [size, ...type.shape.slice(1)]);
  // An empty sequence is all padding: there are no bytes to copy.
  const bytes = bytesOf(splat(padded, value));
  bytes.set(bytesOf(sequence));
  return literalOfBytes(padded, bytes);
}
