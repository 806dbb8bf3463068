// The model of `--config`: the shape in a config.json of Hugging Face, with the defaults of its architecture; no weights.
// What a prediction cannot express is refused if it changes the number of parameters, and is an assumption if not.
import { basename, dirname, join, resolve } from 'node:path';
import { directoryExists } from '../../base/read-file.ts';
import type { HiddenActivation } from '../../models/activation-names.ts';
import { configError, readConfigObject } from '../../models/config-file.ts';
import { decoderArchitectures, decoderConfig, decoderLayout } from '../../models/decoder/architectures.ts';
import type { DecoderConfigInput } from '../../models/decoder/fields.ts';
import { encoderArchitectures } from '../../models/encoder/architectures.ts';
import { encoderConfig, encoderLayout } from '../../models/encoder/encoder-config.ts';
import type { EncoderConfigInput } from '../../models/encoder/fields.ts';
import { ofModelType } from '../../models/model-types.ts';
import { modelOf, type TransformerConfig } from '../../simulator/index.ts';

interface File {
  readonly name: string;
  readonly fail: ReturnType<typeof configError>;
  readonly path: string;
}
type Read = (fields: object, file: File, assumptions: string[]) => TransformerConfig;

const readers: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(Object.keys(decoderArchitectures).map(type => [type, ofDecoder])),
  ...Object.fromEntries(Object.keys(encoderArchitectures).map(type => [type, ofEncoder])),
};

/**
 * The model in a file, or in a folder with a config.json.
 * @throws {FILE_UNREADABLE}
 * @throws {MODEL_CONFIG_INVALID}
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 */
export async function modelOfConfig(given: string, cwd: string, assumptions: string[]): Promise<TransformerConfig> {
  const at = resolve(cwd, given);
  const path = (await directoryExists(at)) ? join(at, 'config.json') : at;
  const name = basename(path) === 'config.json' ? basename(dirname(path)) : basename(path, '.json');
  const fields = await readConfigObject(path);
  const { model_type: type } = fields as { readonly model_type?: unknown };
  return ofModelType(readers, type, path)(fields, { name, path, fail: configError(path) }, assumptions);
}

function ofDecoder(fields: object, { name, path, fail }: File, assumptions: string[]): TransformerConfig {
  const layout = decoderLayout(decoderConfig(fields as DecoderConfigInput, path));
  const { layers, width, dropout } = layout;
  const experts = layers[0]!.experts;
  if (layers.some(layer => layer.experts?.count !== experts?.count))
    throw fail('mlp_only_layers', 'only some layers have experts, and plans need all layers alike');
  if (experts?.sharedWidth !== undefined)
    throw fail('shared_expert_intermediate_size', 'plans do not include networks beside the experts');
  if (layout.embeddingWidth !== width)
    throw fail('word_embed_proj_dim', `it is ${layout.embeddingWidth}, and plans need hidden_size, ${width}`);
  assumeWholeAttention(name, layers, assumptions);
  return {
    kind: 'transformer',
    name,
    layers: layers.length,
    hidden: width,
    heads: layout.heads,
    keyValueHeads: layout.keyHeads,
    headSize: layout.headDim,
    feedForward: experts?.innerWidth ?? layout.innerWidth,
    gated: layout.gated,
    activation: activationOf(layout.activation),
    normalization: layout.norm.startsWith('rms') ? 'rms-norm' : 'layer-norm',
    biases: layout.bias.output && layout.bias.feedForward,
    causal: true,
    dropout: Math.max(dropout.embeddings, dropout.attention, dropout.residual) > 0,
    vocabulary: layout.vocabulary,
    positions: layout.positions?.count ?? 0,
    segments: 0,
    tiedHead: layout.tied,
    head: { kind: 'causal-lm' },
    patches: undefined,
    experts: experts && { count: experts.count, perToken: experts.perToken },
  };
}

function ofEncoder(fields: object, { name, path, fail }: File, assumptions: string[]): TransformerConfig {
  const config = encoderConfig(fields as EncoderConfigInput, path);
  const layout = encoderLayout(config);
  const { width, dropout, layers, bias } = layout;
  if (layout.embeddingWidth !== width)
    throw fail('embedding_size', `it is ${layout.embeddingWidth}, and plans need hidden_size, ${width}`);
  if (layers.length !== layout.blocks)
    throw fail(
      'num_hidden_groups',
      `${layers.length} layers share the weights of ${layout.blocks}, which plans cannot`,
    );
  if (layout.distances.kind !== 'none')
    assumptions.push(`${name}: scores are predicted without their terms of distances.`);
  assumeWholeAttention(name, layers, assumptions);
  const { architectures } = config as { readonly architectures?: unknown };
  const isClassifier = /ForSequenceClassification"/.test(JSON.stringify(architectures ?? []));
  return {
    kind: 'transformer',
    name,
    layers: layers.length,
    hidden: width,
    heads: layout.heads,
    keyValueHeads: layout.heads,
    headSize: layout.headDim,
    feedForward: layout.innerWidth,
    gated: layout.gated,
    activation: activationOf(layout.activation),
    normalization: 'layer-norm',
    biases: bias.attention && bias.feedForward,
    causal: false,
    dropout: Math.max(layout.embeddingDropout, dropout.attention, dropout.output) > 0,
    vocabulary: layout.vocabulary,
    positions: layout.positionRows === 0 ? 0 : layout.maxPositions,
    segments: layout.tokenTypes,
    tiedHead: true,
    head: isClassifier ? { kind: 'classifier', classes: config.num_labels } : modelOf('bert-base').head,
    patches: undefined,
    experts: undefined,
  };
}

function assumeWholeAttention(
  name: string,
  layers: readonly { readonly window?: unknown }[],
  assumptions: string[],
): void {
  const windows = layers.filter(({ window }) => window !== undefined).length;
  if (windows === 0) return;
  const which = `${windows} of ${layers.length} layers with a window`;
  assumptions.push(`${name}: attention is predicted over all positions, also in the ${which}.`);
}

const activationOf = (name: HiddenActivation): TransformerConfig['activation'] =>
  name.includes('gelu') ? 'gelu' : name.startsWith('relu') ? 'relu' : 'silu';
