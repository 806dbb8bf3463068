// Reads and writes text encoders as directories in Hugging Face's layout.
import { join } from 'node:path';
import { init, type Module } from '../../nn/index.ts';
import { writeConfigObject } from '../config-file.ts';
import { withLabels } from '../labels.ts';
import { initializeMissing, isUntied, loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import { inFile, type NameRule, withAndWithout } from '../tensor-names.ts';
import { type EncoderHeadName, encoderArchitecture } from './architectures.ts';
import { encoderConfig, fieldsInFile, readEncoderConfig } from './encoder-config.ts';
import type { EncoderConfig, EncoderConfigInput } from './fields.ts';

/** Options of `fromPretrained` of text encoders. */
export interface EncoderFromPretrainedOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: Partial<EncoderConfigInput>;
}

/** How the tensors of a model with this head are named in files. */
export function encoderNames(config: EncoderConfig, head: EncoderHeadName): readonly NameRule[] {
  const row = encoderArchitecture(config.model_type, 'the configuration');
  const heads = row.headNames?.(config) ?? {};
  const own = (heads[head] ?? []).map(rule => (config.tie_word_embeddings ? rule : untied(rule)));
  return [...tiedEmbeddings(config, row.prefix, heads.ForMaskedLM ?? []), ...own, ...(row.names?.(config) ?? [])];
}

/** An untied head uses the bias next to its weights; files of tied heads store it under another name. */
const untied = (rule: NameRule): NameRule =>
  rule.model === 'tokenBias' ? { ...rule, file: [rule.file].flat().toReversed() } : rule;

/** Some files have the token embeddings only under the name of the tied head. */
function tiedEmbeddings(config: EncoderConfig, prefix: string, head: readonly NameRule[]): readonly NameRule[] {
  const tokens = head.find(({ model }) => model === 'tokens');
  if (tokens === undefined || !config.tie_word_embeddings) return [];
  const model = 'embeddings.word_embeddings.weight';
  return [`${prefix}.${model}`, model].map(name => ({
    file: [name, `${[tokens.file].flat()[0]}.weight`],
    model: name,
  }));
}

/** Reads a directory's configuration, makes the model, and loads its weights. */
export async function loadEncoder<M extends Module & { readonly config: EncoderConfig }>(
  make: (config: EncoderConfig) => M,
  head: EncoderHeadName,
  directory: string,
  { config: given, ...options }: EncoderFromPretrainedOptions,
): Promise<M> {
  const read = await readEncoderConfig(join(directory, 'config.json'));
  const own = given === undefined ? read : encoderConfig(withLabels({ ...read, ...given }, given));
  const { prefix } = encoderArchitecture(own.model_type, directory);
  const untied =
    head === 'ForMaskedLM' && own.tie_word_embeddings && (await isHeadUntied(directory, own, prefix, options));
  const config = untied ? { ...own, tie_word_embeddings: false } : own;
  const model = init.skipInit(() => make(config));
  const isInHead = (name: string): boolean => !name.startsWith(`${prefix}.`) || name.startsWith(`${prefix}.pooler.`);
  const isPooler = (name: string): boolean => name.startsWith('pooler.');
  await loadDirectory(
    model,
    directory,
    {
      basePrefix: `${prefix}.`,
      rules: encoderNames(config, head),
      mayMiss: head === 'Model' ? isPooler : isInHead,
    },
    options,
    missing => initializeMissing(model, missing, config.initializer_range),
  );
  return model;
}

async function isHeadUntied(
  directory: string,
  config: EncoderConfig,
  prefix: string,
  options: PretrainedOptions,
): Promise<boolean> {
  const rules = encoderNames({ ...config, tie_word_embeddings: false }, 'ForMaskedLM');
  const [tokens, head] = [`${prefix}.embeddings.word_embeddings.weight`, 'tokens.weight'].map(
    name => inFile(name, rules).names,
  );
  const spellings = tokens!.flatMap(name => withAndWithout(`${prefix}.`, name));
  return isUntied(directory, options, spellings, head![0]);
}

/** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
export async function saveEncoder(
  model: Module,
  config: EncoderConfig,
  head: EncoderHeadName,
  directory: string,
): Promise<void> {
  await saveWeights(model, directory, encoderNames(config, head));
  await saveEncoderConfig(config, head, directory);
}

/** Writes config.json into a directory. */
export async function saveEncoderConfig(
  config: EncoderConfig,
  head: EncoderHeadName,
  directory: string,
): Promise<void> {
  const { className } = encoderArchitecture(config.model_type, directory);
  await writeConfigObject(join(directory, 'config.json'), className + head, fieldsInFile(config));
}
