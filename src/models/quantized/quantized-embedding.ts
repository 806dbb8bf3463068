// Token embeddings that stay quantized in memory: the rows that are looked up are widened, and so is the whole table in the
// multiply of a tied head.
import { Module, StateBuffer } from '../../nn/index.ts';
import type { Device, Tensor } from '../../tensor/index.ts';
import {
  isInterleaved,
  type QuantizedWeights,
  type WeightFormat,
  widenedRows,
  widenedWeights,
} from './weight-formats.ts';

/** A table [count, width] in a format whose blocks are parts of rows. */
export class QuantizedEmbedding extends Module {
  readonly numEmbeddings: number;
  readonly embeddingDim: number;
  readonly quantization: WeightFormat;
  quantized: StateBuffer;
  scales: StateBuffer;
  constructor(count: number, width: number, quantization: WeightFormat, { quantized, scales }: QuantizedWeights) {
    super();
    this.numEmbeddings = count;
    this.embeddingDim = width;
    this.quantization = quantization;
    this.quantized = new StateBuffer(quantized, { fresh: true });
    this.scales = new StateBuffer(scales, { fresh: true });
  }
  /** @internal Whether 16 rows take turns in memory: their products have the same bits for any number of rows. */
  get isInterleaved(): boolean {
    return isInterleaved(this.quantization, this.numEmbeddings, this.embeddingDim);
  }
  get device(): Device {
    return this.quantized.device;
  }
  /** The widened table, f32 [count, width]. */
  get weight(): Tensor {
    return widenedWeights(this.quantization, this, this.numEmbeddings, this.embeddingDim);
  }
  /** Indices, integers of any shape → [.., width] */
  override forward(index: Tensor): Tensor {
    const flat = index.reshape(-1);
    return widenedRows(this.quantization, this, flat, this.numEmbeddings, this.embeddingDim).reshape(
      ...index.shape,
      this.embeddingDim,
    );
  }
  protected override extraRepr(): string {
    return `${this.numEmbeddings}, ${this.embeddingDim}, ${this.quantization}`;
  }
}
