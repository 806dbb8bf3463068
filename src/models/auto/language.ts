// Models that predict tokens of text.
import type { Tensor } from '../../tensor/index.ts';
import { decoderArchitectures } from '../decoder/architectures.ts';
import { DecoderForCausalLM, type DecoderFromPretrainedOptions, type DecoderInputs } from '../decoder/decoder.ts';
import { encoderArchitectures } from '../encoder/architectures.ts';
import type { EncoderFromPretrainedOptions } from '../encoder/files.ts';
import { EncoderForMaskedLM } from '../encoder/heads.ts';
import type { PretrainedOptions } from '../pretrained.ts';
import { seq2SeqArchitectures } from '../seq2seq/architectures.ts';
import { Seq2SeqForConditionalGeneration, type Seq2SeqFromPretrainedOptions } from '../seq2seq/seq2seq.ts';
import type { TaskModel } from '../task-model.ts';
import { byTypes, type Read, reader } from './readers.ts';

/** A language model that predicts the next token. */
export type CausalLM = TaskModel<Tensor | DecoderInputs> &
  Pick<DecoderForCausalLM, 'generate' | 'generateStream' | 'generationConfig' | 'savePretrained' | 'config'>;

/** @internal The language model of a directory, with what engines call. */
export const readDecoder = reader(
  'AutoModelForCausalLM',
  byTypes<Read<DecoderForCausalLM, DecoderFromPretrainedOptions>>(
    decoderArchitectures,
    DecoderForCausalLM.fromPretrained,
  ),
);

/**
 * Language models that predict the next token, of any supported architecture.
 * @example
 * ```ts no-run
 * const model = await AutoModelForCausalLM.fromPretrained('./Qwen3-0.6B');
 * const logits = model.forward(tensor([[1, 2, 3]]));
 * ```
 */
export const AutoModelForCausalLM = {
  /**
   * The model of a directory with config.json and model.safetensors (or its shards): GPT-2, Llama, Mistral, Qwen 2 and 3,
   * Gemma 1 to 3, Phi 1 to 3, SmolLM, OLMo, Granite, StableLM, StarCoder 2, Cohere, GLM-4, Nemotron, Arcee, Seed-OSS, ERNIE 4.5,
   * GPT-NeoX, GPT-J, GPT-Neo, OPT, BLOOM, Falcon, MPT, GPT-BigCode, EXAONE 4, OLMoE, Helium, gpt-oss. Or that of
   * a GGUF file, whose path ends in `.gguf`: Llama, Mistral, Qwen 2 and 3, Gemma and Phi 3, with weights in F32, F16, BF16, Q8_0,
   * Q4_0, Q4_K and Q6_K, which are widened. Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: PretrainedOptions): Promise<CausalLM> =>
    readDecoder(directory, options),
} as const;

type ReadSeq2Seq = Read<Seq2SeqForConditionalGeneration, Seq2SeqFromPretrainedOptions>;
const { whisper: _, ...textToTextArchitectures } = seq2SeqArchitectures;
const textToText = byTypes<ReadSeq2Seq>(textToTextArchitectures, Seq2SeqForConditionalGeneration.fromPretrained);
const readSeq2SeqLM = reader('AutoModelForSeq2SeqLM', textToText);

/**
 * Encoder–decoders that predict the next token of a target: T5, mT5, UMT5, BART, mBART, Marian, Pegasus and M2M100.
 * @example
 * ```ts no-run
 * const model = await AutoModelForSeq2SeqLM.fromPretrained('./t5-small');
 * ```
 */
export const AutoModelForSeq2SeqLM = {
  /** The model of a directory. Throws the errors of `AutoModel.fromPretrained`. */
  fromPretrained: (
    directory: string,
    options?: Seq2SeqFromPretrainedOptions,
  ): Promise<Seq2SeqForConditionalGeneration> => readSeq2SeqLM(directory, options),
} as const;

const readMaskedLM = reader('AutoModelForMaskedLM', byTypes(encoderArchitectures, EncoderForMaskedLM.fromPretrained));

/**
 * Text encoders that predict masked tokens, of any supported architecture: logits [B, S, V].
 * @example
 * ```ts no-run
 * const model = await AutoModelForMaskedLM.fromPretrained('./roberta-base');
 * ```
 */
export const AutoModelForMaskedLM = {
  /**
   * The model of a directory. A head that it lacks is initialized randomly, with a warning.
   * Throws the errors of `AutoModel.fromPretrained`.
   */
  fromPretrained: (directory: string, options?: EncoderFromPretrainedOptions): Promise<EncoderForMaskedLM> =>
    readMaskedLM(directory, options),
} as const;
