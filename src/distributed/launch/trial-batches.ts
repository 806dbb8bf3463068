// The batches of a trial run (`trenio compile`), in which nothing is trained: of those with the same shapes only the first few of
// an epoch, enough for any number of micro-batches a step. So the last batch, which may be shorter, every other length, and the
// code after the epoch are reached without the whole epoch.
import { isLiteral, Tensor } from '../../tensor/index.ts';

const maxAlike = 16;
/** If a loader yields no new shapes for this many batches, its epoch is ended: it may be infinite. */
const maxSkippingMs = 10_000;

/** Batches are returned or skipped in groups of one step. */
export async function* differentBatches<B>(
  iterator: Iterator<B> | AsyncIterator<B>,
  batchesPerStep: number,
  now: () => number = () => performance.now(),
): AsyncGenerator<B> {
  const seen = new Map<string, number>();
  let last = now();
  for (let isOver = false; !isOver && now() - last <= maxSkippingMs; ) {
    const group: B[] = [];
    while (!isOver && group.length < batchesPerStep) {
      const { done, value } = await iterator.next();
      if (done) isOver = true;
      else group.push(value);
    }
    const forms = group.map(formOf);
    if (forms.every(form => (seen.get(form) ?? 0) >= maxAlike)) continue;
    for (const form of forms) seen.set(form, (seen.get(form) ?? 0) + 1);
    yield* group;
    last = now();
  }
}

/** A key that is equal for batches that produce the same programs: for data only the shape, for anything else the value. */
function formOf(value: unknown): string {
  if (value instanceof Tensor || isLiteral(value)) return JSON.stringify(value.type);
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} ${value.byteLength}`;
  if (isNumbers(value)) return `numbers ${shapeOf(value)}`;
  if (Array.isArray(value)) return `[${value.map(formOf)}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value).map(([key, entry]) => `${key}: ${formOf(entry)}`)}}`;
  return String(value);
}

type Numbers = readonly (number | Numbers)[];
/** Data in nested arrays, which becomes a tensor. */
export const isNumbers = (value: unknown): value is Numbers =>
  Array.isArray(value) && value.length > 0 && value.every(entry => typeof entry === 'number' || isNumbers(entry));
function shapeOf(numbers: Numbers): readonly number[] {
  const [first] = numbers;
  return typeof first === 'object' ? [numbers.length, ...shapeOf(first)] : [numbers.length];
}
