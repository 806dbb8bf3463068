// One training step of a published run, to be traced as the first rank of its layout: nothing of it is computed.
//
//   trenio plan bench/simulator-layouts/train.ts llama2-7b 4096 --batch 64 --zero1 --on trn1.32xlarge --layout dp_shard=64,tp=8 …
import { parseArgs } from 'node:util';
import {
  AdamW,
  DecoderForCausalLM,
  initDeviceMesh,
  optimizerStep,
  parallelize,
  randint,
  zero1,
} from '../../src/index.ts';
import { modelOf } from '../../src/simulator/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    layers: { type: 'string' },
    batch: { type: 'string', default: '1' },
    'micro-batches': { type: 'string', default: '1' },
    recompute: { type: 'string', default: 'none' },
    zero1: { type: 'boolean', default: false },
    // As XLA_USE_BF16 has it: the optimizer's state, too. Otherwise the optimizer has f32 master weights.
    bf16: { type: 'boolean', default: false },
  },
});
const [name, tokens] = positionals as [string, string];
const { hidden, heads, keyValueHeads, feedForward, vocabulary, positions, gated, ...preset } = modelOf(name);
const layers = Number(values.layers ?? preset.layers);
const [batch, sequence] = [Number(values.batch), Number(tokens)];
const shape = { vocab_size: vocabulary, hidden_size: hidden, num_hidden_layers: layers, num_attention_heads: heads };
const mesh = initDeviceMesh();
const model = new DecoderForCausalLM(
  gated
    ? {
        ...shape,
        model_type: 'llama',
        num_key_value_heads: keyValueHeads,
        intermediate_size: feedForward,
        max_position_embeddings: sequence,
      }
    : {
        model_type: 'gpt2',
        vocab_size: vocabulary,
        n_embd: hidden,
        n_layer: layers,
        n_head: heads,
        n_positions: positions,
      },
);
const staged = { schedule: '1F1B', microBatches: Number(values['micro-batches']) } as const;
model.to('bfloat16');
parallelize(model, mesh, {
  sequenceParallel: true,
  fullyShard: false,
  ...(mesh.size('pp') > 1 && { pipeline: staged }),
});
model.recompute(values.recompute as 'none').train();
const formats = values.bf16 ? { stateType: 'bfloat16' as const } : { masterWeights: true };
const adamw = new AdamW(model.parameters(), { lr: 1e-4, ...formats });
const optimizer = values.zero1 ? zero1(adamw, mesh) : adamw;
for (let step = 0; step < 3; step++) {
  const inputIds = randint(0, vocabulary, [batch, sequence]);
  const { loss } = model.forward({ inputIds, labels: inputIds });
  loss.backward();
  optimizerStep(optimizer, { maxGradNorm: 1 });
}
