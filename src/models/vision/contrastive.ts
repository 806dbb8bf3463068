// Models that compare images and texts: CLIP and SigLIP, with Hugging Face's files. An image encoder (vision.ts) and a text
// encoder compute vectors of the same size; logits are their cosines, scaled. N images, T texts, S tokens, H width,
// P size of the vectors.
import { join } from 'node:path';
import * as z from 'zod';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { functional as F, init, type Linear, Module, Parameter } from '../../nn/index.ts';
import { arange, full, type Tensor, zeros } from '../../tensor/index.ts';
import { checkConfig, configError, readConfigObject, size, writeConfigObject } from '../config-file.ts';
import { normalLinear } from '../layers.ts';
import { ofModelType } from '../model-types.ts';
import { loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import type { NameRule } from '../tensor-names.ts';
import {
  clipBlockNames,
  type VisionConfig,
  type VisionConfigInput,
  visionArchitectures,
  visionConfig,
} from './architectures.ts';
import {
  type ContrastiveTextConfig,
  type ContrastiveTextConfigInput,
  checkTexts,
  contrastiveTextConfig,
  type TextInputs,
  TextTower,
} from './text-tower.ts';
import { mismatch, VisionModel } from './vision.ts';

const contrastiveConfigSchema = z.looseObject({
  /** The architecture. */
  model_type: z.string(),
  /** The text encoder. */
  text_config: z.custom<ContrastiveTextConfig>(),
  /** The image encoder. */
  vision_config: z.custom<VisionConfig>(),
  /** CLIP: the size of the vectors that are compared. */
  projection_dim: size.width.optional(),
  /** CLIP: the logarithm of the initial factor of the cosines. */
  logit_scale_init_value: z.number().optional(),
});

/** The fields of `config.json` of CLIP and SigLIP, under their own names; unknown ones are kept unchanged. */
export type ContrastiveConfig = Readonly<z.output<typeof contrastiveConfigSchema>>;

/** Any of the fields; missing ones have the defaults of the architecture. */
export interface ContrastiveConfigInput {
  /** The architecture. */
  readonly model_type: string;
  /** The text encoder. */
  readonly text_config?: Partial<ContrastiveTextConfigInput> | null;
  /** The image encoder. */
  readonly vision_config?: Partial<VisionConfigInput> | null;
  /** CLIP: the size of the vectors that are compared. */
  readonly projection_dim?: number | undefined;
  /** CLIP: the logarithm of the initial factor of the cosines. */
  readonly logit_scale_init_value?: number | undefined;
}

/** A row of the table. */
interface ContrastiveArchitecture {
  readonly className: string;
  readonly visionType: string;
  readonly defaults: Readonly<Partial<z.input<typeof contrastiveConfigSchema>>>;
  readonly textType: string;
  /** Vectors are projected after both encoders (CLIP), or in them (SigLIP). */
  readonly projects: boolean;
}

const clip: ContrastiveArchitecture = {
  className: 'CLIPModel',
  visionType: 'clip_vision_model',
  defaults: { projection_dim: 512, logit_scale_init_value: 2.6592 },
  textType: 'clip_text_model',
  projects: true,
};

const siglip: ContrastiveArchitecture = {
  className: 'SiglipModel',
  visionType: 'siglip_vision_model',
  defaults: {},
  textType: 'siglip_text_model',
  projects: false,
};

/** Every supported model of images and texts by its `model_type`. */
export const contrastiveArchitectures: Readonly<Record<string, ContrastiveArchitecture>> = { clip, siglip };

const rowOf = (modelType: string, file = 'the configuration'): ContrastiveArchitecture =>
  ofModelType(contrastiveArchitectures, modelType, file);

/**
 * Checks the fields of a configuration of CLIP or SigLIP and fills in the defaults. `file` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, or inconsistent with another field
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 * @example
 * contrastiveConfig({ model_type: 'clip' }).text_config.vocab_size // 49408
 */
export function contrastiveConfig(fields: ContrastiveConfigInput, file = 'the configuration'): ContrastiveConfig {
  const { defaults, textType, visionType, projects } = rowOf(fields.model_type, file);
  const vision_config = visionConfig({ ...fields.vision_config, model_type: visionType }, `${file}: vision_config`);
  const given = {
    ...defaults,
    ...fields,
    text_config: contrastiveTextConfig({ ...fields.text_config, model_type: textType }, `${file}: text_config`),
    vision_config,
  } as z.input<typeof contrastiveConfigSchema>;
  const config = checkConfig(contrastiveConfigSchema, given, file);
  const fail = configError(file);
  const { projection_size: projected, hidden_size } = config.text_config;
  const sizes = [projected ?? hidden_size, config.vision_config.hidden_size] as const;
  if (!projects && sizes[0] !== sizes[1])
    throw fail('text_config.projection_size', `${sizes[0]} is not the hidden_size of vision_config, ${sizes[1]}`);
  return config;
}

/** The inputs of models of images and texts. */
export interface ContrastiveInputs extends TextInputs {
  /** Images [N, 3, height, width], normalized. */
  readonly pixelValues: Tensor;
}

/** The outputs of models of images and texts. */
export interface ContrastiveOutputs {
  /** The scores of each text for each image, [N, T]. */
  readonly logitsPerImage: Tensor;
  /** The scores of each image for each text, [T, N]. */
  readonly logitsPerText: Tensor;
  /** The vectors of the images, of length 1: [N, P]. */
  readonly imageEmbeds: Tensor;
  /** The vectors of the texts, of length 1: [T, P]. */
  readonly textEmbeds: Tensor;
}

/**
 * CLIP or SigLIP, by `model_type`: an image encoder and a text encoder whose vectors are compared.
 * @example
 * const sizes = { hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * const vision_config = { ...sizes, image_size: 8, patch_size: 4 };
 * const model = new ContrastiveModel({ model_type: 'clip', text_config: { ...sizes, vocab_size: 10 }, vision_config });
 * model({ inputIds: randint(0, 9, [3, 5]), pixelValues: randn(2, 3, 8, 8) }).logitsPerImage.shape // [2, 3]
 */
export class ContrastiveModel extends Module {
  /** The configuration of the model. */
  readonly config: ContrastiveConfig;
  readonly #row: ContrastiveArchitecture;
  /** The image encoder. */
  vision_model: VisionModel;
  /** The text encoder. */
  text_model: Module;
  /** Projects the vectors of images (CLIP). */
  visual_projection: Linear | undefined;
  /** Projects the vectors of texts (CLIP). */
  text_projection: Linear | undefined;
  /** The logarithm of the factor of the cosines. */
  logit_scale: Parameter;
  /** Added to all logits (SigLIP). */
  logit_bias: Parameter | undefined;
  readonly #text: TextTower;
  constructor(config: ContrastiveConfigInput) {
    super();
    this.config = contrastiveConfig(config);
    const row = rowOf(this.config.model_type);
    this.#row = row;
    const { text_config: text, vision_config: vision, projection_dim: width = 512 } = this.config;
    this.vision_model = new VisionModel(vision);
    this.#text = new TextTower(text);
    this.text_model = this.#text;
    this.visual_projection = row.projects
      ? normalLinear(vision.hidden_size ** -0.5, vision.hidden_size, width, false)
      : undefined;
    this.text_projection = row.projects
      ? normalLinear(text.hidden_size ** -0.5, text.hidden_size, width, false)
      : undefined;
    const scale = this.config.logit_scale_init_value ?? 0;
    this.logit_scale = new Parameter(full(row.projects ? [] : [1], scale), { fresh: true });
    this.logit_bias = row.projects ? undefined : new Parameter(zeros([1]), { fresh: true });
  }
  /**
   * Images and texts → the scores of each pair.
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward({ pixelValues, ...texts }: ContrastiveInputs): ContrastiveOutputs {
    const imageEmbeds = unit(this.imageFeatures(pixelValues));
    const textEmbeds = unit(this.textFeatures(texts));
    const scaled = textEmbeds.matmul(imageEmbeds.transpose(0, 1)).mul(this.logit_scale.exp()); // [T, N]
    const logitsPerText = this.logit_bias === undefined ? scaled : scaled.add(this.logit_bias);
    return { logitsPerText, logitsPerImage: logitsPerText.transpose(0, 1), imageEmbeds, textEmbeds };
  }
  /** Images [N, 3, height, width] → their vectors [N, P], before they are scaled to length 1. */
  imageFeatures(pixelValues: Tensor): Tensor {
    const { poolerOutput } = this.vision_model.forward({ pixelValues });
    return this.visual_projection?.forward(poolerOutput!) ?? poolerOutput!;
  }
  /** Token ids [T, S] → the vectors of the texts [T, P], before they are scaled to length 1. */
  textFeatures({ inputIds, attentionMask }: TextInputs): Tensor {
    checkTexts({ inputIds, attentionMask }, this.config.model_type);
    const { pooled } = this.#text.forward(inputIds, attentionMask);
    return this.text_projection?.forward(pooled) ?? pooled;
  }
  /**
   * The loss of matching pairs, text i with image i: for CLIP the cross-entropy of rows and columns (arXiv:2103.00020), for
   * SigLIP the logistic loss of each pair (arXiv:2303.15343).
   */
  loss({ logitsPerText: logits }: Pick<ContrastiveOutputs, 'logitsPerText'>): Tensor {
    const count = logits.shape[0]!;
    if (logits.shape[1] !== count)
      throw mismatch('loss', logits, `[${count}, ${count}]`, 'there is one text for each image');
    const pairs = arange(0, count, 1, { dtype: 'i32' });
    if (this.#row.projects)
      return F.crossEntropy(logits, pairs)
        .add(F.crossEntropy(logits.transpose(0, 1), pairs))
        .div(2);
    const signs = pairs.unsqueeze(0).eq(pairs.unsqueeze(1)).to(logits.dtype).mul(2).sub(1);
    return F.logsigmoid(logits.mul(signs)).sum(1).mean().neg();
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   * @throws {NO_SUCH_OPTION}
   */
  static async fromPretrained(directory: string, options: PretrainedOptions = {}): Promise<ContrastiveModel> {
    refuseUnknownOptions('fromPretrained', options, ['dtype', 'weights', 'onWarning']);
    const file = join(directory, 'config.json');
    const config = contrastiveConfig((await readConfigObject(file)) as unknown as ContrastiveConfigInput, file);
    const model = init.skipInit(() => new ContrastiveModel(config));
    await loadDirectory(model, directory, { basePrefix: '', rules: contrastiveNames(config) }, options);
    return model;
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return contrastiveNames(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    await saveWeights(this, directory, contrastiveNames(this.config));
    const { num_labels: _, id2label: __, label2id: ___, ...vision_config } = this.config.vision_config;
    const fields = { ...this.config, vision_config };
    await writeConfigObject(join(directory, 'config.json'), this.#row.className, fields);
  }
}

const unit = (x: Tensor): Tensor => x.div(x.mul(x).sum(-1, { keepDim: true }).sqrt());

/** The differences of tensor names in files from the names of the modules. */
export const contrastiveNames = ({ vision_config: vision }: ContrastiveConfig): readonly NameRule[] => [
  ...visionArchitectures[vision.model_type]!.names(vision),
  // Texts have the block names of images.
  ...clipBlockNames,
];
