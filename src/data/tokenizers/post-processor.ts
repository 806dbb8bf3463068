// The special tokens that the post-processor of tokenizer.json puts around texts.
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import type { TemplatePart } from './engine.ts';
import type { TokenizerJson } from './tokenizer-directory.ts';

const id = z.int().min(0);
const token = z.tuple([z.string(), id]);
const typeId = z.int().min(0).default(0);
const piece = z.union([
  z.object({ SpecialToken: z.object({ id: z.string(), type_id: typeId }) }),
  z.object({ Sequence: z.object({ id: z.enum(['A', 'B']), type_id: typeId }) }),
]);
/** The ids of a special token: it may stand for several. */
const ids = z.looseObject({ ids: z.array(id) });
const around = { sep: token, cls: token };

const processorSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('TemplateProcessing'),
    single: z.array(piece),
    pair: z.array(piece),
    special_tokens: z.record(z.string(), ids).optional(),
  }),
  z.looseObject({ type: z.literal('BertProcessing'), ...around }),
  z.looseObject({ type: z.literal('RobertaProcessing'), ...around }),
  z.looseObject({ type: z.literal('ByteLevel') }),
  z.looseObject({ type: z.literal('Sequence'), processors: z.array(z.looseObject({ type: z.string() })) }),
]);

const text = (index: 0 | 1, type = 0): TemplatePart => ({ kind: 'text', index, typeId: type });
const special = (one: number, type = 0): TemplatePart => ({ kind: 'special', id: one, typeId: type });
/** `pairType`: the type of the tokens of the second text, where there is no post-processor. */
const plain = (isPair: boolean): readonly TemplatePart[] => (isPair ? [text(0), text(1, 1)] : [text(0)]);

/**
 * The parts of the input of one or two texts.
 * @throws {TOKENIZER_INVALID}
 */
export function templateOf(
  config: TokenizerJson['post_processor'],
  isPair: boolean,
  idOf: (token: string) => number,
  file: string,
): readonly TemplatePart[] {
  if (config === null) return plain(isPair);
  const invalid = (problem: string): TrenioError =>
    new TrenioError('TOKENIZER_INVALID', { file, problem: `post_processor: ${problem}` });
  const { data, error } = processorSchema.safeParse(config);
  if (data === undefined) throw invalid(`${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`);
  switch (data.type) {
    case 'ByteLevel':
      return plain(isPair);
    case 'Sequence': {
      const adding = data.processors.filter(({ type }) => type !== 'ByteLevel');
      if (adding.length > 1) throw invalid('a Sequence with several processors that add tokens is not supported');
      return templateOf(adding[0] ?? null, isPair, idOf, file);
    }
    case 'TemplateProcessing': {
      if (data.single.some(part => 'Sequence' in part && part.Sequence.id === 'B'))
        throw invalid('single: there is no second text, Sequence B');
      const known = data.special_tokens ?? {};
      return (isPair ? data.pair : data.single).flatMap(part => {
        if ('Sequence' in part) return text(part.Sequence.id === 'A' ? 0 : 1, part.Sequence.type_id);
        const { id: name, type_id: type } = part.SpecialToken;
        const own = Object.hasOwn(known, name) ? known[name]!.ids : [idOf(name)];
        return own.map(one => special(one, type));
      });
    }
    case 'BertProcessing':
    case 'RobertaProcessing': {
      const [cls, sep] = [data.cls[1], data.sep[1]];
      const isBert = data.type === 'BertProcessing';
      const second = isBert ? [text(1, 1), special(sep, 1)] : [special(sep), text(1), special(sep)];
      return [special(cls), text(0), special(sep), ...(isPair ? second : [])];
    }
  }
}
