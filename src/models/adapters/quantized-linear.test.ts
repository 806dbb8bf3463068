// Quantized weights compared with the nearest values of their format, computed here; models and adapters on them.
import { expect, test } from 'vitest';
import { toNumbers } from '../../hlo/literal.ts';
import { Linear, Sequential } from '../../nn/index.ts';
import { device, manualSeed, randn, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { DecoderForCausalLM } from '../decoder/decoder.ts';
import { nextTokenLoss } from '../next-token-loss.ts';
import { nf4Code } from '../quantized/weight-formats.ts';
import { addAdapter } from './adapter.ts';
import { type Quantization, QuantizedLinear, quantizeWeights } from './quantized-linear.ts';

const numbers = (x: Tensor): number[] => toNumbers(x.literal());
const f32 = Math.fround;

/** The nearest weight of the format, in plain arithmetic. */
function nearest(kind: Quantization, weights: readonly number[], width: number): number[] {
  const size = kind === 'nf4' ? 64 : width;
  return weights.map((weight, i) => {
    const first = Math.floor(i / size) * size;
    const scale = Math.max(...weights.slice(first, first + size).map(Math.abs));
    if (kind === 'int8') return (Math.round(f32(f32(weight / scale) * 127)) * scale) / 127;
    const scaled = weight / scale;
    return scale * nf4Code.reduce((best, one) => (Math.abs(one - scaled) < Math.abs(best - scaled) ? one : best));
  });
}

test.each<[string, Quantization]>([
  ['interpreter', 'int8'],
  ['interpreter', 'nf4'],
  ['cpu', 'nf4'],
])('%s: %s weights are the nearest ones', (on, kind) => {
  setDefaultDevice(device(on));
  manualSeed(1);
  const layer = new Linear(27, 10);
  const want = nearest(kind, numbers(layer.weight), 27);
  const quantized = new QuantizedLinear(layer, kind);
  const got = numbers(quantized.weight);
  for (const [i, value] of want.entries()) expect(got[i], `weight ${i}`).toBeCloseTo(value, 5);
  expect(quantized.quantized.numel()).toBe(kind === 'int8' ? 270 : 160);
  const x = randn(3, 27);
  const expected = numbers(x.matmul(tensor(want, {}).reshape(10, 27).t()).add(layer.bias!));
  for (const [i, value] of numbers(quantized.forward(x)).entries()) expect(value).toBeCloseTo(expected[i]!, 4);
});

test.each<[Quantization, number]>([
  ['q8_0', 1 / 127],
  ['q4_0', 1 / 8],
])('%s weights are the nearest ones of their blocks', (kind, step) => {
  setDefaultDevice(device('interpreter'));
  manualSeed(1);
  const layer = new Linear(96, 32);
  const [weights, got] = [numbers(layer.weight), numbers(new QuantizedLinear(layer, kind).weight)];
  for (const [i, value] of got.entries()) {
    const block = weights.slice(i - (i % 32), i - (i % 32) + 32);
    const largest = Math.max(...block.map(Math.abs));
    // The farthest number of the other sign may be one code too far.
    const isLast = kind === 'q4_0' && Math.abs(weights[i]!) > (15 / 16) * largest;
    expect(Math.abs(value - weights[i]!)).toBeLessThan((isLast ? 1.01 : 0.52) * step * largest);
  }
  // A layer without whole blocks stays as it is.
  const model = quantizeWeights(new Sequential(layer, new Linear(32, 5)), kind);
  expect([...model.children()].map(child => child instanceof QuantizedLinear)).toEqual([true, false]);
});

test('layers of zeros', () => {
  setDefaultDevice(device('interpreter'));
  const layer = new Linear(32, 16);
  layer.weight.assign_(layer.weight.mul(0));
  for (const kind of ['int8', 'nf4', 'q8_0', 'q4_0'] as const)
    expect(numbers(new QuantizedLinear(layer, kind).weight).every(value => value === 0)).toBe(true);
});

test.each<Quantization>(['int8', 'nf4'])('an adapter trains on %s weights', async kind => {
  setDefaultDevice(device('interpreter'));
  manualSeed(2);
  const sizes = { vocab_size: 20, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
  const model = new DecoderForCausalLM({ model_type: 'llama', ...sizes, initializer_range: 0.5 });
  const ids = tensor([[3, 4, 5, 6, 7]], { dtype: 'int32' });
  const exact = nextTokenLoss(model.forward(ids), ids).item();
  quantizeWeights(model, kind);
  expect(model.lm_head).toBeInstanceOf(Linear);
  expect(nextTokenLoss(model.forward(ids), ids).item()).toBeCloseTo(exact, kind === 'int8' ? 1 : 0);
  await expect(model.savePretrained('/nowhere')).rejects.toThrow('a model with quantized weights');
  const adapter = addAdapter(model, { r: 2, target_modules: ['q_proj', 'v_proj'], use_dora: kind === 'int8' });
  nextTokenLoss(model.forward(ids), ids).backward();
  expect(adapter.parameters().every(one => one.grad !== undefined)).toBe(true);
  expect((await model.generate(ids, { maxNewTokens: 3 })).shape).toEqual([1, 8]);
  expect(() => adapter.merge()).toThrow('a model with quantized weights');
  expect(() => quantizeWeights(model, kind)).toThrow('quantize the weights first');
  await expect(model.savePretrained('/nowhere')).rejects.toThrow('savePretrained is not supported');
  expect(() => quantizeWeights(model, 'int3' as never)).toThrow('int8, nf4, q8_0, q4_0');
});
