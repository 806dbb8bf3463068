// A table of vectors that are put together bag by bag, as a module.
import { checkCount, type Tensor, wrongArgument } from '../tensor/index.ts';
import { type BagMode, bagModes, embeddingBag } from './embedding-bag.ts';
import * as init from './init.ts';
import { Module } from './module.ts';
import { python } from './module-text.ts';
import { Parameter } from './parameter.ts';
import { checkWord, type Settings, settle } from './settings.ts';

/** Settings of `EmbeddingBag`. */
export interface EmbeddingBagSettings {
  readonly mode?: BagMode;
  readonly includeLastOffset?: boolean;
  readonly paddingIndex?: number | undefined;
}
/**
 * A table of vectors whose bags are summed, averaged or reduced to their largest elements: indices [bags, size], or [count] with
 * offsets [bags] → [bags, width].
 *
 *     const bag = new EmbeddingBag(10, 3, { mode: 'sum' });
 *     bag(tensor([1, 2, 4, 5], { dtype: 'i64' }), tensor([0, 2], { dtype: 'i64' }))      // two bags: [2, 3]
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 */
export class EmbeddingBag extends Module {
  readonly mode: BagMode;
  readonly includeLastOffset: boolean;
  readonly paddingIndex: number | undefined;
  /** [count, width] */
  weight: Parameter;
  constructor(count: number, width: number, ...rest: Settings<EmbeddingBagSettings, []>) {
    super();
    const call = 'EmbeddingBag';
    const names = ['mode', 'includeLastOffset', 'paddingIndex'] as const;
    const {
      mode = 'mean',
      includeLastOffset = false,
      paddingIndex,
    } = settle<EmbeddingBagSettings>(call, [], rest, names);
    checkCount(call, 'the number of vectors', count);
    checkCount(call, 'the width', width);
    if (
      paddingIndex !== undefined &&
      !(Number.isInteger(paddingIndex) && paddingIndex >= -count && paddingIndex < count)
    )
      throw wrongArgument({ call, argument: 'paddingIndex' }, paddingIndex, `an index of one of the ${count} vectors`);
    this.mode = checkWord(call, 'mode', mode, bagModes);
    this.includeLastOffset = includeLastOffset;
    this.paddingIndex = paddingIndex !== undefined && paddingIndex < 0 ? paddingIndex + count : paddingIndex;
    this.weight = new Parameter(init.table([count, width], 1, this.paddingIndex), { fresh: true });
  }
  override forward(index: Tensor, offsets?: Tensor, perSampleWeights?: Tensor): Tensor {
    const { mode, includeLastOffset, paddingIndex } = this;
    return embeddingBag(index, this.weight, offsets, { mode, includeLastOffset, paddingIndex, perSampleWeights });
  }
  protected override extraRepr(): string {
    const [count, width] = this.weight.shape;
    const padding = this.paddingIndex === undefined ? '' : `, padding_idx=${this.paddingIndex}`;
    return `${count}, ${width}, mode=${python(this.mode)}${padding}`;
  }
}
