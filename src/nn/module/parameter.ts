// State of a layer: a parameter is trained, a buffer (running statistics, position ids) is not.
import { bytesOf } from '../../hlo/literal.ts';
import { type Device, inspectTensor, share, Tensor, zeros } from '../../tensor/index.ts';

/**
 * A tensor that a module trains: it requires a gradient, and keeps its value across steps. Its elements are a copy of `data`.
 *
 *     class Scale extends Module {
 *       factor = new Parameter(ones([8]));
 *       forward(x: Tensor) { return x.mul(this.factor); }
 *     }
 * @example
 * class Scale extends nn.Module {
 *   factor = new Parameter(ones(3));
 *   override forward(x: Tensor) {
 *     return x.mul(this.factor);
 *   }
 * }
 * [...new Scale().namedParameters()].map(([name]) => name) // ['factor']
 */
export class Parameter extends Tensor {
  /** `fresh`: nothing else refers to `data`, so the parameter may use its memory. */
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
  /** The text that PyTorch prints for parameters, also for `console.log`. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    const text = inspectTensor(this.device, this);
    return this.requiresGrad ? `Parameter containing:\n${text}` : text;
  }
  /** @internal Takes over the memory of a fresh tensor of the same type. */
  moveFrom(data: Tensor): void {
    if (this.divided !== undefined) {
      this.load(bytesOf(data.literal()));
      return;
    }
    this.device.trace.assigned.delete(this);
    this.buffer = data.device.read(data);
    this.value = undefined;
    this.trace = undefined;
  }
  /** @internal Memory on a device without these elements: zeros. */
  toEmpty_(device: Device): void {
    this.device.trace.assigned.delete(this);
    this.device = device;
    this.moveFrom(zeros(this.shape, { dtype: this.dtype, device }));
    this.zeroGrad();
  }
}

/**
 * A tensor that belongs to a module's state but is not trained. `persistent: false` leaves it out of `stateDict()`;
 * `fresh`: the buffer may use its memory.
 *
 *     positions = new Buffer(arange(512), { persistent: false });
 * @example
 * class Counter extends nn.Module {
 *   count = new nn.StateBuffer(zeros(1));
 *   override forward(x: Tensor) {
 *     return x;
 *   }
 * }
 * [...new Counter().stateDict().keys()] // ['count']
 */
export class StateBuffer extends Parameter {
  /** Whether the buffer is part of the state dict. */
  readonly persistent: boolean;
  constructor(
    data: Tensor,
    options: {
      /** Whether the buffer is part of the state dict. */
      readonly persistent?: boolean;
      readonly fresh?: boolean;
    } = {},
  ) {
    super(data, { fresh: options.fresh ?? false, requiresGrad: false });
    this.persistent = options.persistent ?? true;
  }
}
