// Losses as modules, as PyTorch has them beside the functions.
import type { Tensor } from '../tensor/index.ts';
import * as F from './functional.ts';
import { Module } from './module.ts';

/** See `functional.crossEntropy`. */
export class CrossEntropyLoss extends Module {
  readonly options: F.CrossEntropyOptions;
  constructor(options: F.CrossEntropyOptions = {}) {
    super();
    this.options = options;
  }
  override forward(logits: Tensor, target: Tensor): Tensor {
    return F.crossEntropy(logits, target, this.options);
  }
}
export class MSELoss extends Module {
  readonly options: { readonly reduction?: F.Reduction };
  constructor(options: { readonly reduction?: F.Reduction } = {}) {
    super();
    this.options = options;
  }
  override forward(x: Tensor, y: Tensor): Tensor {
    return F.mseLoss(x, y, this.options);
  }
}
export class BCEWithLogitsLoss extends Module {
  readonly options: { readonly reduction?: F.Reduction };
  constructor(options: { readonly reduction?: F.Reduction } = {}) {
    super();
    this.options = options;
  }
  override forward(logits: Tensor, target: Tensor): Tensor {
    return F.bceWithLogits(logits, target, this.options);
  }
}
