// Models that encode texts.
import { encoderArchitectures } from '../encoder/architectures.ts';
import { EncoderModel } from '../encoder/encoder.ts';
import type { ByType } from '../model-types.ts';
import type { PretrainedOptions } from '../pretrained.ts';
import { Seq2SeqTextEncoder, textEncoderTypes } from '../seq2seq/text-encoder.ts';
import { byTypes, type Read, reader } from './readers.ts';

/** A model that encodes texts. */
export type TextEncoder = EncoderModel | Seq2SeqTextEncoder;
const textEncoders: ByType<Read<TextEncoder>> = {
  ...byTypes<Read<TextEncoder>>(encoderArchitectures, EncoderModel.fromPretrained),
  ...Object.fromEntries(textEncoderTypes.map(type => [type, Seq2SeqTextEncoder.fromPretrained])),
};

const readTextEncoding = reader('AutoModelForTextEncoding', textEncoders);

/**
 * Text encoders, of any supported architecture; of T5, mT5 and UMT5 the encoder alone.
 * @example
 * ```ts no-run
 * const model = (await AutoModelForTextEncoding.fromPretrained('./t5-v1_1-xxl')) as Seq2SeqTextEncoder;
 * const hidden = model.forward(tensor([[363, 19, 1]], { dtype: 'i32' })); // [1, 3, 4096]
 * ```
 */
export const AutoModelForTextEncoding = {
  /** The encoder of a directory. Throws the errors of `AutoModel.fromPretrained`. */
  fromPretrained: (directory: string, options?: PretrainedOptions): Promise<TextEncoder> =>
    readTextEncoding(directory, options),
} as const;
