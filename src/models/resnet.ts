// ResNet (He et al., 2015) for images [N, 3, H, W], with torchvision's parameter names and initial values, so that its
// checkpoints load with `loadStateDict`; Hugging Face directories load with `fromPretrained`. Post-activation blocks; by
// default a strided block strides in its 3×3 convolution (torchvision's "v1.5").
//
//   image → 7×7/2, max pool/2 → four stages of blocks, each except the first halves the image → mean over pixels → classes
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { AdaptiveAvgPool2d, BatchNorm2d, Conv2d, init, Linear, MaxPool2d, Module, Sequential } from '../nn/index.ts';
import { type Tensor, userLocation } from '../tensor/index.ts';
import { activationOf } from './activations.ts';
import { readConfigObject, writeConfigObject } from './config-file.ts';
import { withLabels } from './labels.ts';
import { loadDirectory, type PretrainedOptions, saveWeights } from './pretrained.ts';
import { type ResNetConfig, type ResNetConfigInput, resNetConfig, resNetNames } from './resnet-config.ts';
import { classifierLoss, type ImageInputs, imagesOf, TaskModel } from './task-model.ts';

const stages = {
  resnet18: { block: 'basic', counts: [2, 2, 2, 2] },
  resnet34: { block: 'basic', counts: [3, 4, 6, 3] },
  resnet50: { block: 'bottleneck', counts: [3, 4, 6, 3] },
  resnet101: { block: 'bottleneck', counts: [3, 4, 23, 3] },
  resnet152: { block: 'bottleneck', counts: [3, 8, 36, 3] },
} as const;
/** The sizes of ResNet: `resnet18`, `resnet50` and others. */
export type ResNetKind = keyof typeof stages;

/** Options of ResNet models. */
export interface ResNetOptions {
  /** 1000 by default. */
  readonly numClasses?: number;
}

/** The configuration of one of torchvision's sizes. */
function configOf(kind: ResNetKind, numClasses = 1000): ResNetConfig {
  const { block, counts } = stages[kind];
  const wide = block === 'basic' ? 1 : 4;
  const hidden_sizes = [64, 128, 256, 512].map(width => width * wide);
  return resNetConfig({ layer_type: block, depths: counts, hidden_sizes, num_labels: numClasses });
}
type Activation = (x: Tensor) => Tensor;

/** He initialization by fan-out, and no bias, because a batch normalization follows. */
function convolution(inputs: number, outputs: number, kernel: 1 | 3 | 7, stride: number): Conv2d {
  const options = { stride, padding: (kernel - 1) / 2, bias: false };
  const layer = init.skipInit(() => new Conv2d(inputs, outputs, kernel, options));
  layer.weight.moveFrom(init.kaimingNormal([outputs, inputs, kernel, kernel], 'fanOut'));
  return layer;
}

/** Projects the skip connection to the shape of the block's output if they differ. */
function shortcut(inputs: number, outputs: number, stride: number): Sequential | undefined {
  if (stride === 1 && inputs === outputs) return undefined;
  return new Sequential(convolution(inputs, outputs, 1, stride), new BatchNorm2d(outputs));
}

/** Two 3×3 convolutions. */
class BasicBlock extends Module {
  readonly #activation: Activation;
  /** The first convolution. */
  conv1: Conv2d;
  /** The normalization after `conv1`. */
  bn1: BatchNorm2d;
  conv2: Conv2d;
  bn2: BatchNorm2d;
  downsample: Sequential | undefined;
  constructor(inputs: number, planes: number, stride: number, activation: Activation) {
    super();
    this.#activation = activation;
    this.conv1 = convolution(inputs, planes, 3, stride);
    this.bn1 = new BatchNorm2d(planes);
    this.conv2 = convolution(planes, planes, 3, 1);
    this.bn2 = new BatchNorm2d(planes);
    this.downsample = shortcut(inputs, planes, stride);
  }
  override forward(x: Tensor): Tensor {
    const y = this.bn1.forward(this.conv1.forward(x)).relu();
    const z = this.bn2.forward(this.conv2.forward(y));
    return this.#activation(z.add(this.downsample?.forward(x) ?? x));
  }
}

/** A 3×3 convolution over a quarter of the channels. */
class Bottleneck extends Module {
  readonly #activation: Activation;
  /** The first convolution. */
  conv1: Conv2d;
  /** The normalization after `conv1`. */
  bn1: BatchNorm2d;
  conv2: Conv2d;
  bn2: BatchNorm2d;
  conv3: Conv2d;
  bn3: BatchNorm2d;
  downsample: Sequential | undefined;
  constructor(inputs: number, planes: number, stride: number, activation: Activation, stridesFirst: boolean) {
    super();
    this.#activation = activation;
    this.conv1 = convolution(inputs, planes, 1, stridesFirst ? stride : 1);
    this.bn1 = new BatchNorm2d(planes);
    this.conv2 = convolution(planes, planes, 3, stridesFirst ? 1 : stride);
    this.bn2 = new BatchNorm2d(planes);
    this.conv3 = convolution(planes, 4 * planes, 1, 1);
    this.bn3 = new BatchNorm2d(4 * planes);
    this.downsample = shortcut(inputs, 4 * planes, stride);
  }
  override forward(x: Tensor): Tensor {
    const y = this.bn1.forward(this.conv1.forward(x)).relu();
    const z = this.bn2.forward(this.conv2.forward(y)).relu();
    const w = this.bn3.forward(this.conv3.forward(z));
    return this.#activation(w.add(this.downsample?.forward(x) ?? x));
  }
}

/** The first block of a stage strides and widens, the others keep the shape. */
function stage(config: ResNetConfig, inputs: number, outputs: number, count: number, stride: number): Sequential {
  const activation = activationOf(config.hidden_act);
  const one = (i: number): BasicBlock | Bottleneck => {
    const from = i === 0 ? inputs : outputs;
    const by = i === 0 ? stride : 1;
    return config.layer_type === 'basic'
      ? new BasicBlock(from, outputs, by, activation)
      : new Bottleneck(from, outputs / 4, by, activation, config.downsample_in_bottleneck);
  };
  return new Sequential(...Array.from({ length: count }, (_, i) => one(i)));
}

/** The outputs of a ResNet without its classifier. */
export interface ResNetFeatures {
  /** The result of the last stage, [N, C, height, width]. */
  readonly lastHiddenState: Tensor;
  /** The vector of the image, [N, C]. */
  readonly poolerOutput: Tensor;
}

/** Options of `ResNet.fromPretrained`. */
export interface ResNetFromPretrainedOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `num_labels`. */
  readonly config?: ResNetConfigInput;
}

/**
 * ResNet-18 to 152, or a ResNet with any Hugging Face configuration.
 * @example
 * const model = new ResNet('resnet18', { numClasses: 10 }).eval();
 * model(randn(1, 3, 32, 32)).shape // [1, 10]
 */
export class ResNet extends TaskModel<Tensor | ImageInputs> {
  /** The configuration of the model. */
  readonly config: ResNetConfig;
  /** The first convolution. */
  conv1: Conv2d;
  /** The normalization after `conv1`. */
  bn1: BatchNorm2d;
  /** The pooling after the first convolution. */
  maxpool: MaxPool2d;
  // Declared, so that parameters have the order of the constructor and of torchvision.
  /** The first stage of blocks. */
  declare layer1: Sequential;
  /** The second stage of blocks. */
  declare layer2: Sequential;
  /** The third stage of blocks. */
  declare layer3: Sequential;
  /** The fourth stage of blocks. */
  declare layer4: Sequential;
  readonly #stages: readonly Sequential[];
  /** Averages over the image. */
  declare avgpool: AdaptiveAvgPool2d;
  /** Computes the logits of the classes. */
  declare fc: Linear;
  /** @param kind one of torchvision's sizes, or a configuration */
  constructor(kind: ResNetKind | ResNetConfigInput, options: ResNetOptions = {}) {
    super();
    const { numClasses } = options;
    const labels = numClasses === undefined ? {} : { num_labels: numClasses };
    this.config = typeof kind === 'string' ? configOf(kind, numClasses) : resNetConfig({ ...kind, ...labels });
    const { config } = this;
    const { embedding_size: stem, hidden_sizes: widths } = config;
    this.conv1 = convolution(config.num_channels, stem, 7, 2);
    this.bn1 = new BatchNorm2d(stem);
    this.maxpool = new MaxPool2d(3, { stride: 2, padding: 1 });
    this.#stages = widths.map((width, i) =>
      stage(config, widths[i - 1] ?? stem, width, config.depths[i]!, i > 0 || config.downsample_in_first_stage ? 2 : 1),
    );
    for (const [i, one] of this.#stages.entries()) this.addModule(`layer${i + 1}`, one);
    this.avgpool = new AdaptiveAvgPool2d(1);
    this.fc = new Linear(widths.at(-1)!, config.num_labels);
  }
  /** @internal */
  protected override lossOf(logits: Tensor, labels: Tensor): Tensor {
    return classifierLoss(logits, labels, this.config);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | ImageInputs): Tensor {
    return this.fc.forward(this.features(imagesOf(inputs)).poolerOutput);
  }
  /** Images [N, 3, H, W] → the last feature map and the vectors of the images. @throws {SHAPE_MISMATCH} for anything else */
  features(x: Tensor): ResNetFeatures {
    const { num_channels: channels, hidden_act } = this.config;
    if (x.ndim !== 4 || x.shape[1] !== channels) {
      throw new TrenioError(
        'SHAPE_MISMATCH',
        {
          op: 'ResNet',
          left: `[${x.shape.join(', ')}]`,
          right: `[N, ${channels}, H, W]`,
          detail: 'images have four dims, the second of which is the colors',
        },
        { location: userLocation() },
      );
    }
    let y = this.maxpool.forward(activationOf(hidden_act)(this.bn1.forward(this.conv1.forward(x))));
    for (const layer of this.#stages) y = layer.forward(y);
    return { lastHiddenState: y, poolerOutput: this.avgpool.forward(y).flatten(1) };
  }
  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it. A classifier that
   * the directory lacks is initialized randomly, with a warning.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   */
  static async fromPretrained(directory: string, options: ResNetFromPretrainedOptions = {}): Promise<ResNet> {
    const file = join(directory, 'config.json');
    const { config: given, ...rest } = options;
    const read = { ...((await readConfigObject(file)) as ResNetConfigInput), ...given };
    const config = resNetConfig(given === undefined ? read : withLabels(read, given), file);
    const model = init.skipInit(() => new ResNet(config));
    const names = {
      basePrefix: 'resnet.',
      rules: resNetNames(config),
      mayMiss: (name: string) => name.startsWith('fc.'),
    };
    await loadDirectory(model, directory, names, rest, () => {
      const { weight } = new Linear(config.hidden_sizes.at(-1)!, config.num_labels);
      model.fc.weight.moveFrom(weight.to(model.fc.weight.dtype));
    });
    return model;
  }
  /** Writes config.json and model.safetensors into a directory, as Hugging Face names them, each of them atomically. */
  async savePretrained(directory: string): Promise<void> {
    await saveWeights(this, directory, resNetNames(this.config));
    // Hugging Face derives num_labels from id2label and does not write it.
    const { num_labels: _, ...fields } = this.config;
    await writeConfigObject(join(directory, 'config.json'), 'ResNetForImageClassification', fields);
  }
}
