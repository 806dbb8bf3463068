// Weights for inference in panels of 32 outputs, as multiplies read them: a row has the same bits for any number of rows, and no
// weight is packed again in each step. See `GemmSpec.panel`.
//
//   f32 [panels, in, 32]        bf16 [panels, in / 2, 32, 2]        the last panel is padded with zeros
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { tensorTypeOf } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { Embedding, Linear, Module, StateBuffer } from '../../nn/index.ts';
import { collectGarbage } from '../../runtime/execution/garbage.ts';
import { checkIndices, type Device, type DType, record, type Tensor, tensor } from '../../tensor/index.ts';

const columns = 32;

/** A matrix [outputs, inputs] in panels. */
export class PanelMatrix extends Module {
  readonly outputs: number;
  readonly inputs: number;
  panels: StateBuffer;
  constructor(weight: Tensor) {
    super();
    const [outputs, inputs] = weight.shape as [number, number];
    this.outputs = outputs;
    this.inputs = inputs;
    this.panels = new StateBuffer(tensor(inPanels(weight.literal()), { device: weight.device }), { fresh: true });
  }
  get device(): Device {
    return this.panels.device;
  }
  get dtype(): DType {
    return this.panels.dtype;
  }
  get #isPaired(): boolean {
    return this.panels.ndim === 4;
  }

  /** x [.., inputs] by the transpose of the matrix → [.., outputs] */
  override forward(x: Tensor): Tensor {
    const outer = x.shape.slice(0, -1);
    const rows = outer.reduce((count, size) => count * size, 1);
    const { inputs, outputs } = this;
    return record('panelLinear', [x.to(this.dtype), this.panels], (b, [given, panels]) => {
      const terms = this.#isPaired ? [inputs / 2, 2] : [inputs];
      const y = b.dotGeneral(b.reshape(given!, [rows, ...terms]), panels!, {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: terms.map((_, i) => i + 1),
        rhsContractingDimensions: this.#isPaired ? [1, 3] : [1],
      });
      const padded = tensorTypeOf(panels!).shape[0]! * columns;
      const whole = b.reshape(y, [rows, padded]);
      const own = padded === outputs ? whole : b.slice(whole, [0, 0], [rows, outputs]);
      return b.reshape(own, [...outer, outputs]);
    });
  }

  /** The rows `index` of the matrix, [..] → [.., inputs]. */
  rowsAt(index: Tensor): Tensor {
    const count = index.numel();
    const { inputs, outputs } = this;
    const rows = record('panelRows', [this.panels, index], (b, [panels, given], trace) => {
      const row = b.reshape(b.convert(given!, 'i32'), [count, 1]);
      const perPanel = b.like(row, columns);
      const places = b.concatenate([b.divide(row, perPanel), b.binary('remainder', row, perPanel)], 1);
      const inner = this.#isPaired ? [inputs / 2, 2] : [inputs];
      const found = b.gather(
        panels!,
        places,
        {
          offsetDims: inner.map((_, i) => i + 1),
          collapsedSliceDims: [0, 2],
          operandBatchingDims: [],
          startIndicesBatchingDims: [],
          startIndexMap: [0, 2],
          indexVectorDim: 1,
        },
        [1, inner[0]!, 1, ...inner.slice(1)],
      );
      const result = b.reshape(found, [count, inputs]);
      checkIndices(b, trace, { op: 'embedding', index: given!, dim: 0, size: outputs }, result);
      return result;
    });
    return rows.reshape(...index.shape, inputs);
  }
  /** Overwrites a part, which is in panels itself, from these indices on: i32, one for each dim of the panels. */
  write(part: Tensor, starts: readonly Tensor[]): void {
    this.panels.assign_(
      record('panelWrite', [this.panels, part, ...starts], (b, operands) =>
        b.emit1('dynamic_update_slice', operands, {}),
      ),
    );
  }
  protected override extraRepr(): string {
    return `${this.outputs}, ${this.inputs}`;
  }
}

/** A linear layer whose weights are in panels. */
export class PanelLinear extends Module {
  readonly inFeatures: number;
  readonly outFeatures: number;
  matrix: PanelMatrix;
  bias: Linear['bias'];
  constructor(layer: Linear) {
    super();
    this.inFeatures = layer.inFeatures;
    this.outFeatures = layer.outFeatures;
    this.matrix = new PanelMatrix(layer.weight);
    this.bias = layer.bias;
  }
  override forward(x: Tensor): Tensor {
    const y = this.matrix.forward(x);
    return this.bias == null ? y : y.add(this.bias.to(y.dtype));
  }
}

/** Token embeddings in panels, which are the weights of a tied head, too. */
export class PanelEmbedding extends Module {
  readonly numEmbeddings: number;
  readonly embeddingDim: number;
  matrix: PanelMatrix;
  constructor({ weight, numEmbeddings, embeddingDim }: Embedding) {
    super();
    this.numEmbeddings = numEmbeddings;
    this.embeddingDim = embeddingDim;
    this.matrix = new PanelMatrix(weight);
  }
  /** The table: of its type and on its device, in panels. */
  get weight(): Tensor {
    return this.matrix.panels;
  }
  override forward(index: Tensor): Tensor {
    return this.matrix.rowsAt(index);
  }
  /** Logits [.., count] of hidden states [.., width]. */
  project(x: Tensor): Tensor {
    return this.matrix.forward(x);
  }
}

/** [outputs, inputs] → panels; pairs of bf16 are moved as words. */
export function inPanels(weight: Literal): Literal {
  const [outputs, inputs] = weight.type.shape as [number, number];
  const { elementType } = weight.type;
  const isPaired = elementType === 'bf16';
  const count = Math.ceil(outputs / columns);
  const words = isPaired ? inputs / 2 : inputs;
  const shape = isPaired ? [count, words, columns, 2] : [count, words, columns];
  const from = bytesOf(weight);
  const source = new Uint32Array(from.buffer, from.byteOffset, from.byteLength / 4);
  const target = new Uint32Array(count * words * columns);
  for (let panel = 0; panel < count; panel++) {
    const start = panel * words * columns;
    const rows = Math.min(columns, outputs - panel * columns);
    for (let row = 0; row < rows; row++) {
      const at = (panel * columns + row) * words;
      for (let k = 0; k < words; k++) target[start + k * columns + row] = source[at + k]!;
    }
  }
  return literalOfBytes(tensorType(elementType, shape), new Uint8Array(target.buffer));
}

const fits = (weight: Tensor): boolean =>
  weight.type.elementType === 'f32' || (weight.type.elementType === 'bf16' && weight.shape[1]! % 2 === 0);

/** The bytes of replaced weights after which garbage is collected. */
const collectAfterBytes = 1 << 28;

/** Replaces the linear layers of a model, and its token embeddings if they are the weights of its head. For inference only. */
export function panelWeights(model: Module, tied: string | undefined): void {
  let replaced = 0;
  for (const [name, layer] of [...model.namedModules()]) {
    const isTied = name === tied && layer instanceof Embedding;
    if (name === '' || !(layer instanceof Linear || isTied) || !fits(layer.weight)) continue;
    model.setSubmodule(name, isTied ? new PanelEmbedding(layer) : new PanelLinear(layer as Linear));
    replaced += layer.weight.numel() * 4;
    if (replaced < collectAfterBytes) continue;
    replaced = 0;
    layer.weight.device.synchronize();
    collectGarbage();
  }
}
