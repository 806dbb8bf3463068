// Patterns of adapters: linear, or limited in time.
import { expect, test } from 'vitest';
import { isTarget, loraConfig, rankOf } from './lora-config.ts';
import { namePattern } from './name-pattern.ts';

const hostile = `model.layers.3.${'a'.repeat(60)}!`;

test('usual patterns, and those with lookahead', () => {
  expect(namePattern('.*(q|v)_proj').match('h.0.q_proj')).toEqual(['h.0.q_proj', 'q']);
  expect(namePattern('(?!.*visual).*_proj').match('h.visual.q_proj')).toBeUndefined();
  expect(namePattern('(?!.*visual).*_proj').match('h.text.q_proj')?.[0]).toBe('h.text.q_proj');
  const config = loraConfig({
    target_modules: ['q'],
    layers_to_transform: [2],
    layers_pattern: '(?:h|layers)',
    rank_pattern: { 'layers\\.(1|2)\\.q': 4 },
  });
  expect(isTarget(config, 'model.layers.2.attn.q', false)).toBe(true);
  expect(isTarget(config, 'model.layers.3.attn.q', false)).toBe(false);
  expect(rankOf(config, 'model.layers.2.q').rank).toBe(4);
  expect(rankOf(config, 'model.layers.3.q').rank).toBe(8);
});
test('patterns that would take exponential time do not', () => {
  const nested = '(a+)+';
  const config = loraConfig({
    target_modules: `.*\\.${nested}`,
    exclude_modules: nested,
    layers_to_transform: [3],
    layers_pattern: nested,
    rank_pattern: { [nested]: 4 },
    alpha_pattern: { [`(${nested})+`]: 4 },
  });
  expect(isTarget(config, hostile, false)).toBe(false);
  expect(rankOf(config, hostile).rank).toBe(8);
});
test('patterns that need more than the linear engine are limited in time', () => {
  const config = loraConfig({ target_modules: '(?=x|m).*\\.(a|a)*' });
  expect(() => isTarget(config, hostile, false)).toThrow(expect.objectContaining({ code: 'MODEL_CONFIG_INVALID' }));
  expect(() => loraConfig({ target_modules: '(' })).toThrow(expect.objectContaining({ code: 'MODEL_CONFIG_INVALID' }));
});
