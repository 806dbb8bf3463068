// The namespace `transforms` of the public API: torchvision's.
export {
  ColorJitter,
  type ColorJitterOptions,
  type ColorRange,
  GaussianBlur,
  Grayscale,
  RandomGrayscale,
} from './color-transforms.ts';
export type { Fill, Interpolation, PaddingMode } from './image-geometry.ts';
export {
  RandomAffine,
  type RandomAffineOptions,
  RandomErasing,
  type RandomErasingOptions,
  RandomResizedCrop,
  type RandomResizedCropOptions,
  RandomRotation,
  type RandomRotationOptions,
  RandomVerticalFlip,
  type Range,
} from './random-transforms.ts';
export { CallableTransform, ImageTransform, TensorTransform, type Transform } from './transform.ts';
export {
  CenterCrop,
  Compose,
  type ImageSize,
  Normalize,
  Pad,
  type Padding,
  type PadOptions,
  RandomCrop,
  type RandomCropOptions,
  RandomHorizontalFlip,
  Resize,
  type ResizeOptions,
  ToTensor,
} from './transforms.ts';
export {
  ConvertImageDtype,
  Lambda,
  PILToTensor,
  RandomApply,
  RandomChoice,
  RandomOrder,
} from './wrapped-transforms.ts';

/** How pixels between others are computed, as torchvision names it. */
export const InterpolationMode = {
  NEAREST: 'nearest',
  BILINEAR: 'bilinear',
  BICUBIC: 'bicubic',
  BOX: 'box',
  HAMMING: 'hamming',
  LANCZOS: 'lanczos',
} as const;
