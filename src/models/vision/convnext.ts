// ConvNeXt (Liu et al., 2022) and ConvNeXt V2 (Woo et al., 2023), with Hugging Face's names and files: convolutions over each
// channel, and layer norms.
//
//   image → patches 4×4 → four stages of blocks, each except the first halves the image → mean over pixels, norm → classes
//
// N batch, C channels of a stage.
import { join } from 'node:path';
import * as z from 'zod';
import {
  Conv2d,
  type ConvSettings,
  init,
  LayerNorm,
  type Linear,
  Module,
  ModuleList,
  Parameter,
} from '../../nn/index.ts';
import { full, type Tensor, zeros } from '../../tensor/index.ts';
import { hiddenActivations } from '../activation-names.ts';
import { activationOf } from '../activations.ts';
import {
  checkConfig,
  checkParameterCount,
  configError,
  readConfigObject,
  size,
  writeConfigObject,
} from '../config-file.ts';
import { dropPath } from '../encoder/block.ts';
import { type Labels, labelFields, labelsOf, withLabels } from '../labels.ts';
import { normalLinear } from '../layers.ts';
import { loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import { classifierLoss, type ImageInputs, imagesOf, TaskModel } from '../task-model.ts';
import type { NameRule } from '../tensor-names.ts';
import { initializeMissing, mismatch } from './vision.ts';

const sizes = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(64).readonly();

// Names and defaults: transformers, ConvNextConfig.
const convNextConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.enum(['convnext', 'convnextv2']).default('convnext'),
  /** The number of channels of images. */
  num_channels: z.int().min(1).max(4096).default(3),
  /** The height and width of a patch. */
  patch_size: z
    .int()
    .min(1)
    .max(1 << 12)
    .default(4),
  /** The number of stages. */
  num_stages: z.int().min(1).max(64).optional(),
  /** The number of channels of each stage. */
  hidden_sizes: sizes(size.width).default([96, 192, 384, 768]),
  /** The number of blocks of each stage. */
  depths: sizes(size.layers).default([3, 3, 9, 3]),
  /** The activation. */
  hidden_act: z.enum(hiddenActivations).default('gelu'),
  /** The standard deviation of initial weights. */
  initializer_range: z.number().positive().default(0.02),
  /** Added to the variance in the last norm. */
  layer_norm_eps: z.number().positive().default(1e-12),
  /** The initial factor of each channel of a block's result; 0: no factors. */
  layer_scale_init_value: z.number().min(0).default(1e-6),
  /** The probability that the last block's result is dropped for a whole image; lower in blocks before it. */
  drop_path_rate: z.number().min(0).max(0.999).default(0),
  ...labelFields,
});

/** The beginning of the names of transformers' classes by `model_type`. */
export const convNextTypes = { convnext: 'ConvNext', convnextv2: 'ConvNextV2' } as const;

/** The differences of tensor names in files from the names of the modules. */
export const convNextNames = ({ model_type: type }: ConvNextConfig): readonly NameRule[] =>
  type === 'convnext' ? [] : [{ file: type, model: 'convnext' }];

/** The fields of ConvNeXt's `config.json`, under their own names; unknown ones are kept unchanged. */
export type ConvNextConfig = Readonly<z.output<typeof convNextConfigSchema>> & Labels;
/** Any of the fields; missing ones have Hugging Face's defaults. */
export type ConvNextConfigInput = Readonly<z.input<typeof convNextConfigSchema>>;

/**
 * Checks the fields of a ConvNeXt configuration and fills in the defaults, those of ConvNeXt-Tiny. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @example
 * convNextConfig({ hidden_sizes: [8, 16], depths: [1, 1] }).patch_size // 4
 */
export function convNextConfig(fields: ConvNextConfigInput = {}, file = 'the ConvNeXt configuration'): ConvNextConfig {
  const known = checkConfig(convNextConfigSchema, fields, file);
  const fail = configError(file);
  const { hidden_sizes: widths, depths, num_stages: stages = depths.length } = known;
  if (depths.length !== stages || widths.length !== stages)
    throw fail('num_stages', `it is ${stages}, depths has ${depths.length} entries, hidden_sizes has ${widths.length}`);
  checkParameterCount(
    widths.reduce((sum, width, i) => sum + depths[i]! * 8 * width ** 2, 0),
    file,
  );
  return { ...known, ...labelsOf(known, fail) };
}

// transformers has this constant in all norms except the last.
const eps = 1e-6;

function convolution(std: number, inputs: number, outputs: number, kernel: number, options: ConvSettings): Conv2d {
  const layer = init.skipInit(() => new Conv2d(inputs, outputs, kernel, options));
  layer.weight.moveFrom(init.normal(layer.weight.shape, 0, std));
  return layer;
}

/** A layer norm over the channels of images: [N, C, height, width] → the same. */
class ChannelNorm extends LayerNorm {
  override forward(x: Tensor): Tensor {
    return super.forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2);
  }
}

/**
 * Global response normalization (ConvNeXt V2): each channel is scaled by its norm over the image relative to the mean of all
 * channels. [N, height, width, C] → the same.
 */
class ResponseNorm extends Module {
  weight: Parameter;
  bias: Parameter;
  constructor(width: number) {
    super();
    this.weight = new Parameter(zeros([1, 1, 1, width]), { fresh: true });
    this.bias = new Parameter(zeros([1, 1, 1, width]), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    const norms = x.square().sum([1, 2], true).sqrt(); // [N, 1, 1, C]
    const relative = norms.div(norms.mean(-1, true).add(eps));
    return this.weight.mul(x.mul(relative)).add(this.bias).add(x);
  }
}

/** A 7×7 convolution of each channel, and a feed-forward network of each pixel. */
class ConvNextLayer extends Module {
  readonly #dropPath: number;
  readonly #activation: (x: Tensor) => Tensor;
  dwconv: Conv2d;
  layernorm: LayerNorm;
  pwconv1: Linear;
  grn: ResponseNorm | undefined;
  pwconv2: Linear;
  layer_scale_parameter: Parameter | undefined;
  constructor(config: ConvNextConfig, width: number, dropped: number) {
    super();
    const { initializer_range: std, layer_scale_init_value: scale } = config;
    this.#dropPath = dropped;
    this.#activation = activationOf(config.hidden_act);
    this.dwconv = convolution(std, width, width, 7, { padding: 3, groups: width });
    this.layernorm = new LayerNorm(width, { eps });
    this.pwconv1 = normalLinear(std, width, 4 * width);
    const isSecond = config.model_type === 'convnextv2';
    this.grn = isSecond ? new ResponseNorm(4 * width) : undefined;
    this.pwconv2 = normalLinear(std, 4 * width, width);
    this.layer_scale_parameter =
      scale > 0 && !isSecond ? new Parameter(full([width], scale), { fresh: true }) : undefined;
  }
  /** [N, C, height, width] → the same. */
  override forward(x: Tensor): Tensor {
    const pixels = this.layernorm.forward(this.dwconv.forward(x).permute(0, 2, 3, 1));
    const wide = this.#activation(this.pwconv1.forward(pixels));
    const inner = this.pwconv2.forward(this.grn?.forward(wide) ?? wide);
    const scale = this.layer_scale_parameter;
    const y = (scale === undefined ? inner : inner.mul(scale)).permute(0, 3, 1, 2);
    return x.add(this.training ? dropPath(y, this.#dropPath) : y);
  }
}

class ConvNextStage extends Module {
  downsampling_layer: ModuleList<ChannelNorm | Conv2d>;
  layers: ModuleList<ConvNextLayer>;
  constructor(config: ConvNextConfig, stage: number) {
    super();
    const { hidden_sizes: widths, depths, initializer_range: std } = config;
    const [width, before] = [widths[stage]!, widths[stage - 1]];
    this.downsampling_layer = new ModuleList(
      before === undefined ? [] : [new ChannelNorm(before, { eps }), convolution(std, before, width, 2, { stride: 2 })],
    );
    const total = depths.reduce((sum, n) => sum + n, 0);
    const first = depths.slice(0, stage).reduce((sum, n) => sum + n, 0);
    const rate = (i: number): number => (total === 1 ? 0 : (config.drop_path_rate * (first + i)) / (total - 1));
    this.layers = new ModuleList(
      Array.from({ length: depths[stage]! }, (_, i) => new ConvNextLayer(config, width, rate(i))),
    );
  }
  override forward(x: Tensor): Tensor {
    let y = x;
    for (const layer of this.downsampling_layer) y = layer.forward(y);
    for (const layer of this.layers) y = layer.forward(y);
    return y;
  }
}

class ConvNextEmbeddings extends Module {
  patch_embeddings: Conv2d;
  layernorm: ChannelNorm;
  constructor({ num_channels, hidden_sizes, patch_size, initializer_range: std }: ConvNextConfig) {
    super();
    const [width] = hidden_sizes as [number];
    this.patch_embeddings = convolution(std, num_channels, width, patch_size, { stride: patch_size });
    this.layernorm = new ChannelNorm(width, { eps });
  }
  override forward(images: Tensor): Tensor {
    return this.layernorm.forward(this.patch_embeddings.forward(images));
  }
}

class ConvNextEncoder extends Module {
  stages: ModuleList<ConvNextStage>;
  constructor(config: ConvNextConfig) {
    super();
    this.stages = new ModuleList(config.depths.map((_, stage) => new ConvNextStage(config, stage)));
  }
  override forward(x: Tensor): Tensor {
    let y = x;
    for (const stage of this.stages) y = stage.forward(y);
    return y;
  }
}

/** The outputs of convolutional image encoders. */
export interface FeatureMaps {
  /** The result of the last stage, [N, C, height, width]. */
  readonly lastHiddenState: Tensor;
  /** The vector of the image, [N, C]. */
  readonly poolerOutput: Tensor;
}

/**
 * ConvNeXt without a head.
 * @example
 * const model = new ConvNextModel({ hidden_sizes: [8, 16], depths: [1, 1] });
 * model(randn(2, 3, 32, 32)).poolerOutput.shape // [2, 16]
 */
export class ConvNextModel extends Module {
  /** The configuration of the model. */
  readonly config: ConvNextConfig;
  /** The convolution of patches and its norm. */
  embeddings: Module;
  /** The stages. */
  encoder: Module;
  /** Normalizes the vector of the image. */
  layernorm: LayerNorm;
  readonly #embeddings: ConvNextEmbeddings;
  readonly #encoder: ConvNextEncoder;
  constructor(config: ConvNextConfigInput = {}) {
    super();
    this.config = convNextConfig(config);
    this.#embeddings = new ConvNextEmbeddings(this.config);
    this.embeddings = this.#embeddings;
    this.#encoder = new ConvNextEncoder(this.config);
    this.encoder = this.#encoder;
    this.layernorm = new LayerNorm(this.config.hidden_sizes.at(-1)!, { eps: this.config.layer_norm_eps });
  }
  /** Images [N, channels, height, width] → the last feature map and the vectors of the images. @throws {SHAPE_MISMATCH} */
  override forward(images: Tensor): FeatureMaps {
    const { num_channels: channels, depths, patch_size } = this.config;
    const least = patch_size * 2 ** (depths.length - 1);
    if (images.ndim !== 4 || images.shape[1] !== channels || images.shape.slice(2).some(n => n < least))
      throw mismatch(
        'ConvNeXt',
        images,
        `[N, ${channels}, H, W]`,
        `images have ${channels} channels and at least ${least}×${least} pixels`,
      );
    const lastHiddenState = this.#encoder.forward(this.#embeddings.forward(images));
    return { lastHiddenState, poolerOutput: this.layernorm.forward(lastHiddenState.mean([2, 3])) };
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   */
  static fromPretrained(directory: string, options: ConvNextFromPretrainedOptions = {}): Promise<ConvNextModel> {
    return load(config => new ConvNextModel(config), directory, options);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await save(this, this.config, 'Model', directory);
  }
}

/** Options of `fromPretrained` of ConvNeXt. */
export interface ConvNextFromPretrainedOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: Partial<ConvNextConfigInput>;
}

/**
 * ConvNeXt with a classifier: logits [N, num_labels].
 * @example
 * const model = new ConvNextForImageClassification({ hidden_sizes: [8, 16], depths: [1, 1], num_labels: 3 });
 * model(randn(2, 3, 32, 32)).shape // [2, 3]
 */
export class ConvNextForImageClassification extends TaskModel<Tensor | ImageInputs> {
  /** The configuration of the model. */
  readonly config: ConvNextConfig;
  /** The model without the head. */
  convnext: ConvNextModel;
  /** Computes the logits of the classes. */
  classifier: Linear;
  constructor(config: ConvNextConfigInput = {}) {
    super();
    this.convnext = new ConvNextModel(config);
    this.config = this.convnext.config;
    const { hidden_sizes, num_labels, initializer_range: std } = this.config;
    this.classifier = normalLinear(std, hidden_sizes.at(-1)!, num_labels);
  }
  /** @internal */
  protected override lossOf(logits: Tensor, labels: Tensor): Tensor {
    return classifierLoss(logits, labels, this.config);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | ImageInputs): Tensor {
    return this.classifier.forward(this.convnext.forward(imagesOf(inputs)).poolerOutput);
  }
  /** As `ConvNextModel.fromPretrained`. A classifier that the directory lacks is initialized randomly, with a warning. */
  static fromPretrained(
    directory: string,
    options: ConvNextFromPretrainedOptions = {},
  ): Promise<ConvNextForImageClassification> {
    return load(config => new ConvNextForImageClassification(config), directory, options);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await save(this, this.config, 'ForImageClassification', directory);
  }
}

async function load<M extends Module>(
  make: (config: ConvNextConfig) => M,
  directory: string,
  { config: given, ...options }: ConvNextFromPretrainedOptions,
): Promise<M> {
  const file = join(directory, 'config.json');
  const read = { ...((await readConfigObject(file)) as ConvNextConfigInput), ...given };
  const config = convNextConfig(given === undefined ? read : withLabels(read, given), file);
  const model = init.skipInit(() => make(config));
  const mayMiss = (name: string): boolean => name.startsWith('classifier.');
  const names = { basePrefix: `${config.model_type}.`, rules: convNextNames(config), mayMiss };
  await loadDirectory(model, directory, names, options, missing =>
    initializeMissing(model, missing, config.initializer_range),
  );
  return model;
}

async function save(model: Module, config: ConvNextConfig, head: string, directory: string): Promise<void> {
  await saveWeights(model, directory, convNextNames(config));
  // Hugging Face derives num_labels from id2label and does not write it.
  const { num_labels: _, ...fields } = config;
  await writeConfigObject(join(directory, 'config.json'), convNextTypes[config.model_type] + head, fields);
}
