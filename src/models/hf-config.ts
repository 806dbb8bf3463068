// `config.json` of a Hugging Face BERT: the `bert` row of the text-encoder table (encoder/). Fields that are absent
// take Hugging Face's own defaults (those of bert-base); unknown fields are kept and written back.
import { configError, readConfigObject, writeConfigObject } from './config-file.ts';
import { encoderConfig, fieldsInFile } from './encoder/encoder-config.ts';
import type { EncoderConfig, EncoderConfigInput } from './encoder/fields.ts';

/** The fields of `config.json`, under their own names; unknown ones are kept unchanged. */
export type BertConfig = EncoderConfig;

/** Any of the fields; missing ones have Hugging Face's defaults. */
export type BertConfigInput = Partial<EncoderConfigInput>;

/**
 * Checks the fields of a configuration and fills in the defaults. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @example
 * bertConfig({ num_hidden_layers: 2 }).hidden_size // 768
 */
export function bertConfig(fields: BertConfigInput, file = 'the BERT configuration'): BertConfig {
  const { model_type: type = 'bert' } = fields;
  if (type !== 'bert')
    throw configError(file)('model_type', `Invalid input: expected "bert" (it is ${JSON.stringify(type)})`);
  return encoderConfig({ ...fields, model_type: type }, file);
}

/**
 * Reads a `config.json`.
 * @throws {FILE_UNREADABLE}
 * @throws {MODEL_CONFIG_INVALID}
 * @example
 * ```ts no-run
 * const { hidden_size } = await readBertConfig('bert-base-uncased/config.json');
 * ```
 */
export async function readBertConfig(file: string): Promise<BertConfig> {
  return bertConfig((await readConfigObject(file)) as BertConfigInput, file);
}

/**
 * Writes a `config.json` that Hugging Face's BertForSequenceClassification reads.
 * @example
 * ```ts no-run
 * await writeBertConfig('config.json', bertConfig({ num_hidden_layers: 2 }));
 * ```
 */
export async function writeBertConfig(file: string, config: BertConfig): Promise<void> {
  await writeConfigObject(file, 'BertForSequenceClassification', fieldsInFile(config));
}
