// Image encoders of patches, of all architectures in architectures.ts, with Hugging Face's files.
// N batch, C channels, S patches and the class token, H width.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { resizeMatrix } from '../../data/images/resize-image.ts';
import {
  Conv2d,
  Dropout,
  functional as F,
  init,
  LayerNorm,
  type Linear,
  Module,
  ModuleList,
  Parameter,
} from '../../nn/index.ts';
import { cat, type Tensor, tensor, userLocation, where, zeros } from '../../tensor/index.ts';
import { readConfigObject, writeConfigObject } from '../config-file.ts';
import { EncoderLayer } from '../encoder/block.ts';
import { withLabels } from '../labels.ts';
import { normalLinear } from '../layers.ts';
import { loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import { classifierLoss, TaskModel } from '../task-model.ts';
import type { NameRule } from '../tensor-names.ts';
import {
  type VisionConfig,
  type VisionConfigInput,
  visionArchitecture,
  visionArchitectures,
  visionConfig,
  visionLayout,
} from './architectures.ts';
import type { VisionLayout } from './layout.ts';
import { PatchDistances } from './patch-distances.ts';
import { AttentionPooler, DensePooler } from './poolers.ts';

/** The inputs of image encoders. */
export interface VisionInputs {
  /** Images [N, C, height, width], normalized. */
  readonly pixelValues: Tensor;
  /** Patches that the mask token replaces [N, patches]: 1 for replaced ones (DINOv2). */
  readonly maskedPatches?: Tensor | undefined;
  /** Whether positions are interpolated for images of another size than the configuration's; always for DINOv2. */
  readonly interpolatePositions?: boolean;
}

/** The outputs of image encoders. */
export interface VisionOutputs {
  /** The hidden states of the last layer, [N, S, H]. */
  readonly lastHiddenState: Tensor;
  /** The vector of the image [N, H]; undefined in classifiers, which do not use it. */
  readonly poolerOutput: Tensor | undefined;
  /** The projected vector of the image [N, P]; undefined in models without a projection. */
  readonly imageEmbeds: Tensor | undefined;
}

const normal = (shape: readonly number[], std: number): Parameter =>
  new Parameter(init.normal(shape, 0, std), { fresh: true });

/** A convolution whose windows do not overlap: [N, C, height, width] → [N, patches, H]. */
class PatchEmbeddings extends Module {
  projection: Conv2d;
  constructor({ channels, block, patchSize, patchBias }: VisionLayout) {
    super();
    const options = { stride: patchSize, bias: patchBias };
    this.projection = init.skipInit(() => new Conv2d(channels, block.width, patchSize, options));
    this.projection.weight.moveFrom(init.normal(this.projection.weight.shape, 0, block.initializerRange));
  }
  override forward(images: Tensor): Tensor {
    return this.projection.forward(images).flatten(2).transpose(1, 2);
  }
}

/**
 * The sum of the embeddings of patches and positions, after a token for the whole image.
 * @example
 * const sizes = { hidden_size: 8, num_attention_heads: 2, image_size: 8, patch_size: 4 };
 * const layout = visionLayout(visionConfig({ model_type: 'vit', ...sizes }));
 * new VisionEmbeddings(layout)({ pixelValues: randn(2, 3, 8, 8) }).shape // [2, 5, 8]
 */
export class VisionEmbeddings extends Module {
  readonly #layout: VisionLayout;
  /** The token of the image. */
  cls_token: Parameter | undefined;
  /** The token after it that learned from another model (DeiT). */
  distillation_token: Parameter | undefined;
  /** Replaces masked patches. */
  mask_token: Parameter | undefined;
  /** Trained tokens before the patches. */
  register_tokens: Parameter | undefined;
  /** The embeddings of the positions. */
  position_embeddings: Parameter | undefined;
  /** Embeds the patches. */
  patch_embeddings: Module;
  /** Applied in training. */
  dropout: Dropout;
  readonly #patches: PatchEmbeddings;
  constructor(layout: VisionLayout) {
    super();
    this.#layout = layout;
    const { block, isFlat, hasClassToken, hasMaskToken } = layout;
    const { width, initializerRange: std } = block;
    const [rows, columns] = gridOf(layout, layout.imageSize);
    const count = rows * columns + ownTokens(layout);
    this.cls_token = hasClassToken ? normal(isFlat ? [width] : [1, 1, width], std) : undefined;
    this.distillation_token = layout.hasDistillationToken ? normal([1, 1, width], std) : undefined;
    const maskShape = layout.maskTokenDims === 2 ? [1, width] : [1, 1, width];
    this.mask_token = hasMaskToken ? new Parameter(zeros(maskShape), { fresh: true }) : undefined;
    this.register_tokens =
      layout.registers > 0 ? new Parameter(zeros([1, layout.registers, width]), { fresh: true }) : undefined;
    const shape = isFlat ? [count, width] : [1, count, width];
    this.position_embeddings = layout.hasPositions ? normal(shape, std) : undefined;
    this.#patches = new PatchEmbeddings(layout);
    this.patch_embeddings = this.#patches;
    this.dropout = new Dropout(layout.embeddingDropout);
  }
  /** [N, C, height, width] → [N, S, H] */
  override forward({ pixelValues, maskedPatches, interpolatePositions }: VisionInputs): Tensor {
    this.#check(pixelValues, interpolatePositions);
    const { cls_token: token, mask_token: masked } = this;
    const { width } = this.#layout.block;
    let x = this.#patches.forward(pixelValues);
    if (maskedPatches !== undefined && masked !== undefined)
      x = where(maskedPatches.ne(0).unsqueeze(-1), masked.reshape(1, 1, width), x);
    const own = [token, this.distillation_token].flatMap(one => one?.reshape(1, 1, width) ?? []);
    const batch = pixelValues.shape[0]!;
    if (own.length > 0) x = cat([...own.map(one => one.expand(batch, 1, width)), x], 1);
    const { position_embeddings: positions } = this;
    if (positions !== undefined) x = x.add(this.#positions(positions, pixelValues));
    const { register_tokens: registers } = this;
    if (registers !== undefined) {
      const repeated = registers.expand(x.shape[0]!, registers.shape[1]!, width);
      x = cat([x.narrow(1, 0, 1), repeated, x.narrow(1, 1, x.shape[1]! - 1)], 1);
    }
    return this.dropout.forward(x);
  }
  /** [1, S, H], interpolated for images of another size. */
  #positions(positions: Tensor, images: Tensor): Tensor {
    const { block, imageSize } = this.#layout;
    const all = positions.reshape(1, -1, block.width);
    const size = images.shape.slice(2) as unknown as VisionLayout['imageSize'];
    if (size.every((n, i) => n === imageSize[i])) return all;
    const first = ownTokens(this.#layout);
    const [rows, columns] = gridOf(this.#layout, imageSize);
    const image = all
      .narrow(1, first, rows * columns)
      .reshape(1, rows, columns, block.width)
      .permute(0, 3, 1, 2);
    const grid = gridOf(this.#layout, size);
    const resized =
      this.#layout.interpolation === 'antialiased'
        ? antialiased(image.to('f32'), grid)
        : F.interpolate(image.to('f32'), { size: grid, mode: 'bicubic' });
    const patches = resized.to(all.dtype).permute(0, 2, 3, 1).reshape(1, -1, block.width);
    return first > 0 ? cat([all.narrow(1, 0, first), patches], 1) : patches;
  }
  #check(images: Tensor, interpolates = this.#layout.anySize): void {
    const { channels, imageSize, patchSize } = this.#layout;
    const [, c, height, width] = images.shape;
    const right = interpolates ? `[N, ${channels}, height, width]` : `[N, ${channels}, ${imageSize.join(', ')}]`;
    const fits =
      images.ndim === 4 &&
      c === channels &&
      (interpolates
        ? height! >= patchSize[0] && width! >= patchSize[1]
        : height === imageSize[0] && width === imageSize[1]);
    if (fits) return;
    const detail = interpolates
      ? `images have ${channels} channels and at least the size of a patch, ${patchSize.join('×')}`
      : `images have the size of the configuration; resize them, or set interpolatePositions`;
    throw mismatch('image encoder', images, right, detail);
  }
}

/** The number of tokens with a position before the patches. */
const ownTokens = ({ hasClassToken, hasDistillationToken }: VisionLayout): number =>
  (hasClassToken ? 1 : 0) + (hasDistillationToken ? 1 : 0);

/** The mean of the patches, without the tokens before them: [N, S, H] → [N, H]. */
function meanOfPatches(x: Tensor, layout: VisionLayout): Tensor {
  const from = ownTokens(layout) + layout.registers;
  return x.narrow(1, from, x.shape[1]! - from).mean(1);
}

/** Resizes [1, H, rows, columns] as `resizeImage` resizes images, without rounding. */
function antialiased(image: Tensor, [rows, columns]: readonly [number, number]): Tensor {
  const matrix = (from: number, to: number): Tensor =>
    tensor(resizeMatrix(from, to, 'bicubic'), { shape: [to, from], device: image.device });
  return matrix(image.shape[2]!, rows).matmul(image).matmul(matrix(image.shape[3]!, columns).transpose(0, 1));
}

/** The rows and columns of patches. */
const gridOf = ({ patchSize }: VisionLayout, [height, width]: VisionLayout['imageSize']): [number, number] => [
  Math.trunc(height / patchSize[0]),
  Math.trunc(width / patchSize[1]),
];

/** The error for a tensor of another shape. */
export function mismatch(op: string, got: Tensor, right: string, detail: string): TrenioError {
  const left = `[${got.shape.join(', ')}]`;
  return new TrenioError('SHAPE_MISMATCH', { op, left, right, detail }, { location: userLocation() });
}

/**
 * The blocks in order.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, image_size: 8, patch_size: 4 };
 * new VisionBlocks(visionLayout(visionConfig({ model_type: 'vit', ...sizes })))(randn(2, 5, 8)).shape // [2, 5, 8]
 */
export class VisionBlocks extends Module {
  /** The blocks. */
  layer: ModuleList<EncoderLayer>;
  constructor({
    layers,
    block,
    dropPathGrows = false,
  }: Pick<VisionLayout, 'layers' | 'block'> & Partial<VisionLayout>) {
    super();
    const dropPath = (i: number): number =>
      dropPathGrows ? (block.dropPath * i) / Math.max(layers - 1, 1) : block.dropPath;
    const blocks = Array.from({ length: layers }, (_, i) => new EncoderLayer({ ...block, dropPath: dropPath(i) }, i));
    this.layer = new ModuleList(blocks);
  }
  /** [N, S, H] → the same. The mask, or that of each block, is added to scores. */
  override forward(x: Tensor, mask?: Tensor | readonly Tensor[], isCausal = false): Tensor {
    let y = x;
    let i = 0;
    for (const layer of this.layer)
      y = layer.forward(y, mask === undefined || 'shape' in mask ? mask : mask[i++], { isCausal });
    return y;
  }
}

/** Options of image encoders. */
export interface VisionOptions {
  /** Whether there is a pooler; true by default. */
  readonly pooler?: boolean;
}

/**
 * An image encoder without a head: ViT, DeiT, BEiT, DINOv2, and the image encoders of CLIP and SigLIP.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, image_size: 8, patch_size: 4 };
 * const model = new VisionModel({ model_type: 'vit', ...sizes });
 * model(randn(2, 3, 8, 8)).lastHiddenState.shape // [2, 5, 8]
 */
export class VisionModel extends Module {
  /** The configuration of the model. */
  readonly config: VisionConfig;
  readonly #layout: VisionLayout;
  /** Embeds patches and positions. */
  embeddings: VisionEmbeddings;
  /** Normalizes the embeddings (CLIP). */
  inputNorm: LayerNorm | undefined;
  /** The blocks. */
  encoder: VisionBlocks;
  /** Added to the scores of all blocks, by the distances of patches (BEiT). */
  distances: PatchDistances | undefined;
  /** Added to those of each block (BEiT). */
  blockDistances: ModuleList<PatchDistances> | undefined;
  /** Normalizes the result. */
  layernorm: LayerNorm;
  /** Computes the vector of the image. */
  pooler: Module | undefined;
  /** Projects the vector of the image (CLIP). */
  visual_projection: Linear | undefined;
  readonly #pooler: DensePooler | AttentionPooler | undefined;
  readonly #isPooled: boolean;
  constructor(config: VisionConfigInput, options: VisionOptions = {}) {
    super();
    this.config = visionConfig(config);
    const layout = visionLayout(this.config);
    this.#layout = layout;
    const { width, norm, initializerRange: std } = layout.block;
    this.embeddings = new VisionEmbeddings(layout);
    this.inputNorm = layout.inputNorm ? new LayerNorm(width, { eps: norm.eps }) : undefined;
    this.encoder = new VisionBlocks(layout);
    const distances = (): PatchDistances => new PatchDistances(gridOf(layout, layout.imageSize), layout.block.heads);
    this.distances = layout.patchDistances.shared ? distances() : undefined;
    this.blockDistances = layout.patchDistances.each
      ? new ModuleList(Array.from({ length: layout.layers }, distances))
      : undefined;
    this.layernorm = new LayerNorm(width, { eps: norm.eps });
    this.#isPooled = options.pooler !== false && layout.pooler !== 'none';
    this.#pooler = !this.#isPooled
      ? undefined
      : layout.pooler === 'dense'
        ? new DensePooler(width, this.config, std)
        : layout.pooler === 'attention'
          ? new AttentionPooler(layout)
          : undefined;
    this.pooler = this.#pooler;
    const { projection } = layout;
    this.visual_projection =
      projection === undefined ? undefined : normalLinear(width ** -0.5, width, projection, false);
  }
  /**
   * Images [N, C, height, width], or inputs by name → hidden states [N, S, H] and the vectors of the images [N, H].
   * @throws {SHAPE_MISMATCH}
   */
  override forward(inputs: Tensor | VisionInputs): VisionOutputs {
    const named = 'pixelValues' in inputs ? inputs : { pixelValues: inputs };
    const embedded = this.embeddings.forward(named);
    const input = this.inputNorm === undefined ? embedded : this.inputNorm.forward(embedded);
    const x = this.encoder.forward(input, this.#scores(named.pixelValues));
    const isNormalized = this.#layout.outputNorm === 'tokens';
    const lastHiddenState = isNormalized ? this.layernorm.forward(x) : x;
    if (!this.#isPooled) return { lastHiddenState, poolerOutput: undefined, imageEmbeds: undefined };
    const own = (): Tensor =>
      this.#layout.pooler === 'mean' ? meanOfPatches(lastHiddenState, this.#layout) : lastHiddenState.select(1, 0);
    const poolerOutput =
      this.#pooler !== undefined
        ? this.#pooler.forward(lastHiddenState)
        : isNormalized
          ? own()
          : this.layernorm.forward(own());
    return { lastHiddenState, poolerOutput, imageEmbeds: this.visual_projection?.forward(poolerOutput) };
  }
  /** Added to the scores of the blocks, by the distances of patches. */
  #scores(images: Tensor): Tensor | readonly Tensor[] | undefined {
    if (this.distances === undefined && this.blockDistances === undefined) return undefined;
    const grid = gridOf(this.#layout, images.shape.slice(2) as unknown as VisionLayout['imageSize']);
    const shared = this.distances?.forward(grid);
    if (this.blockDistances === undefined) return shared;
    return [...this.blockDistances].map(one =>
      shared === undefined ? one.forward(grid) : one.forward(grid).add(shared),
    );
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it, with or without a
   * head. A pooler that the directory lacks is initialized randomly, with a warning.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   */
  static fromPretrained(directory: string, options: VisionFromPretrainedOptions = {}): Promise<VisionModel> {
    const isPooler = (name: string, config: VisionConfig): boolean =>
      name.startsWith('pooler.dense.') || (isPoolerNorm(config) && name.startsWith('layernorm.'));
    return loadVision(config => new VisionModel(config), isPooler, directory, options);
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return visionNames(this.config);
  }
  /** @internal The names of modules in transformers 5, where they differ from those in files. */
  get moduleNames(): readonly NameRule[] | undefined {
    return visionArchitecture(this.config.model_type, 'the configuration').moduleNames?.(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveVision(this, this.config, 'Model', directory);
  }
}

/** Options of `fromPretrained` of image encoders. */
export interface VisionFromPretrainedOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: Partial<VisionConfigInput>;
}

/**
 * An image encoder that classifies images: ViT, DeiT, BEiT, DINOv2, and the image encoders of CLIP and SigLIP. The encoder is in
 * the field
 * that its architecture names, `vit`.
 * @example
 * const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, image_size: 8, patch_size: 4 };
 * const model = new VisionForImageClassification({ model_type: 'vit', num_labels: 5, ...sizes });
 * model(randn(2, 3, 8, 8)).shape // [2, 5]
 */
export class VisionForImageClassification extends TaskModel<Tensor | VisionInputs> {
  /** The configuration of the model. */
  readonly config: VisionConfig;
  readonly #prefix: string;
  readonly #layout: VisionLayout;
  /** Computes the logits of the classes. */
  classifier: Linear;
  /** Computes those of the second token (DeiT with a teacher). */
  distillation_classifier: Linear | undefined;
  constructor(config: VisionConfigInput) {
    super();
    this.config = visionConfig(config);
    this.#prefix = visionArchitecture(this.config.model_type, 'the configuration').prefix;
    this.#layout = visionLayout(this.config);
    const { block, classified } = this.#layout;
    this.addModule(this.#prefix, new VisionModel(this.config, { pooler: classified === 'pooled' }));
    const inputs = classified === 'first-and-mean' ? 2 * block.width : block.width;
    const head = (): Linear => normalLinear(block.initializerRange, inputs, this.config.num_labels);
    this.classifier = head();
    this.distillation_classifier = this.#layout.hasTeacher ? head() : undefined;
  }
  /** The encoder. */
  get baseModel(): VisionModel {
    return (this as unknown as Readonly<Record<string, VisionModel>>)[this.#prefix]!;
  }
  /** @internal */
  protected override lossOf(logits: Tensor, labels: Tensor): Tensor {
    return classifierLoss(logits, labels, this.config);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | VisionInputs): Tensor {
    const { lastHiddenState: x, poolerOutput } = this.baseModel.forward(inputs);
    const vectors = {
      first: () => x.select(1, 0),
      mean: () => meanOfPatches(x, this.#layout),
      'first-and-mean': () => cat([x.select(1, 0), meanOfPatches(x, this.#layout)], 1),
      pooled: () => poolerOutput!,
    };
    const logits = this.classifier.forward(vectors[this.#layout.classified]());
    const { distillation_classifier: second } = this;
    return second === undefined ? logits : logits.add(second.forward(x.select(1, 1))).div(2);
  }
  /** As `VisionModel.fromPretrained`. A classifier that the directory lacks is initialized randomly, with a warning. */
  static fromPretrained(
    directory: string,
    options: VisionFromPretrainedOptions = {},
  ): Promise<VisionForImageClassification> {
    const isHead = (name: string, config: VisionConfig): boolean =>
      /^(distillation_)?classifier\./.test(name) || (isPoolerNorm(config) && /^\w+\.layernorm\./.test(name));
    return loadVision(config => new VisionForImageClassification(config), isHead, directory, options);
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return visionNames(this.config);
  }
  /** @internal The names of modules in transformers 5, where they differ from those in files. */
  get moduleNames(): readonly NameRule[] | undefined {
    return visionArchitecture(this.config.model_type, 'the configuration').moduleNames?.(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    const head = `ForImageClassification${this.#layout.hasTeacher ? 'WithTeacher' : ''}`;
    await saveVision(this, this.config, head, directory);
  }
}

/** Whether the norm is the pooler's, which files of models that predict masked patches lack (BEiT). */
const isPoolerNorm = (config: VisionConfig): boolean => visionLayout(config).pooler === 'mean';

/** The constants of BEiT's distances in files of earlier versions of transformers. */
const isIgnored = (name: string): boolean => name.endsWith('.relative_position_index');

/** Reads a directory's configuration, makes the model, and loads its weights. */
async function loadVision<M extends Module>(
  make: (config: VisionConfig) => M,
  mayMiss: (name: string, config: VisionConfig) => boolean,
  directory: string,
  { config: given, ...options }: VisionFromPretrainedOptions,
): Promise<M> {
  const file = join(directory, 'config.json');
  const read = { ...alone((await readConfigObject(file)) as VisionConfigInput), ...given };
  const config = visionConfig(given === undefined ? read : withLabels(read, given), file);
  const { prefix } = visionArchitecture(config.model_type, file);
  const model = init.skipInit(() => make(config));
  const names = {
    basePrefix: `${prefix}.`,
    rules: visionNames(config),
    mayMiss: (name: string) => mayMiss(name, config),
    isIgnored,
  };
  await loadDirectory(model, directory, names, options, missing =>
    initializeMissing(model, missing, visionLayout(config).block.initializerRange),
  );
  return model;
}

/** The configuration of an image encoder, also where a classifier's file has it within that of a model of images and texts. */
function alone(fields: VisionConfigInput): VisionConfigInput {
  const { model_type: type, vision_config: own, text_config: _, ...outer } = fields as VisionConfigInput & Nested;
  const inner = Object.keys(visionArchitectures).find(name => visionArchitectures[name]!.within === type);
  return inner === undefined ? fields : { ...own, ...outer, model_type: inner };
}
interface Nested {
  readonly vision_config?: VisionConfigInput;
  readonly text_config?: unknown;
}

/** Normal values for the weights that a directory lacks; their biases stay 0. */
export function initializeMissing(model: Module, missing: readonly string[], std: number): void {
  const isMissing = new Set(missing);
  for (const [name, parameter] of model.namedParameters())
    if (isMissing.has(name) && parameter.ndim > 1)
      parameter.moveFrom(init.normal(parameter.shape, 0, std).to(parameter.dtype));
}

/** The differences of tensor names in files from the names of the modules. */
export const visionNames = (config: VisionConfig): readonly NameRule[] =>
  visionArchitecture(config.model_type, 'the configuration').names(config);

async function saveVision(model: Module, config: VisionConfig, head: string, directory: string): Promise<void> {
  await saveWeights(model, directory, visionNames(config));
  const { className, within } = visionArchitecture(config.model_type, directory);
  // Hugging Face derives num_labels from id2label and does not write it.
  const { num_labels: _, ...fields } = config;
  const { id2label, label2id, architectures: __, ...inner } = fields;
  const isNested = within !== undefined && head === 'ForImageClassification';
  await writeConfigObject(
    join(directory, 'config.json'),
    (isNested ? className.replace('Vision', '') : className) + head,
    isNested ? { model_type: within, vision_config: inner, id2label, label2id } : fields,
  );
}
