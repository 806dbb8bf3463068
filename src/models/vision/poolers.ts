// The vectors of images that image encoders compute from their tokens. N batch, S tokens, H width.
import { init, LayerNorm, type Linear, Module, MultiheadAttention, Parameter } from '../../nn/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import { activationOf } from '../activations.ts';
import { EncoderIntermediate, EncoderOutput } from '../encoder/block.ts';
import { normalLinear } from '../layers.ts';
import type { VisionConfig } from './architectures.ts';
import type { VisionLayout } from './layout.ts';

/** The first token, projected (ViT): [N, S, H] → [N, H]. */
export class DensePooler extends Module {
  readonly #activation: (x: Tensor) => Tensor;
  dense: Linear;
  constructor(width: number, { pooler_output_size: outputs, pooler_act: activation }: VisionConfig, std: number) {
    super();
    this.#activation = activationOf(activation ?? 'tanh');
    this.dense = normalLinear(std, width, outputs ?? width);
  }
  override forward(x: Tensor): Tensor {
    return this.#activation(this.dense.forward(x.select(1, 0)));
  }
}

/** A trained query that attends to all tokens, and a feed-forward network (SigLIP): [N, S, H] → [N, H]. */
export class AttentionPooler extends Module {
  probe: Parameter;
  attention: MultiheadAttention;
  norm: LayerNorm;
  intermediate: EncoderIntermediate;
  output: EncoderOutput;
  constructor({ block }: VisionLayout) {
    super();
    const { width, heads, norm, innerWidth } = block;
    this.probe = new Parameter(init.normal([1, 1, width], 0, block.initializerRange), { fresh: true });
    this.attention = new MultiheadAttention(width, heads, { batchFirst: true });
    this.norm = new LayerNorm(width, { eps: norm.eps });
    this.intermediate = new EncoderIntermediate(block);
    this.output = new EncoderOutput(block, innerWidth);
  }
  override forward(x: Tensor): Tensor {
    const query = this.probe.expand(x.shape[0]!, 1, x.shape[2]!);
    const [attended] = this.attention.forward(query, x, x, { needWeights: false });
    const inner = this.intermediate.forward(this.norm.forward(attended));
    return this.output.forward(inner, attended).select(1, 0);
  }
}
