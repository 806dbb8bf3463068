// Rows of different lengths in one cache.
import { beforeEach, expect, test } from 'vitest';
import { device, manualSeed, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { DecoderForCausalLM } from '../decoder/decoder.ts';

beforeEach(() => setDefaultDevice(device('interpreter')));

const sizes = { vocab_size: 23, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 2, num_attention_heads: 2 };
/** Large weights, so that different positions have different tokens. */
const tiny = (more: object) =>
  new DecoderForCausalLM({ model_type: 'llama', num_key_value_heads: 1, initializer_range: 0.6, ...sizes, ...more });

test.each([
  ['rotary positions', { model_type: 'llama' }, [3, 9, 1]],
  ['a window', { model_type: 'mistral', sliding_window: 4 }, [3, 9, 1]],
  ['learned positions', { model_type: 'gpt2', max_position_embeddings: 40, num_key_value_heads: 2 }, [3, 9, 1]],
  ['biases of distances', { model_type: 'bloom', num_key_value_heads: 2 }, [3, 9, 1]],
  ['prompts of several chunks', { model_type: 'llama' }, [530, 2, 516]],
])('the rows of a batch have the tokens that each has alone: %s', async (_, fields, lengths) => {
  manualSeed(3);
  const model = tiny(fields);
  const prompts = lengths.map((length, row) => Array.from({ length }, (_, i) => 1 + ((7 * i + i * i + row) % 22)));
  const longest = Math.max(...lengths);
  const padded = (value: (row: readonly number[]) => readonly number[]) =>
    tensor(
      prompts.map(row => [...new Array<number>(longest - row.length).fill(0), ...value(row)]),
      { dtype: 'i32' },
    );
  const options = { maxNewTokens: 6 };
  const inputs = { inputIds: padded(row => row), attentionMask: padded(row => row.map(() => 1)) };
  const together = (await model.generate(inputs, options)).toArray() as number[][];
  for (const [row, prompt] of prompts.entries()) {
    const alone = (await model.generate(tensor([prompt], { dtype: 'i32' }), options)).toArray() as number[][];
    expect(together[row]!.slice(longest), `${prompt.length} tokens`).toEqual(alone[0]!.slice(prompt.length));
  }
});
