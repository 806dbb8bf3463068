// Tokenizers of each kind compared with Hugging Face's Python library (test/golden/tokenizers, written by
// make-auto-tokenizer-golden.py): ids and texts of many scripts, batches, chat templates; and invalid files.
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { AutoTokenizer } from './auto-tokenizer.ts';
import type { ChatMessage } from './chat-template.ts';
import type { TokenizerInput } from './pretrained-tokenizer.ts';

const golden = goldenPath('tokenizers');
interface Kind {
  readonly size: number;
  readonly ids: readonly (readonly number[])[];
  readonly plain: readonly (readonly number[])[];
  readonly decoded: readonly string[];
  readonly skipped: readonly string[];
  readonly random: readonly { readonly ids: readonly number[]; readonly text: string }[];
  readonly pairs: readonly {
    readonly texts: TokenizerInput;
    readonly ids: readonly number[];
    readonly cut: readonly number[];
  }[];
  readonly cut: readonly (readonly number[])[];
  readonly batch?: { readonly ids: readonly (readonly number[])[]; readonly mask: readonly (readonly number[])[] };
}
interface Chats {
  readonly templates: Readonly<Record<string, string>>;
  readonly conversations: readonly (readonly ChatMessage[])[];
  readonly tools: readonly unknown[];
  readonly cases: readonly {
    readonly template: string;
    readonly messages: number;
    readonly prompt: boolean;
    readonly tools: boolean;
    readonly text?: string;
    readonly error?: string;
  }[];
}
const { texts, cases, chats } = JSON.parse(readFileSync(join(golden, 'cases.json'), 'utf8')) as {
  readonly texts: readonly string[];
  readonly cases: Readonly<Record<string, Kind>>;
  readonly chats: Chats;
};
const load = (name: string) => AutoTokenizer.fromPretrained(join(golden, name));

describe.each(Object.entries(cases))('%s', (name, want) => {
  test('encodes like the Python library', async () => {
    const tokenizer = await load(name);
    expect(tokenizer.vocabularySize).toBe(want.size);
    expect(tokenizer([...texts]).inputIds).toEqual(want.ids);
    const plain = texts.slice(0, want.plain.length).map(text => tokenizer.encode(text, { addSpecialTokens: false }));
    expect(plain).toEqual(want.plain);
    for (const { texts: pair, ids, cut } of want.pairs) {
      expect(tokenizer.encode(pair)).toEqual(ids);
      expect(tokenizer.encode(pair, { truncation: true, maxLength: 12 })).toEqual(cut);
    }
    const short = texts.slice(0, want.cut.length);
    expect(short.map(text => tokenizer.encode(text, { truncation: true, maxLength: 7 }))).toEqual(want.cut);
  });
  test('decodes like the Python library', async () => {
    const tokenizer = await load(name);
    expect(want.ids.map(ids => tokenizer.decode(ids))).toEqual(want.decoded);
    expect(want.ids.map(ids => tokenizer.decode(ids, { skipSpecialTokens: true }))).toEqual(want.skipped);
    expect(want.random.map(({ ids }) => tokenizer.decode(ids))).toEqual(want.random.map(({ text }) => text));
  });
  test('decodeStream yields the decoded text', async () => {
    const tokenizer = await load(name);
    for (const [i, ids] of want.ids.entries()) {
      const pieces = await Array.fromAsync(tokenizer.decodeStream(ids));
      expect(pieces.join('').replaceAll('\uFFFD', '')).toBe(want.decoded[i]!.replaceAll('\uFFFD', ''));
    }
  });
});

const padded = Object.entries(cases).flatMap(([name, { batch }]) =>
  batch === undefined ? [] : [[name, batch] as const],
);
test.each(padded)('%s pads batches like the Python library', async (name, want) => {
  const tokenizer = await load(name);
  const batch = texts.slice(3, 7);
  const { inputIds, attentionMask } = tokenizer(batch, { padding: true, padToMultipleOf: 8 });
  expect({ ids: inputIds, mask: attentionMask }).toEqual(want);
  const tensors = tokenizer(batch, { padding: true, padToMultipleOf: 8, returnTensors: true });
  expect(tensors.inputIds.toArray()).toEqual(inputIds);
  expect(tensors.inputIds.dtype).toBe('int64');
});

describe('chat templates', () => {
  test.each(chats.cases)('$template, conversation $messages, prompt $prompt, tools $tools', async one => {
    const tokenizer = await load('llama2');
    const render = (): string =>
      tokenizer.applyChatTemplate(chats.conversations[one.messages]!, {
        chatTemplate: chats.templates[one.template]!,
        addGenerationPrompt: one.prompt,
        tokenize: false,
        ...(one.tools ? { tools: chats.tools } : {}),
      });
    if (one.error === undefined) expect(render()).toBe(one.text);
    else expect(render).toThrow(one.error);
  });
  test('the chat template of the directory is used', async () => {
    const tokenizer = await load('llama3');
    const messages = [{ role: 'user', content: 'Hi' }];
    const text = tokenizer.applyChatTemplate(messages, { addGenerationPrompt: true, tokenize: false });
    const { inputIds } = tokenizer.applyChatTemplate(messages, { addGenerationPrompt: true });
    expect(inputIds).toEqual([tokenizer.encode(text, { addSpecialTokens: false })]);
    expect(inputIds[0]![0]).toBe(tokenizer.bosTokenId);
  });
  test.each([
    ["{{ bos_token }}\n{% if x %}\n{{ messages[0].content | unknown_filter }}\n{{ raise_exception('no') }}", undefined],
    [
      "a\nb {{ bos_token }}\n{% for m in messages %}\n{{ raise_exception('Only one role: ' + m.role) }}\n{% endfor %}",
      4,
    ],
    ['a\n{% for m in messages %}\n{{ m.content }\n{% endfor %}', 3],
    ['a\n\n{{ messages[0].content + 1 - [] }}', 3],
    ['{% if x %}\nno end', 2],
    ['a\n{{ foo.bar }}', 2],
    ['a\n\n{{ messages[0].absent.x }}', 3],
    ["{{ messages[9]['role'] }}", 1],
    ['{% if foo.bar is defined %}1{% endif %}', 1],
    ['{{ foo[1:] }}', 1],
  ])('a failing template is an error with its line: %j', async (chatTemplate, line) => {
    const tokenizer = await load('llama3');
    const render = (): string =>
      tokenizer.applyChatTemplate([{ role: 'user', content: 'x' }], { chatTemplate, tokenize: false });
    expect(render).toThrow(expect.objectContaining({ code: 'CHAT_TEMPLATE_FAILED' }));
    if (line !== undefined)
      expect(render).toThrow(expect.objectContaining({ data: expect.objectContaining({ line }) }));
  });
  test('an undefined variable renders as nothing, and so does an absent attribute of a defined one', async () => {
    const tokenizer = await load('llama3');
    const chatTemplate =
      '{{ foo }}{{ messages[0].absent }}{{ none.x }}{{ (foo or {}).bar }}{% for a in foo %}{% endfor %}ok';
    const options = { chatTemplate, tokenize: false } as const;
    expect(tokenizer.applyChatTemplate([{ role: 'user', content: 'x' }], options)).toBe('ok');
  });
  test('a tokenizer without a chat template is an error', async () => {
    const tokenizer = await load('gpt2');
    expect(() => tokenizer.applyChatTemplate([])).toThrow('a tokenizer without a chat template');
  });
});

describe('files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trenio-tokenizer-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const wrong = async (file: string, text: string, message: string): Promise<void> => {
    await cp(join(golden, 'qwen'), folder, { recursive: true });
    await writeFile(join(folder, file), text);
    await expect(AutoTokenizer.fromPretrained(folder)).rejects.toThrow(message);
  };
  test('a missing directory is an error', async () => {
    await expect(AutoTokenizer.fromPretrained(join(folder, 'none'))).rejects.toThrow(
      expect.objectContaining({ code: 'MODEL_NOT_FOUND' }),
    );
  });
  test('invalid JSON and invalid fields of tokenizer.json are errors', async () => {
    await wrong('tokenizer.json', '{"model":', 'tokenizer.json: it is not JSON');
    await wrong('tokenizer.json', '{}', 'tokenizer.json: model: ');
    await wrong('tokenizer.json', '{"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}}', 'model.vocab');
    await wrong(
      'tokenizer.json',
      '{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"normalizer":{"type":"Odd"}}',
      'Odd',
    );
  });
  test('invalid settings are errors', async () => {
    await wrong('tokenizer_config.json', '[]', 'tokenizer_config.json: the file: ');
    await wrong('tokenizer_config.json', '{"padding_side":"top"}', 'padding_side');
  });
  test('special tokens that only the settings name, and added_tokens.json, get ids after the vocabulary', async () => {
    await cp(join(golden, 'gpt2'), folder, { recursive: true });
    const json = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as { added_tokens: unknown[] };
    const size = (await AutoTokenizer.fromPretrained(folder)).vocabularySize;
    const settings = {
      ...{ pad_token: '[PAD]', additional_special_tokens: ['<|x|>'], image_token: '<image>' },
      ...{ add_bos_token: true, add_eos_token: true, clean_up_tokenization_spaces: true },
    };
    const write = (name: string, content: object) => writeFile(join(folder, name), JSON.stringify(content));
    await write('tokenizer_config.json', settings);
    await write('added_tokens.json', { '<z>': 9999 });
    const tokenizer = await AutoTokenizer.fromPretrained(folder);
    // In the order of transformers: added tokens, named ones, others.
    const added = ['<z>', '[PAD]', '<image>', '<|x|>'];
    expect(added.map(token => tokenizer.tokenToId(token))).toEqual([0, 1, 2, 3].map(i => size + i));
    expect(tokenizer.padTokenId).toBe(size + 1);
    expect(tokenizer.specialTokens).toMatchObject({ pad_token: '[PAD]', image_token: '<image>' });
    const ids = tokenizer.encode('a<|x|>b<z> .');
    expect(ids[0]).not.toBe(tokenizer.bosTokenId);
    expect(tokenizer.decode(ids)).toBe('a<|x|>b<z> .');
    expect(tokenizer.decode(ids, { skipSpecialTokens: true })).toBe('ab<z> .');
    // With added_tokens_decoder, the older files are ignored.
    await write('tokenizer_config.json', { ...settings, added_tokens_decoder: { '700': { content: '<y>' } } });
    await write('special_tokens_map.json', { pad_token: '[OTHER]' });
    await write('tokenizer.json', { ...json, padding: { direction: 'Left', pad_token: '<p>' } });
    const newer = await AutoTokenizer.fromPretrained(folder);
    expect([newer.tokenToId('<y>'), newer.tokenToId('<z>'), newer.paddingSide]).toEqual([size, undefined, 'left']);
    await wrong('tokenizer_config.json', '{"split_special_tokens":true}', 'split_special_tokens');
  });
  test('chat templates in files replace those of the settings', async () => {
    await cp(join(golden, 'qwen'), folder, { recursive: true });
    await mkdir(join(folder, 'additional_chat_templates'));
    await writeFile(join(folder, 'additional_chat_templates', 'rag.jinja'), 'rag!');
    const tokenizer = await AutoTokenizer.fromPretrained(folder);
    expect(tokenizer.applyChatTemplate([], { chatTemplate: 'rag', tokenize: false })).toBe('rag!');
  });
  test('a directory without a tokenizer is an error', async () => {
    await expect(AutoTokenizer.fromPretrained(folder)).rejects.toThrow('has neither tokenizer.json nor vocab.txt');
  });
  test('the vocab.txt of a BERT model is read', async () => {
    await writeFile(join(folder, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ngood\n##ness\n');
    const tokenizer = await AutoTokenizer.fromPretrained(folder);
    expect(tokenizer('Goodness', { padding: 'maxLength', maxLength: 6 })).toEqual({
      inputIds: [[2, 5, 6, 3, 0, 0]],
      attentionMask: [[1, 1, 1, 1, 0, 0]],
      tokenTypeIds: [[0, 0, 0, 0, 0, 0]],
    });
    expect(tokenizer.encode(['good', 'good'])).toEqual([2, 5, 3, 5, 3]);
    expect(tokenizer.padTokenId).toBe(0);
    await writeFile(join(folder, 'tokenizer_config.json'), '{"extra_special_tokens":["<x>"]}');
    const more = await AutoTokenizer.fromPretrained(folder);
    expect(more.encode('good <x>')).toEqual([2, 5, 7, 3]);
  });
});

describe('steps of small tokenizers', () => {
  const characters = Object.fromEntries([...'abcdw. tokenSp'].map((one, i) => [one, i]).concat([['ab', 20]]));
  const base = { added_tokens: [] as object[], model: { type: 'BPE', vocab: characters, merges: ['a b'] } };
  const tokensOf = async (json: object, text: string): Promise<(string | undefined)[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'trenio-tokenizer-'));
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify({ ...base, ...json }));
    const tokenizer = await AutoTokenizer.fromPretrained(folder).finally(() => rm(folder, { recursive: true }));
    return tokenizer.encode(text).map(id => tokenizer.idToToken(id));
  };
  test.each<[string, object, string, string]>([
    ['Nmt', { normalizer: { type: 'Nmt' } }, 'a\u0007\u200bb', 'a| |b'],
    ['CharDelimiterSplit', { pre_tokenizer: { type: 'CharDelimiterSplit', delimiter: '.' } }, 'a.b', 'a|b'],
    ['FixedLength', { pre_tokenizer: { type: 'FixedLength', length: 2 } }, 'cab', 'c|a|b'],
    ['BPE leaves out what it does not know', {}, 'a\u0000b', 'ab'],
    ['WordLevel', { model: { type: 'WordLevel', vocab: { u: 0, a: 1 }, unk_token: 'u' } }, 'z', 'u'],
    ['single words', { added_tokens: [{ id: 30, content: 'b', single_word: true }] }, 'ab b', 'ab| |b'],
    ['BERT', { post_processor: { type: 'BertProcessing', sep: ['d', 3], cls: ['c', 2] } }, 'a', 'c|a|d'],
  ])('%s', async (_, json, text, want) => expect(await tokensOf(json, text)).toEqual(want.split('|')));
  test('an invalid post-processor is an error', async () => {
    const second = [{ Sequence: { id: 'B', type_id: 0 } }];
    await expect(
      tokensOf({ post_processor: { type: 'TemplateProcessing', single: second, pair: second } }, 'a'),
    ).rejects.toMatchObject({ code: 'TOKENIZER_INVALID' });
    await expect(tokensOf({ post_processor: { type: 'TemplateProcessing', single: [{}] } }, 'a')).rejects.toMatchObject(
      {
        code: 'TOKENIZER_INVALID',
        message: expect.stringContaining('post_processor: single.0'),
      },
    );
  });
});

test('invalid options are errors', async () => {
  const tokenizer = await load('gpt2');
  expect(() => tokenizer(['a', 'b b'], { padding: true })).toThrow('has no padding token');
  expect(() => tokenizer(['a', 'b b'], { returnTensors: true })).toThrow('padding is false');
  expect(() => tokenizer('a', { pad: true } as never)).toThrow(expect.objectContaining({ code: 'NO_SUCH_OPTION' }));
  expect(() => tokenizer([1] as never)).toThrow('a text is 1');
  expect(() => tokenizer.decode([99_999])).toThrow('token 99999 is out of range');
});
