// Steps that serve a model, compared with published latencies and with arithmetic.
import { expect, test } from 'vitest';
import { machineOf } from '../../hardware/machine-of.ts';
import { parametersOf } from '../models/parameters.ts';
import { modelOf } from '../models/presets.ts';
import {
  cacheTokens,
  type Replica,
  servedRows,
  servingInterval,
  stepTimer,
  tensorSizes,
  weightBytesPerDevice,
} from './index.ts';

const replica = (changes: Partial<Replica> = {}): Replica => ({
  model: modelOf('llama3-8b'),
  machine: machineOf('p5.48xlarge'),
  tensor: 1,
  weights: 'bf16',
  ...changes,
});
const one = { tokens: 1, sequences: 1, chosen: 1, positions: 512, pairs: 512 };

test('published decoders on Trn1 and Inf2: tokens within 15 % on average, all within 45 %', () => {
  const ratios = servedRows().map(({ measured, predicted }) => predicted.tokenSeconds / measured.tokenSeconds);
  const errors = ratios.map(ratio => Math.abs(ratio - 1));
  expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.15);
  expect(Math.max(...errors)).toBeLessThan(0.45);
});

test('a token reads the weights once; more sequences share them, and prompts compute', () => {
  const own = replica();
  const seconds = stepTimer(own);
  const bytes = 2 * (parametersOf(own.model).total - own.model.vocabulary * own.model.hidden);
  expect(seconds(one)).toBeGreaterThan(bytes / own.machine.device.memoryBandwidth);
  expect(seconds(one)).toBeLessThan((2 * bytes) / own.machine.device.memoryBandwidth);
  const eight = { tokens: 8, sequences: 8, chosen: 8, positions: 8 * 512, pairs: 8 * 512 };
  expect(seconds(eight)).toBeLessThan(1.2 * seconds(one));
  const prompt = { tokens: 4096, sequences: 1, chosen: 1, positions: 4096, pairs: 4096 ** 2 / 2 };
  const peak = own.machine.device.peakFlops.bf16!;
  expect(seconds(prompt)).toBeGreaterThan((2 * 4096 * parametersOf(own.model).block * own.model.layers) / peak);
  expect(stepTimer(replica({ weights: 'f8' }))(one)).toBeLessThan(seconds(one));
  expect(stepTimer(replica({ tensor: 8 }))(one)).toBeLessThan(seconds(one));
});

test('memory: weights in few bits leave more room for keys and values; a large model needs several devices', () => {
  expect(weightBytesPerDevice(replica())).toBeCloseTo(2 * parametersOf(modelOf('llama3-8b')).total, -8);
  expect(cacheTokens(replica({ weights: 'int4' }))).toBeGreaterThan(cacheTokens(replica()));
  expect(cacheTokens(replica({ model: modelOf('llama3-70b') }))).toBeLessThanOrEqual(0);
  expect(cacheTokens(replica({ model: modelOf('llama3-70b'), tensor: 4 }))).toBeGreaterThan(0);
  expect(tensorSizes({ machine: machineOf('inf2.48xlarge'), model: modelOf('llama3-8b') })).toEqual([
    1, 2, 4, 8, 16, 24,
  ]);
});

test('experts that few tokens do not reach are not read', () => {
  const mixtral = replica({ model: modelOf('mixtral-8x7b'), tensor: 2 });
  const seconds = stepTimer(mixtral);
  const many = { tokens: 64, sequences: 64, chosen: 64, positions: 64, pairs: 64 };
  expect(seconds(many)).toBeGreaterThan(1.8 * seconds({ ...one, positions: 1, pairs: 1 }));
});

test('intervals say where they come from', () => {
  expect(servingInterval(machineOf('trn1.32xlarge'), 4).reason).toContain('56 published latencies');
  expect(servingInterval(machineOf('trn1.32xlarge'), 40).reason).toContain('at most 8 sequences');
  const other = servingInterval(machineOf('p5.48xlarge'), 4);
  expect(other.token[1] / other.token[0]).toBeGreaterThan(2);
});

test('models and sizes that cannot be served', () => {
  expect(() => stepTimer(replica({ model: modelOf('bert-large') }))).toThrow('a model that generates text');
  expect(() => stepTimer(replica({ tensor: 9 }))).toThrow('1 to 8, the devices of p5.48xlarge');
});
