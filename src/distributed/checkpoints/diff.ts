// The differences between two checkpoints: tensors, bit by bit, and the rest of the state. The number of ranks that wrote them,
// the division into pieces, and whether the optimizer's state was divided among ranks do not matter.
import { bytesOf, type Literal, numberAt } from '../../hlo/literal.ts';
import { byteSize, elementCount, formatType, sameType } from '../../hlo/types.ts';
import { CheckpointReader } from './read-checkpoint.ts';
import type { Json } from './state-tree.ts';

/** One difference between two checkpoints. */
export type CheckpointDifference =
  | {
      /** A tensor that one of them lacks. */
      readonly kind: 'only-in';
      /** The checkpoint that has it. */
      readonly which: 'first' | 'second';
      /** Its name. */
      readonly tensor: string;
    }
  | {
      /** A tensor of another data type or shape. */
      readonly kind: 'type';
      /** Its name. */
      readonly tensor: string;
      /** Its type in the first. */
      readonly first: string;
      /** Its type in the second. */
      readonly second: string;
    }
  | {
      /** A tensor with other elements. */
      readonly kind: 'elements';
      /** Its name. */
      readonly tensor: string;
      /** The number of elements that differ in any bit. */
      readonly different: number;
      /** The largest difference of two numbers. */
      readonly maxDifference: number;
    }
  | {
      /** Another value in the rest of the state. */
      readonly kind: 'state';
      /** The path: names joined by dots. */
      readonly path: string;
      /** The value in the first; undefined if it has none. */
      readonly first: Json | undefined;
      /** The value in the second; undefined if it has none. */
      readonly second: Json | undefined;
    };

/**
 * The differences between the checkpoints in two directories; none if a run resumed from either gives the same bits.
 * @throws {CHECKPOINT_INVALID} @throws {CHECKPOINT_DAMAGED} @throws {FILE_UNREADABLE}
 * @example
 * ```ts no-run
 * const differences = await diffCheckpoints('checkpoints/checkpoint-100', 'checkpoints/checkpoint-200');
 * for (const difference of differences) console.log(difference);
 * ```
 */
export async function diffCheckpoints(
  first: string,
  second: string,
  onProgress: (doneBytes: number, totalBytes: number) => void = () => {},
): Promise<readonly CheckpointDifference[]> {
  await using a = await CheckpointReader.open(first);
  await using b = await CheckpointReader.open(second);
  const differences: CheckpointDifference[] = [];
  const total = [...a.types.values()].reduce((sum, type) => sum + byteSize(type), 0);
  let done = 0;
  for (const [name, type] of a.types) {
    const other = b.types.get(name);
    if (other === undefined) differences.push({ kind: 'only-in', which: 'first', tensor: name });
    else if (!sameType(type, other))
      differences.push({ kind: 'type', tensor: name, first: formatType(type), second: formatType(other) });
    else {
      const found = elementsThatDiffer(await a.read(name), await b.read(name));
      if (found.different > 0) differences.push({ kind: 'elements', tensor: name, ...found });
    }
    done += byteSize(type);
    onProgress(done, total);
  }
  for (const name of b.types.keys())
    if (!a.types.has(name)) differences.push({ kind: 'only-in', which: 'second', tensor: name });
  compareState('', a.manifest.state, b.manifest.state, differences);
  if (a.manifest.step !== b.manifest.step)
    differences.push({ kind: 'state', path: 'step', first: a.manifest.step, second: b.manifest.step });
  return differences;
}

function elementsThatDiffer(a: Literal, b: Literal): { readonly different: number; readonly maxDifference: number } {
  if (Buffer.compare(bytesOf(a), bytesOf(b)) === 0) return { different: 0, maxDifference: 0 };
  const [bytes, others] = [bytesOf(a), bytesOf(b)];
  const elements = elementCount(a.type.shape);
  const size = bytes.byteLength / elements;
  let different = 0;
  let maxDifference = 0;
  for (let i = 0; i < elements; i++) {
    const at = Math.floor(i * size);
    let isSame = true;
    for (let k = at; k < at + size; k++) isSame &&= bytes[k] === others[k];
    if (isSame) continue;
    different++;
    const distance = Math.abs(numberAt(a, i) - numberAt(b, i));
    if (!(distance <= maxDifference)) maxDifference = distance;
  }
  return { different, maxDifference };
}

function compareState(
  path: string,
  a: Json | undefined,
  b: Json | undefined,
  differences: CheckpointDifference[],
): void {
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  const isTree = (value: Json | undefined): value is { readonly [key: string]: Json } =>
    typeof value === 'object' && value !== null;
  if (!isTree(a) || !isTree(b) || Array.isArray(a) !== Array.isArray(b)) {
    differences.push({ kind: 'state', path, first: a, second: b });
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
    compareState(path === '' ? key : `${path}.${key}`, a[key], b[key], differences);
}
