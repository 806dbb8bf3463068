// Configuration files of all models: JSON is read and checked against a schema, errors name the field, and files are written as
// Hugging Face writes them. The fields are defined in encoder/ and decoder/.
import * as z from 'zod';
import { writeFileAtomically } from '../base/atomic-write.ts';
import { TrenioError } from '../base/errors.ts';
import { readTextFile } from '../base/read-file.ts';

/**
 * Sizes in a configuration. The bounds are several times those of the largest published models: larger values are mistakes or
 * attacks, and would otherwise fail only after minutes of building.
 */
const upTo = (max: number) => z.int().min(1).max(max);
export const size = {
  vocabulary: upTo(1 << 22),
  width: upTo(1 << 18),
  layers: upTo(4096),
  heads: upTo(1 << 14),
  innerWidth: upTo(1 << 20),
  positions: upTo(1 << 24),
  tokenTypes: upTo(1 << 16),
  labels: upTo(1 << 20),
  experts: upTo(1 << 14),
} as const;
/** Sizes that are each within bounds may still be too large together. */
const maxParameters = 1.1e12;

// `Omit` would lose the named fields because of the index signature for unknown ones.
/** Only the named fields. */
export type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** The error for a field of `file`. */
export const configError =
  (file: string) =>
  (field: string, problem: string): TrenioError =>
    new TrenioError('MODEL_CONFIG_INVALID', { file, field, problem });

/** The fields, checked, with defaults filled in. @throws {MODEL_CONFIG_INVALID} naming the first field that is wrong */
export function checkConfig<S extends z.ZodType>(schema: S, fields: z.input<S>, file: string): z.output<S> {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const value = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    fields,
  );
  throw configError(file)(
    issue.path.join('.'),
    issue.path.length === 0 ? issue.message : `${issue.message} (it is ${JSON.stringify(value)})`,
  );
}

/** The number may be an estimate. @throws {MODEL_CONFIG_INVALID} for a model with more parameters than Trenio builds */
export function checkParameterCount(parameters: number, file: string): void {
  if (parameters <= maxParameters) return;
  const inBillions = (n: number): string => `${Math.round(n / 1e9)} billion`;
  throw configError(file)(
    '',
    `it describes a model of about ${inBillions(parameters)} parameters, more than the ${inBillions(maxParameters)} that Trenio builds`,
  );
}

/**
 * The JSON object in a `config.json`.
 * @throws {FILE_UNREADABLE}
 * @throws {MODEL_CONFIG_INVALID}
 */
export async function readConfigObject(file: string): Promise<object> {
  const text = await readTextFile(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const problem = `it is not JSON: ${(cause as Error).message}`;
    throw new TrenioError('MODEL_CONFIG_INVALID', { file, field: '', problem }, { cause });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw configError(file)('', 'it is not a JSON object');
  return withoutQuantization(json, file);
}

/** Weights in MXFP4 are widened when they are read; those of other methods would be read as if they were the weights. */
function withoutQuantization(json: object, file: string): object {
  const { quantization_config: quantization, ...fields } = json as {
    readonly quantization_config?: { readonly quant_method?: unknown } | null;
  };
  if (quantization != null && quantization.quant_method !== 'mxfp4')
    throw configError(file)(
      'quantization_config.quant_method',
      `it is ${JSON.stringify(quantization.quant_method)}, expected mxfp4; other quantized weights are read from GGUF files, or quantized when they are loaded`,
    );
  return fields;
}

/** Fields that transformers checks to be floats: it refuses `1` in place of `1.0`. */
const floatFields = [
  'attn_logit_softcapping',
  'contrastive_logits_temperature',
  'decoder_layerdrop',
  'diversity_loss_weight',
  'encoder_layerdrop',
  'final_logit_softcapping',
  'init_std',
  'initializer_cutoff_factor',
  'initializer_factor',
  'initializer_range',
  'layer_norm_eps',
  'layer_norm_epsilon',
  'layer_scale_init_value',
  'layerscale_value',
  'logit_scale_init_value',
  'norm_eps',
  'rms_norm_eps',
  'router_aux_loss_coef',
  'router_jitter_noise',
];
const wholeFloat = new RegExp(`^( *"(?:${floatFields.join('|')})": -?\\d+)(,?)$`, 'gm');

/** Writes a `config.json` that names the class that reads it, with sorted fields. */
export async function writeConfigObject(file: string, architecture: string, fields: object): Promise<void> {
  const all: Record<string, unknown> = { architectures: [architecture], ...fields };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  const text = JSON.stringify(sorted, null, 2).replace(wholeFloat, '$1.0$2');
  await writeFileAtomically(file, [`${text}\n`]);
}
