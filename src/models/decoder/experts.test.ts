// Experts with a capacity: the same as without where no token is dropped; the first tokens are kept.
import { beforeEach, expect, test } from 'vitest';
import { autograd, device, manualSeed, randn, setDefaultDevice, type Tensor } from '../../tensor/index.ts';
import { decoderConfig, decoderLayout } from './architectures.ts';
import { DecoderExperts } from './experts.ts';

beforeEach(() => {
  setDefaultDevice(device('interpreter'));
  manualSeed(3);
});
const expertsOf = (model_type: string, perToken: number): DecoderExperts => {
  const sizes = { hidden_size: 8, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 12, head_dim: 4 };
  const routing = { num_local_experts: 4, num_experts: 4, num_experts_per_tok: perToken, moe_intermediate_size: 12 };
  const layout = decoderLayout(decoderConfig({ model_type, initializer_range: 0.5, ...sizes, ...routing }));
  return new DecoderExperts(layout, layout.layers[0]!.experts!);
};
const numbers = (x: Tensor): readonly number[] => Array.from(x.data as Float32Array);

test.each(['mixtral', 'gpt_oss', 'qwen3_moe'])(
  '%s: with room for all tokens, values and gradients are the same',
  kind => {
    const experts = expertsOf(kind, 2);
    const x = randn(2, 5, 8).requiresGrad_();
    const outcome = (capacityFactor: number | undefined): readonly (readonly number[])[] => {
      experts.capacityFactor = capacityFactor;
      const y = experts.forward(x);
      const gradients = autograd.grad(y.mul(y).sum(), [x, ...experts.parameters()]);
      return [y, ...gradients].map(one => numbers(one!));
    };
    const [expected, got] = [outcome(undefined), outcome(4)];
    for (const [i, list] of got.entries())
      for (const [k, value] of list.entries()) expect(value).toBeCloseTo(expected[i]![k]!, 4);
  },
);

test('an expert keeps the first tokens of each sequence, and adds nothing to the others', () => {
  const experts = expertsOf('mixtral', 1);
  const x = randn(3, 8, 8);
  const all = experts.forward(x).toArray() as number[][][];
  const choices = experts.gate.forward(x).argmax(-1).toArray() as number[][];
  experts.capacityFactor = 1; // 8 tokens, 4 experts: 2 each
  const kept = experts.forward(x).toArray() as number[][][];
  let dropped = 0;
  for (const [b, sequence] of choices.entries())
    for (const [t, expert] of sequence.entries()) {
      const isKept = sequence.slice(0, t).filter(other => other === expert).length < 2;
      if (!isKept) dropped++;
      for (const [h, value] of kept[b]![t]!.entries()) expect(value).toBeCloseTo(isKept ? all[b]![t]![h]! : 0, 5);
    }
  expect(dropped).toBeGreaterThan(0);
});
