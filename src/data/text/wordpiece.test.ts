import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { includedReviews } from '../../../examples/bert-polarity/included.ts';
import { type BertTextOptions, bertWords, normalizeBertText } from './bert-text.ts';
import { WordPieceTokenizer } from './wordpiece.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const vocabulary = join(await includedReviews(), 'vocab.txt');
const golden = JSON.parse(readFileSync(join(root, 'test', 'golden', 'tokenizer.json'), 'utf8')) as {
  readonly texts: readonly string[];
  readonly uncased: readonly (readonly number[])[];
  readonly cased: readonly (readonly number[])[];
  readonly decoded: readonly string[];
  readonly blocks: Readonly<
    Record<'cleanText' | 'splitCjk' | 'stripAccents' | 'lowercase' | 'words', readonly string[]>
  >;
};
const folder = mkdtempSync(join(tmpdir(), 'trenio-wordpiece-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const small = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'un', '##play', '##able', 'play', '!', 'a', '##b'];
const smallFile = write('vocab.txt', `${small.join('\n')}\n`);

describe("equal to Hugging Face's BertTokenizer", () => {
  test.each(['uncased', 'cased'] as const)('%s ids', async which => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(vocabulary, { lowercase: which === 'uncased' });
    const ids = golden.texts.map(text => [...tokenizer.encode(text).inputIds]);
    expect(ids).toEqual(golden[which]);
  });

  test('decoded text', async () => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(vocabulary);
    expect(golden.uncased.map(ids => tokenizer.decode(ids))).toEqual(golden.decoded);
  });

  const nothing: BertTextOptions = { cleanText: false, splitCjk: false, stripAccents: false, lowercase: false };
  test.each(['cleanText', 'splitCjk', 'stripAccents', 'lowercase', 'words'] as const)(
    '%s of every code point',
    step => {
      const apply = (text: string): string =>
        step === 'words' ? bertWords(text, nothing).join(' ') : normalizeBertText(text, { ...nothing, [step]: true });
      const different = golden.blocks[step].flatMap((expected, i) => {
        let text = '';
        for (let point = 4096 * i; point < 4096 * (i + 1); point++) {
          if (point < 0xd800 || point > 0xdfff) text += `a${String.fromCodePoint(point)}`;
        }
        const got = createHash('sha256')
          .update(apply(`${text}a`))
          .digest('hex')
          .slice(0, 16);
        return got === expected ? [] : [(4096 * i).toString(16)];
      });
      expect(different).toEqual([]);
    },
  );
});

describe('encode', () => {
  test('the longest pieces first; a word without pieces is unknown as a whole', async () => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(smallFile);
    const tokens = (text: string) => [...tokenizer.encode(text).inputIds].map(id => small[id]).join(' ');
    expect(tokens('Unplayable!')).toBe('[CLS] un ##play ##able ! [SEP]');
    expect(tokens('play unplayed a ab abb')).toBe('[CLS] play [UNK] a a ##b a ##b ##b [SEP]');
    expect(tokens('')).toBe('[CLS] [SEP]');
  });

  test('truncation keeps [SEP]; mask and types have the length of the ids', async () => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(smallFile);
    const { inputIds, attentionMask, tokenTypeIds } = tokenizer.encode('a a a a a', { maxLength: 4 });
    expect([...inputIds]).toEqual([2, 10, 10, 3]);
    expect([...attentionMask]).toEqual([1, 1, 1, 1]);
    expect([...tokenTypeIds]).toEqual([0, 0, 0, 0]);
    for (const maxLength of [1, 0, -1, Number.NaN, 2.5]) {
      expect(() => tokenizer.encode('a', { maxLength })).toThrow('an integer, 2 or more');
    }
  });

  test('any text encodes to ids in range, between one [CLS] and one [SEP], of at most maxLength tokens', async () => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(vocabulary);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 2, max: 20 }), (text, maxLength) => {
        const { inputIds } = tokenizer.encode(text, { maxLength });
        expect(inputIds.length).toBeLessThanOrEqual(maxLength);
        expect(inputIds[0]).toBe(tokenizer.vocabulary.classifyId);
        expect(inputIds.at(-1)).toBe(tokenizer.vocabulary.separateId);
        expect(inputIds.every(id => id >= 0 && id < tokenizer.vocabularySize)).toBe(true);
      }),
    );
  });

  test('an unpaired surrogate is dropped like a control character', async () => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(smallFile);
    expect([...tokenizer.encode('a\ud800 a').inputIds]).toEqual([2, 10, 10, 3]);
  });
});

describe('encodeBatch', () => {
  test('pads to the longest, to a multiple, or to the maximum', async () => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(smallFile);
    const texts = ['a', 'a a a'];
    const batch = tokenizer.encodeBatch(texts);
    expect(batch.inputIds).toEqual({
      type: { kind: 'tensor', elementType: 'i32', shape: [2, 5] },
      data: Int32Array.of(2, 10, 3, 0, 0, 2, 10, 10, 10, 3),
    });
    expect([...batch.attentionMask.data]).toEqual([1, 1, 1, 0, 0, 1, 1, 1, 1, 1]);
    expect([...batch.tokenTypeIds.data]).toEqual(new Array(10).fill(0));
    expect(tokenizer.encodeBatch(texts, { padToMultipleOf: 4 }).inputIds.type.shape).toEqual([2, 8]);
    expect(tokenizer.encodeBatch(texts, { padToMultipleOf: 4, maxLength: 6 }).inputIds.type.shape).toEqual([2, 6]);
    expect(tokenizer.encodeBatch(texts, { pad: 'max', maxLength: 16 }).inputIds.type.shape).toEqual([2, 16]);
    expect(() => tokenizer.encodeBatch(texts, { pad: 'max' })).toThrow('maxLength is not set, expected a number');
    expect(() => tokenizer.encodeBatch(texts, { padToMultipleOf: 0 })).toThrow('padToMultipleOf is 0');
    expect(() => tokenizer.pad([new Int32Array(9)], { maxLength: 8 })).toThrow('at least the 9 tokens');
  });
});

test('decode rejects ids that are not in the vocabulary', async () => {
  const tokenizer = await WordPieceTokenizer.fromVocabFile(smallFile);
  expect(tokenizer.decode([2, 5, 6, 7, 9, 3])).toBe('unplayable!');
  expect(tokenizer.decode([2, 5, 3], { skipSpecialTokens: false })).toBe('[CLS] un [SEP]');
  expect(() => tokenizer.decode([12])).toThrow('token 12 is out of range: the vocabulary has 12 tokens');
});

describe('invalid vocabularies', () => {
  const problem = (content: string): Promise<string> =>
    WordPieceTokenizer.fromVocabFile(write('bad.txt', content)).then(
      () => 'no error',
      (e: Error) => e.message.replace(`${folder}/`, '').split('\n')[0]!,
    );
  test.each([
    ['', 'bad.txt: the file is empty'],
    ['[PAD]\n[UNK]\n[CLS]\n', 'bad.txt: the token [SEP] is missing'],
    ['[PAD]\n[CLS]\n[SEP]\n', 'bad.txt: the token [UNK] is missing'],
    ['[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\na\n', 'bad.txt:7: the token a is already on line 5'],
    ['[PAD]\n[UNK]\n\n[CLS]\n[SEP]\n', 'bad.txt:3: the line is empty'],
  ])('%j', async (content, expected) => {
    expect(await problem(content)).toBe(expected);
  });
  test('a missing file is an error', async () => {
    await expect(WordPieceTokenizer.fromVocabFile(join(folder, 'none'))).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
    });
  });
  test('a file with Windows line endings has the same vocabulary', async () => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(write('crlf.txt', small.join('\r\n')));
    expect(tokenizer.vocabulary.tokens).toEqual(small);
  });
});

describe('model directories', () => {
  const tokenizerJson = (change: object = {}): string =>
    JSON.stringify({
      added_tokens: small.slice(0, 5).map((content, id) => ({ id, content, special: true })),
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: false,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        vocab: Object.fromEntries(small.map((token, id) => [token, id])),
      },
      ...change,
    });

  test('vocab.txt alone is lower-cased, unless tokenizer_config.json says otherwise', async () => {
    const directory = mkdtempSync(join(folder, 'model-'));
    writeFileSync(join(directory, 'vocab.txt'), small.join('\n'));
    expect([...(await WordPieceTokenizer.fromDirectory(directory)).encode('À').inputIds]).toEqual([2, 10, 3]);
    writeFileSync(
      join(directory, 'tokenizer_config.json'),
      '{"do_lower_case": false, "pad_token": {"content": "[MASK]"}}',
    );
    const cased = await WordPieceTokenizer.fromDirectory(directory);
    expect([...cased.encode('À').inputIds]).toEqual([2, 1, 3]);
    expect(cased.vocabulary.padId).toBe(4);
    writeFileSync(join(directory, 'tokenizer.json'), tokenizerJson());
    expect([...(await WordPieceTokenizer.fromDirectory(directory)).encode('a A').inputIds]).toEqual([2, 10, 1, 3]);
  });

  test('ids above the limit are rejected, gaps are not', async () => {
    const vocab = (id: number): string => {
      const model = {
        type: 'WordPiece',
        vocab: { ...Object.fromEntries(small.map((token, i) => [token, i])), far: id },
      };
      return tokenizerJson({ model });
    };
    const directory = mkdtempSync(join(folder, 'model-'));
    const load = (id: number): Promise<WordPieceTokenizer> => {
      writeFileSync(join(directory, 'tokenizer.json'), vocab(id));
      return WordPieceTokenizer.fromDirectory(directory);
    };
    for (const id of [1e9, 2 ** 32, 2 ** 53 - 1, 1 << 22])
      await expect(load(id)).rejects.toMatchObject({
        code: 'VOCABULARY_INVALID',
        data: { problem: `the token far has the id ${id}, and ids are below 4194304` },
      });
    expect((await load(100_000)).vocabularySize).toBe(100_001);
  });
  test('a saved tokenizer is loaded unchanged', async () => {
    const directory = mkdtempSync(join(folder, 'model-'));
    const tokenizer = WordPieceTokenizer.fromTokens(small, { lowercase: false });
    await tokenizer.save(directory);
    const again = await WordPieceTokenizer.fromDirectory(directory);
    expect(again.vocabulary.tokens).toEqual(small);
    expect(again.encode('unplayable A!').inputIds).toEqual(tokenizer.encode('unplayable A!').inputIds);
  });

  test.each([
    ['{', 'it is not JSON'],
    ['[]', 'the file: Invalid input'],
    [tokenizerJson({ model: { type: 'BPE', vocab: {} } }), 'the model BPE'],
    [tokenizerJson({ normalizer: null }), 'the normalizer null'],
    [tokenizerJson({ model: { type: 'WordPiece', vocab: { a: 0, b: 0 } } }), 'the tokens a and b both have the id 0'],
    [tokenizerJson({ model: { type: 'WordPiece', vocab: { a: -1 } } }), 'vocab.a'],
  ])('an invalid tokenizer.json: %s', async (json, expected) => {
    const directory = mkdtempSync(join(folder, 'model-'));
    writeFileSync(join(directory, 'tokenizer.json'), json);
    await expect(WordPieceTokenizer.fromDirectory(directory)).rejects.toThrow(expected);
  });
});
