// The tensor of the user: PyTorch's names and semantics, recorded instead of run. Each method says what is computed;
// how is in `lower/`, when in `device.ts`. In-place methods (their names end in _) bind the tensor to a new value:
// other tensors made from the old one keep it.
import { TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { bytesOf } from '../hlo/literal.ts';
import type { Value } from '../hlo/program.ts';
import type { TensorType } from '../hlo/types.ts';
import type { NumberFormat, Rounding } from '../numerics/index.ts';
import type { Content } from '../runtime/execution/executable.ts';
import { share } from './cell.ts';
import { checkScalar, checkTarget } from './check-arguments.ts';
import type { Device } from './device.ts';
import { type DType, elementTypeOf } from './dtype.ts';
import { TensorMethods } from './generated/methods.ts';
import { userLocation } from './location.ts';
import * as move from './lower/move.ts';
import { roundTo } from './lower/round-to.ts';
import { randomBits } from './random-bits.ts';
import { type RecordOptions, record as recordTraced } from './record.ts';
import type { Trace } from './trace.ts';
import type { TensorInit } from './traced.ts';

/** A tensor, or a JavaScript number that takes the data type of the tensor beside it. */
export type TensorLike = Tensor | number | bigint | boolean;

export class Tensor extends TensorMethods<Tensor> {
  declare gradOf: Tensor | undefined;

  override make(init: TensorInit): Tensor {
    return new Tensor(init);
  }
  override get grad(): Tensor | undefined {
    return super.grad as Tensor | undefined;
  }
  override set grad(gradient: Tensor | undefined | null) {
    this.setGrad(gradient);
  }

  // shape
  contiguous(): Tensor {
    return this;
  }

  // parts
  /** Elements start ≤ i < end along `dim`, each step-th, as Python's slices have it. */
  slice(dim: number, start = 0, end = Number.MAX_SAFE_INTEGER, step = 1): Tensor {
    return record('slice', [this], (b, [x]) => move.slice(b, x!, dim, start, end, step));
  }
  // data type, device, gradient
  /** This tensor in another data type, or (a copy of its elements, without history) on another device. */
  to(target: DType | Device): Tensor {
    checkTarget('tensor.to', target);
    if (typeof target !== 'string') return this.#toDevice(target);
    const type = elementTypeOf(target);
    return type === this.dtype
      ? this
      : record('to', [this], (b, [x]) => (type === 'i1' ? b.compare('NE', x!, b.like(x!, 0)) : b.convert(x!, type)));
  }
  /**
   * This tensor's numbers as a format has them (`cfp8({ exponentBits: 4, bias: 11 })`, `numberFormat('i8')`), stored as they
   * were: what a computation in that format would start from. Rounds as the device does unless told. Gradients pass as
   * if nothing had been rounded (straight-through, Bengio et al., 2013).
   */
  roundTo(format: NumberFormat, options: { readonly rounding?: Rounding } = {}): Tensor {
    const { device } = this;
    const rounding = options.rounding ?? device.precision.rounding.mode;
    if (rounding !== 'nearest-even' && rounding !== 'stochastic')
      throw new TrenioError(
        'INVALID_OPTION',
        { what: 'roundTo', option: 'rounding', got: String(rounding), expected: 'nearest-even or stochastic' },
        { location: userLocation() },
      );
    const rounded = record(
      'roundTo',
      [this],
      (b, [x]) => {
        const bits = rounding === 'stochastic' ? randomBits(b, device.trace, device, this.shape) : undefined;
        return b.convert(roundTo(b, b.convert(x!, 'f32'), format, bits), this.dtype);
      },
      { differentiable: false },
    );
    if (!this.requiresGrad) return rounded;
    // zeros, but with this tensor's gradient
    const passed = this.sub(this.detach());
    return rounded.add(passed.where(passed.eq(0), 0));
  }
  float(): Tensor {
    return this.to('f32');
  }
  bfloat16(): Tensor {
    return this.to('bf16');
  }
  half(): Tensor {
    return this.to('f16');
  }
  long(): Tensor {
    return this.to('i64');
  }
  int(): Tensor {
    return this.to('i32');
  }
  bool(): Tensor {
    return this.to('i1');
  }
  #toDevice(device: Device): Tensor {
    if (device === this.device) return this;
    const copy = uploadTo(device, this.type, bytesOf(this.literal()), 'to');
    copy.requiresGrad = this.requiresGrad && this.leaf;
    return copy;
  }

  /** The same elements, through which no gradient flows: a snapshot, as PyTorch's `detach().clone()`. */
  detach(): Tensor {
    if (!this.requiresGrad && this.buffer !== undefined) {
      share(this.buffer);
      return new Tensor({
        device: this.device,
        type: this.type,
        op: 'detach',
        buffer: this.buffer,
        location: userLocation(),
      });
    }
    return record('detach', [this], (b, [x]) => b.reshape(x!, this.shape), { differentiable: false });
  }
  /** A copy that gradients flow through. */
  clone(): Tensor {
    return record('clone', [this], (b, [x]) => b.reshape(x!, this.shape));
  }

  // in place
  zero_(): this {
    return this.fill_(0);
  }
  fill_(value: number): this {
    checkScalar('fill_', value);
    return this.assign_(record('fill_', [this], (b, [x]) => b.like(x!, value), { differentiable: false }));
  }
}

/** @internal A leaf with these elements. */
export function uploadTo(device: Device, type: TensorType, content: Content, op: string): Tensor {
  return new Tensor({ device, type, op, buffer: device.backend.upload(type, content), location: userLocation() });
}

/** Records one call on tensors: see `record.ts`. */
export const record: (
  op: string,
  inputs: readonly Tensor[],
  lower: (b: Builder, values: readonly Value[], trace: Trace) => Value,
  options?: RecordOptions,
) => Tensor = recordTraced;
