// BERT's tokenizer as an engine: our implementation, not the library's (docs/decisions/0004-tokenizer.md).
import type { WordPieceTokenizer } from '../text/wordpiece.ts';
import type { TemplatePart, TokenizerEngine } from './engine.ts';

export function wordPieceEngine(tokenizer: WordPieceTokenizer): TokenizerEngine {
  const { vocabulary } = tokenizer;
  const special = (id: number, typeId: number): TemplatePart => ({ kind: 'special', id, typeId });
  const { classifyId, separateId } = vocabulary;
  return {
    vocabularySize: tokenizer.vocabularySize,
    idsOf: text => [...tokenizer.encode(text).inputIds.subarray(1, -1)],
    template: pair => [
      special(classifyId, 0),
      { kind: 'text', index: 0, typeId: 0 },
      special(separateId, 0),
      ...(pair ? [{ kind: 'text', index: 1, typeId: 1 } as const, special(separateId, 1)] : []),
    ],
    decode: (ids, skipSpecialTokens) => tokenizer.decode(ids, { skipSpecialTokens }),
    idOf: token => vocabulary.idOf(token),
    tokenOf: id => vocabulary.tokens[id],
  };
}

/** Whether a tokenizer.json describes BERT's tokenizer, which `WordPieceTokenizer` implements. */
export function isBertTokenizer(json: Readonly<Record<string, unknown>>, special: readonly string[]): boolean {
  const typeOf = (part: string): unknown => (json[part] as { readonly type?: unknown } | null | undefined)?.type;
  const post = json.post_processor as { readonly single?: readonly object[] } | null | undefined;
  const isUsual =
    typeOf('post_processor') === 'BertProcessing' ||
    (typeOf('post_processor') === 'TemplateProcessing' && post?.single?.length === 3);
  const added = (json.added_tokens ?? []) as readonly { readonly content: string; readonly lstrip?: boolean }[];
  return (
    isUsual &&
    typeOf('model') === 'WordPiece' &&
    typeOf('normalizer') === 'BertNormalizer' &&
    typeOf('pre_tokenizer') === 'BertPreTokenizer' &&
    typeOf('decoder') === 'WordPiece' &&
    added.every(({ content, lstrip }) => special.includes(content) && lstrip !== true)
  );
}
