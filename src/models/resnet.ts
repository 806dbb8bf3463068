// ResNet (He et al., 2015) for images [N, 3, H, W], with torchvision's parameter names and initial values, so that its
// checkpoints load. Post-activation blocks; a strided block strides in its 3×3 convolution (torchvision's "v1.5").
//
//   image → 7×7/2, max pool/2 → four stages of blocks, each except the first halves the image → mean over pixels → classes
import { TrenioError } from '../base/errors.ts';
import { AdaptiveAvgPool2d, BatchNorm2d, Conv2d, init, Linear, MaxPool2d, Module, Sequential } from '../nn/index.ts';
import { type Tensor, userLocation } from '../tensor/index.ts';

const stages = {
  resnet18: { block: 'basic', counts: [2, 2, 2, 2] },
  resnet34: { block: 'basic', counts: [3, 4, 6, 3] },
  resnet50: { block: 'bottleneck', counts: [3, 4, 6, 3] },
} as const;
/** The sizes of ResNet: `resnet18`, `resnet50` and others. */
export type ResNetKind = keyof typeof stages;

/** Options of ResNet models. */
export interface ResNetOptions {
  /** 1000 by default. */
  readonly numClasses?: number;
}

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
  /** The first convolution. */
  conv1: Conv2d;
  /** The normalization after `conv1`. */
  bn1: BatchNorm2d;
  conv2: Conv2d;
  bn2: BatchNorm2d;
  downsample: Sequential | undefined;
  constructor(inputs: number, planes: number, stride: number) {
    super();
    this.conv1 = convolution(inputs, planes, 3, stride);
    this.bn1 = new BatchNorm2d(planes);
    this.conv2 = convolution(planes, planes, 3, 1);
    this.bn2 = new BatchNorm2d(planes);
    this.downsample = shortcut(inputs, planes, stride);
  }
  override forward(x: Tensor): Tensor {
    const y = this.bn1.forward(this.conv1.forward(x)).relu();
    const z = this.bn2.forward(this.conv2.forward(y));
    return z.add(this.downsample?.forward(x) ?? x).relu();
  }
}

/** A 3×3 convolution over a quarter of the channels. */
class Bottleneck extends Module {
  /** The first convolution. */
  conv1: Conv2d;
  /** The normalization after `conv1`. */
  bn1: BatchNorm2d;
  conv2: Conv2d;
  bn2: BatchNorm2d;
  conv3: Conv2d;
  bn3: BatchNorm2d;
  downsample: Sequential | undefined;
  constructor(inputs: number, planes: number, stride: number) {
    super();
    this.conv1 = convolution(inputs, planes, 1, 1);
    this.bn1 = new BatchNorm2d(planes);
    this.conv2 = convolution(planes, planes, 3, stride);
    this.bn2 = new BatchNorm2d(planes);
    this.conv3 = convolution(planes, 4 * planes, 1, 1);
    this.bn3 = new BatchNorm2d(4 * planes);
    this.downsample = shortcut(inputs, 4 * planes, stride);
  }
  override forward(x: Tensor): Tensor {
    const y = this.bn1.forward(this.conv1.forward(x)).relu();
    const z = this.bn2.forward(this.conv2.forward(y)).relu();
    const w = this.bn3.forward(this.conv3.forward(z));
    return w.add(this.downsample?.forward(x) ?? x).relu();
  }
}

/** The first block of a stage strides and widens, the others keep the shape. */
function stage(block: 'basic' | 'bottleneck', inputs: number, planes: number, count: number, stride: number) {
  const outputs = block === 'basic' ? planes : 4 * planes;
  const one = (i: number): BasicBlock | Bottleneck => {
    const from = i === 0 ? inputs : outputs;
    const by = i === 0 ? stride : 1;
    return block === 'basic' ? new BasicBlock(from, planes, by) : new Bottleneck(from, planes, by);
  };
  return new Sequential(...Array.from({ length: count }, (_, i) => one(i)));
}

/**
 * ResNet-18, 34 or 50.
 * @example
 * const model = new ResNet('resnet18', { numClasses: 10 }).eval();
 * model(randn(1, 3, 32, 32)).shape // [1, 10]
 */
export class ResNet extends Module {
  /** Which ResNet it is. */
  readonly kind: ResNetKind;
  /** The first convolution. */
  conv1: Conv2d;
  /** The normalization after `conv1`. */
  bn1: BatchNorm2d;
  /** The pooling after the first convolution. */
  maxpool: MaxPool2d;
  /** The first stage of blocks. */
  layer1: Sequential;
  /** The second stage of blocks. */
  layer2: Sequential;
  /** The third stage of blocks. */
  layer3: Sequential;
  /** The fourth stage of blocks. */
  layer4: Sequential;
  /** Averages over the image. */
  avgpool: AdaptiveAvgPool2d;
  /** Computes the logits of the classes. */
  fc: Linear;
  constructor(kind: ResNetKind, options: ResNetOptions = {}) {
    super();
    this.kind = kind;
    const { block, counts } = stages[kind];
    const wide = block === 'basic' ? 1 : 4;
    this.conv1 = convolution(3, 64, 7, 2);
    this.bn1 = new BatchNorm2d(64);
    this.maxpool = new MaxPool2d(3, { stride: 2, padding: 1 });
    this.layer1 = stage(block, 64, 64, counts[0], 1);
    this.layer2 = stage(block, 64 * wide, 128, counts[1], 2);
    this.layer3 = stage(block, 128 * wide, 256, counts[2], 2);
    this.layer4 = stage(block, 256 * wide, 512, counts[3], 2);
    this.avgpool = new AdaptiveAvgPool2d(1);
    this.fc = new Linear(512 * wide, options.numClasses ?? 1000);
  }
  /** Images [N, 3, H, W] → logits [N, classes]. @throws {SHAPE_MISMATCH} for anything else */
  override forward(x: Tensor): Tensor {
    if (x.ndim !== 4 || x.shape[1] !== 3) {
      throw new TrenioError(
        'SHAPE_MISMATCH',
        {
          op: 'ResNet',
          left: `[${x.shape.join(', ')}]`,
          right: '[N, 3, H, W]',
          detail: 'images have four dims, the second of which is the three colors',
        },
        { location: userLocation() },
      );
    }
    let y = this.maxpool.forward(this.bn1.forward(this.conv1.forward(x)).relu());
    for (const layer of [this.layer1, this.layer2, this.layer3, this.layer4]) y = layer.forward(y);
    return this.fc.forward(this.avgpool.forward(y).flatten(1));
  }
}
