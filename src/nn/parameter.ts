// State of a layer: a parameter is trained, a buffer (running statistics, position ids) is carried along.
import { share, Tensor } from '../tensor/index.ts';

/** A tensor that a module trains: it requires a gradient, and survives every step. */
export class Parameter extends Tensor {
  /** `fresh`: nobody else holds `data`, so that its memory may be the parameter's own. */
  constructor(data: Tensor, options: { readonly requiresGrad?: boolean; readonly fresh?: boolean } = {}) {
    const buffer = data.device.read(data);
    if (!options.fresh) share(buffer);
    super({
      device: data.device,
      type: data.type,
      op: 'Parameter',
      buffer,
      location: data.location,
      requiresGrad: options.requiresGrad ?? true,
    });
  }
  /** @internal Takes over the memory of a fresh tensor of the same type. */
  take(data: Tensor): void {
    this.buffer = data.device.read(data);
    this.value = undefined;
    this.trace = undefined;
  }
}

/** A tensor that belongs to a module's state but is not trained. */
export class StateBuffer extends Parameter {
  constructor(data: Tensor) {
    super(data, { requiresGrad: false });
  }
}
