// Arrays as a dataset: item i is row i of each. The rows are views of the arrays, nothing is copied.
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { byteSize, tensorType } from '../../hlo/types.ts';
import { invalidOption, wrongOption } from '../check-options.ts';
import { type HostArray, literalOf } from '../files/host-array.ts';
import { exportSharedToWorkers } from '../loader/worker-exports.ts';
import { requireIndex } from './combined-datasets.ts';
import type { SyncDataset } from './dataset.ts';

/**
 * Rows of tensors, typed arrays or literals of one length, like PyTorch's class of the same name: item i is the tuple of their
 * rows i.
 * @example
 * const dataset = new TensorDataset(tensor([[1, 2], [3, 4]]), tensor([0, 1]));
 * dataset.length // 2
 */
export class TensorDataset<const A extends readonly HostArray[]>
  implements SyncDataset<{ readonly [K in keyof A]: Literal }>
{
  /** The arrays, whose first dim counts the examples. */
  readonly arrays: readonly Literal[];
  /** The number of examples. */
  readonly length: number;

  /** @throws {INVALID_OPTION} if there are none, one is a scalar, or the first dims differ */
  constructor(...arrays: A) {
    const what = 'TensorDataset';
    if (arrays.length === 0) throw invalidOption(what, 'arrays', 'empty', 'at least one tensor');
    this.arrays = arrays.map((array, i) => {
      const literal = literalOf(array);
      if (literal === undefined) throw wrongOption(what, `array ${i}`, array, 'a tensor, a typed array or a literal');
      return literal;
    });
    this.length = this.arrays[0]!.type.shape[0] ?? 0;
    this.arrays.forEach(({ type: { shape } }, i) => {
      if (shape.length === 0 || shape[0] !== this.length)
        throw invalidOption(
          what,
          `the shape of array ${i}`,
          `[${shape}]`,
          `a first dim of ${this.length}, as that of array 0`,
        );
    });
  }
  /** The elements at an index of each array. @throws {NO_SUCH_ITEM} */
  get(index: number): { readonly [K in keyof A]: Literal } {
    requireIndex(index, this.length);
    return this.arrays.map(array => {
      const type = tensorType(array.type.elementType, array.type.shape.slice(1));
      const size = byteSize(type);
      return literalOfBytes(type, bytesOf(array).subarray(index * size, (index + 1) * size));
    }) as { readonly [K in keyof A]: Literal };
  }
}

exportSharedToWorkers(import.meta.url, { TensorDataset });
