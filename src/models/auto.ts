// Selects models by the `model_type` of their config.json, like Hugging Face's Auto classes.
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { nearestNames } from '../base/nearest.ts';
import { directoryExists } from '../base/read-file.ts';
import { readConfigObject } from './config-file.ts';
import { type DecoderConfig, decoderArchitectures, decoderConfig } from './decoder/architectures.ts';
import { DecoderForCausalLM } from './decoder/decoder.ts';
import { GPT2LMHeadModel } from './gpt2.ts';
import { type Gpt2Config, gpt2Config } from './gpt2-config.ts';
import { type BertConfig, bertConfig } from './hf-config.ts';

/** A language model that predicts the next token. */
export type CausalLM = DecoderForCausalLM | GPT2LMHeadModel;

/** `model_type` of a directory's config.json. */
async function modelTypeOf(directory: string): Promise<{ readonly modelType: string; readonly fields: object }> {
  if (!(await directoryExists(directory))) throw new TrenioError('MODEL_NOT_FOUND', { directory });
  const file = join(directory, 'config.json');
  const fields = await readConfigObject(file);
  const { model_type: modelType } = fields as { readonly model_type?: unknown };
  if (typeof modelType === 'string') return { modelType, fields };
  const problem = 'it is missing; it defines the architecture of the model';
  throw new TrenioError('MODEL_CONFIG_INVALID', { file, field: 'model_type', problem });
}

const unknown = (directory: string, modelType: string, known: readonly string[]): TrenioError =>
  new TrenioError('MODEL_ARCHITECTURE_UNKNOWN', {
    file: join(directory, 'config.json'),
    modelType,
    nearest: nearestNames(modelType, known),
    known,
  });

/**
 * Configurations of any supported architecture.
 * @example
 * ```ts no-run
 * const { model_type } = await AutoConfig.fromPretrained('./Qwen3-0.6B');
 * ```
 */
export const AutoConfig = {
  /**
   * The checked fields of a directory's config.json, with the defaults of its architecture.
   * @throws {MODEL_NOT_FOUND}
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   */
  async fromPretrained(directory: string): Promise<BertConfig | Gpt2Config | DecoderConfig> {
    const { modelType, fields } = await modelTypeOf(directory);
    const file = join(directory, 'config.json');
    if (modelType === 'bert') return bertConfig(fields as Parameters<typeof bertConfig>[0], file);
    if (modelType === 'gpt2') return gpt2Config(fields as Parameters<typeof gpt2Config>[0], file);
    const names = Object.keys(decoderArchitectures);
    if (!names.includes(modelType)) throw unknown(directory, modelType, ['bert', 'gpt2', ...names]);
    return decoderConfig(fields as Parameters<typeof decoderConfig>[0], file);
  },
} as const;

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
   * Gemma 1 to 3, Phi 1 to 3, SmolLM.
   * @throws {MODEL_NOT_FOUND}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {STATE_KEYS} (a tensor is missing)
   */
  async fromPretrained(directory: string): Promise<CausalLM> {
    const { modelType } = await modelTypeOf(directory);
    if (modelType === 'gpt2') return GPT2LMHeadModel.fromPretrained(directory);
    const names = Object.keys(decoderArchitectures);
    if (!names.includes(modelType)) throw unknown(directory, modelType, ['gpt2', ...names]);
    return DecoderForCausalLM.fromPretrained(directory);
  },
} as const;
