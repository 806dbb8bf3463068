// The names that formats know (test/golden/format-keys.json, written by make-format-keys.py) and what is done with each.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ggufKeys } from '../data/gguf/gguf-keys.ts';
import { settingsFields } from '../data/tokenizers/tokenizer-directory.ts';
import { loraFields } from './adapters/lora-config.ts';
import { generationFields } from './generation/generate-options.ts';
import { imageProcessorFields } from './vision/image-processor-config.ts';

const known = JSON.parse(
  readFileSync(new URL('../../test/golden/format-keys.json', import.meta.url), 'utf8'),
) as Readonly<Record<'gguf' | 'generation' | 'tokenizer' | 'adapter' | 'images', readonly string[]>>;

test('each key of the metadata of GGUF is read, refused, or known to have no effect', () => {
  expect(Object.values(ggufKeys).flat().sort()).toEqual(known.gguf.toSorted());
});
test('so is each field of generation_config.json', () => {
  expect(known.generation.filter(name => !generationFields.includes(name))).toEqual(['transformers_version']);
});
test('so is each field of tokenizer_config.json', () => {
  // These are objects that transformers passes to itself.
  const internal = /^_|^(gguf_file|merges|post_processor|tokenizer|tokenizer_(object|padding|truncation)|vocab)$/;
  expect(known.tokenizer.filter(name => !settingsFields.includes(name) && !internal.test(name))).toEqual([]);
});
test('so is each field of adapter_config.json and preprocessor_config.json', () => {
  expect(known.adapter.filter(name => !loraFields.includes(name))).toEqual([]);
  expect(known.images.filter(name => !imageProcessorFields.includes(name))).toEqual([]);
});
