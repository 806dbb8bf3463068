// `config.json` of Hugging Face's ResNet, and the names of its tensors. The model, in resnet.ts, has torchvision's names.
import * as z from 'zod';
import { hiddenActivations } from './activation-names.ts';
import { checkConfig, checkParameterCount, configError, size } from './config-file.ts';
import { type Labels, labelFields, labelsOf } from './labels.ts';
import type { NameRule } from './tensor-names.ts';

const sizes = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(64).readonly();

// Names and defaults: transformers, ResNetConfig.
const resNetConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.literal('resnet').default('resnet'),
  /** The number of channels of images. */
  num_channels: z.int().min(1).max(4096).default(3),
  /** The number of channels after the first convolution. */
  embedding_size: size.width.default(64),
  /** The number of channels after each stage. */
  hidden_sizes: sizes(size.width).default([256, 512, 1024, 2048]),
  /** The number of blocks of each stage. */
  depths: sizes(size.layers).default([3, 4, 6, 3]),
  /** `basic`: two 3×3 convolutions; `bottleneck`: one over a quarter of the channels. */
  layer_type: z.enum(['basic', 'bottleneck']).default('bottleneck'),
  /** The activation after the first convolution and after blocks; it is ReLU within blocks, as in transformers. */
  hidden_act: z.enum(hiddenActivations).default('relu'),
  /** Whether the first stage halves the image, too. */
  downsample_in_first_stage: z.boolean().default(false),
  /** Whether bottlenecks stride in their first convolution, not in the 3×3 one. */
  downsample_in_bottleneck: z.boolean().default(false),
  ...labelFields,
});

/** The fields of ResNet's `config.json`, under their own names; unknown ones are kept unchanged. */
export type ResNetConfig = Readonly<z.output<typeof resNetConfigSchema>> & Labels;
/** Any of the fields; missing ones have Hugging Face's defaults. */
export type ResNetConfigInput = Readonly<z.input<typeof resNetConfigSchema>>;

/**
 * Checks the fields of a ResNet configuration and fills in the defaults, those of ResNet-50. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @example
 * resNetConfig({ layer_type: 'basic', hidden_sizes: [64, 128], depths: [2, 2] }).hidden_act // 'relu'
 */
export function resNetConfig(fields: ResNetConfigInput = {}, file = 'the ResNet configuration'): ResNetConfig {
  const known = checkConfig(resNetConfigSchema, fields, file);
  const fail = configError(file);
  const { hidden_sizes: widths, depths, layer_type: type } = known;
  if (depths.length !== widths.length)
    throw fail('depths', `it has ${depths.length} entries, hidden_sizes has ${widths.length}`);
  const odd = widths.find(width => width % 4 !== 0);
  if (type === 'bottleneck' && odd !== undefined) throw fail('hidden_sizes', `${odd} is not a multiple of 4`);
  checkParameterCount(
    widths.reduce((sum, width, i) => sum + depths[i]! * 18 * width ** 2, 0),
    file,
  );
  return { ...known, ...labelsOf(known, fail) };
}

/** The differences of tensor names in Hugging Face's files from torchvision's names. */
export function resNetNames({ depths, layer_type: type }: ResNetConfig): readonly NameRule[] {
  const convolutions = type === 'basic' ? 2 : 3;
  const block = (stage: number, i: number): NameRule[] => {
    const [file, model] = [`resnet.encoder.stages.${stage}.layers.${i}`, `layer${stage + 1}.${i}`];
    return [
      ...Array.from({ length: convolutions }, (_, k) => [
        { file: `${file}.layer.${k}.convolution`, model: `${model}.conv${k + 1}` },
        { file: `${file}.layer.${k}.normalization`, model: `${model}.bn${k + 1}` },
      ]).flat(),
      { file: `${file}.shortcut.convolution`, model: `${model}.downsample.0` },
      { file: `${file}.shortcut.normalization`, model: `${model}.downsample.1` },
    ];
  };
  return [
    ...depths.flatMap((count, stage) => Array.from({ length: count }, (_, i) => block(stage, i)).flat()),
    { file: 'resnet.embedder.embedder.convolution', model: 'conv1' },
    { file: 'resnet.embedder.embedder.normalization', model: 'bn1' },
    { file: 'classifier.1', model: 'fc' },
  ];
}
