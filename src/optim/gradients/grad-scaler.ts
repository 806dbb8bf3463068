// Dynamic loss scaling for f16 (Micikevicius et al., "Mixed Precision Training", 2018), like torch.amp.GradScaler: the loss is
// multiplied by a scale so that small gradients do not vanish; a step whose gradients overflowed is skipped, and the scale is
// lowered; after many good steps it is raised. All of it happens on the device, within the step: nothing is read.
//
//   scaler.scale(loss).backward()
//   scaler.step(optimizer)          or optimizerStep(optimizer, { scaler })
//   scaler.update()
//
// A run that cannot recover stops: once the scale has fallen below `minScale`, the next execution is first checked op by op, and
// NOT_A_NUMBER names the op that overflows.
import { literal } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { loadInto, StateBuffer } from '../../nn/index.ts';
import {
  atOneLocation,
  checkTensors,
  type Device,
  type DeviceName,
  deviceFrom,
  type HostInput,
  record,
  refuseNans,
  type Settings,
  settle,
  type Tensor,
  tensor,
  wrongArgument,
} from '../../tensor/index.ts';
import { checkSetting } from '../update/check-settings.ts';
import { Optimizer } from '../update/optimizer.ts';
import { recordUpdate } from '../update/record-update.ts';
import { averageGradients } from './average-gradients.ts';

/** Options of `GradScaler`. */
export interface GradScalerOptions {
  /** The initial scale; 65536 by default. */
  readonly initScale?: number;
  /** The factor for the scale after `growthInterval` steps without overflow; 2 by default. */
  readonly growthFactor?: number;
  /** The factor for the scale after a step that overflowed; 0.5 by default. */
  readonly backoffFactor?: number;
  /** Steps without overflow after which the scale grows; 2000 by default. */
  readonly growthInterval?: number;
  /** The run is stopped if the scale falls below this value; 2⁻¹⁴ by default. */
  readonly minScale?: number;
  /** False for training without scaling: `scale` and `unscale_` change nothing, and `step` is the optimizer's. */
  readonly enabled?: boolean;
  /** The device. */
  readonly device?: Device | DeviceName;
}

/** PyTorch's order of arguments. */
const order = ['device', 'initScale', 'growthFactor', 'backoffFactor', 'growthInterval', 'enabled'] as const;

/** The full state, to resume exactly from here. */
export interface GradScalerState {
  /** The current loss scale. */
  readonly scale: number;
  /** The number of steps without overflow since the last change of the scale. */
  readonly growthTracker: number;
  /** The number of skipped steps. */
  readonly skipped: number;
}

/**
 * Scales the loss so that gradients do not underflow in fp16, and skips steps in which they overflow. PyTorch:
 * `torch.amp.GradScaler`.
 *
 * @example
 * const w = new Parameter(tensor([1, 2]));
 * const optimizer = new SGD([w], { lr: 0.1 });
 * const scaler = new GradScaler({ initScale: 1024 });
 * scaler.scale(w.sum()).backward();
 * optimizerStep(optimizer, { scaler });
 * w // [0.9, 1.9]
 */
export class GradScaler {
  readonly #growthFactor: number;
  readonly #backoffFactor: number;
  readonly #minScale: number;
  readonly #isEnabled: boolean;
  /** f32 scalars: the scale, steps without overflow since it last changed, steps skipped so far. */
  readonly #scale: Tensor;
  readonly #tracker: Tensor;
  readonly #skipped: Tensor;
  readonly #settings: HostInput;
  /** i1: all gradients of the current step are finite. */
  #allFinite: Tensor | undefined;
  #isUnscaled = false;
  /** The optimizers that have stepped since the last `update()`, which ends their steps. */
  readonly #stepped = new Set<Optimizer>();

  constructor(...rest: Settings<GradScalerOptions, typeof order>) {
    const options = settle<GradScalerOptions>('GradScaler', order, rest, ['minScale']);
    const { initScale = 65536, growthFactor = 2, backoffFactor = 0.5, growthInterval = 2000 } = options;
    const { minScale = 2 ** -14, enabled = true, device } = options;
    if (device !== undefined) deviceFrom('GradScaler', device);
    const check = (option: string, value: number, holds: boolean, expected: string): void =>
      checkSetting('GradScaler', option, value, holds, expected);
    check('initScale', initScale, initScale > 0 && Number.isFinite(initScale), 'a number above 0');
    check('growthFactor', growthFactor, growthFactor > 1, 'a number above 1');
    check('backoffFactor', backoffFactor, backoffFactor > 0 && backoffFactor < 1, 'a number between 0 and 1');
    const isCount = Number.isSafeInteger(growthInterval) && growthInterval > 0;
    check('growthInterval', growthInterval, isCount, 'an integer above 0');
    check('minScale', minScale, minScale >= 0 && minScale <= initScale, 'a number from 0 to initScale');
    this.#growthFactor = growthFactor;
    this.#backoffFactor = backoffFactor;
    this.#minScale = minScale;
    this.#isEnabled = enabled;
    const scalar = (value: number): Tensor =>
      new StateBuffer(tensor(value, { dtype: 'f32', ...(device ? { device } : {}) }), { fresh: true });
    [this.#scale, this.#tracker, this.#skipped] = [scalar(initScale), scalar(0), scalar(0)];
    this.#settings = {
      label: 'growth interval of the loss scale',
      type: tensorType('f32', []),
      next: () => {
        this.#watch();
        return new Uint8Array(Float32Array.of(growthInterval).buffer);
      },
    };
  }

  /** The loss times the scale, in f32. Call `backward()` on it; the loss itself stays readable after the step. */
  scale(loss: Tensor): Tensor {
    checkTensors('GradScaler.scale', { 'the loss': loss });
    if (!this.#isEnabled) return loss;
    loss.keep();
    return loss.to('f32').mul(this.#scale);
  }
  /** Waits for all steps so far. */
  getScale(): number {
    return this.#isEnabled ? this.#scale.item() : 1;
  }

  /** Divides all gradients by the scale, in place: for clipping them before `step`. */
  unscale_(optimizer: Optimizer): void {
    if (!this.#isEnabled) return;
    const parameters = optimizer.parameters();
    atOneLocation(() => {
      averageGradients(parameters);
      recordUpdate(parameters, () => {
        this.#look(optimizer);
        const inverse = this.#inverse();
        for (const { grad } of parameters) {
          if (grad === undefined) continue;
          const { device } = grad;
          const b = device.trace.builder;
          const wide = b.broadcastInDim(device.valueOf(inverse), [], grad.shape);
          grad.bind(b.convert(b.multiply(b.convert(device.valueOf(grad), 'f32'), wide), grad.type.elementType));
        }
        this.#isUnscaled = true;
      });
    });
  }

  /** The optimizer's step with gradients divided by the scale; if any of them is not finite, nothing changes. */
  step(optimizer: Optimizer): void {
    if (!(optimizer instanceof Optimizer))
      throw wrongArgument(
        { call: 'GradScaler.step', argument: 'the optimizer' },
        optimizer,
        'an optimizer, such as AdamW',
      );
    if (!this.#isEnabled) {
      optimizer.step();
      return;
    }
    atOneLocation(() => {
      averageGradients(optimizer.parameters());
      if (this.#allFinite === undefined) this.#look(optimizer);
      const gradientScale = this.#isUnscaled ? undefined : this.#inverse();
      optimizer.recordStep({ gradientScale, when: this.#allFinite, skipped: this.#skipped });
      this.#stepped.add(optimizer);
    });
  }

  /**
   * Lowers the scale after a step that was skipped, raises it after `growthInterval` steps without overflow, and ends the step.
   * Call it once per step.
   */
  update(): void {
    atOneLocation(() => {
      this.#recordUpdate();
      for (const optimizer of this.#stepped) optimizer.endStep();
    });
    this.#stepped.clear();
  }
  #recordUpdate(): void {
    const allFinite = this.#allFinite;
    if (allFinite === undefined) return;
    atOneLocation(() => {
      const { device } = this.#scale;
      const { trace } = device;
      const b = trace.builder;
      const [scale, tracker, skipped, good] = [this.#scale, this.#tracker, this.#skipped, allFinite].map(t =>
        device.valueOf(t),
      ) as [Value, Value, Value, Value];
      const interval = trace.hostArgument(this.#settings);
      const one = b.like(tracker, 1);
      const counted = b.add(tracker, one);
      const isDue = b.compare('GE', counted, interval);
      const grown = b.multiply(scale, b.like(scale, this.#growthFactor));
      const raised = b.select(b.emit1('and', [isDue, b.emit1('is_finite', [grown], {})], {}), grown, scale);
      this.#scale.bind(b.select(good, raised, b.multiply(scale, b.like(scale, this.#backoffFactor))));
      const zero = b.like(tracker, 0);
      this.#tracker.bind(b.select(good, b.select(isDue, zero, counted), zero));
      this.#skipped.bind(b.select(good, skipped, b.add(skipped, one)));
    });
    this.#allFinite = undefined;
    this.#isUnscaled = false;
  }

  /** The state, for a checkpoint. */
  stateDict(): GradScalerState {
    const [scale, growthTracker, skipped] = [this.#scale, this.#tracker, this.#skipped].map(t => t.item());
    return { scale: scale!, growthTracker: growthTracker!, skipped: skipped! };
  }
  /** Continues with the state of a checkpoint. */
  loadStateDict({ scale, growthTracker, skipped }: GradScalerState): void {
    [scale, growthTracker, skipped].forEach((value, i) => {
      loadInto([this.#scale, this.#tracker, this.#skipped][i]!, literal('f32', [], [value]));
    });
  }

  #inverse(): Tensor {
    return record('unscale', [this.#scale], (b, [scale]) => b.divide(b.like(scale!, 1), scale!));
  }
  /** Records whether all gradients are finite. */
  #look(optimizer: Optimizer): void {
    const grads = optimizer.parameters().flatMap(({ grad }) => (grad === undefined ? [] : [grad]));
    if (grads.length === 0) return;
    this.#allFinite = record('gradients are finite', grads, (b, values) => {
      const all = values.map(v => b.reduce('and', b.emit1('is_finite', [v], {}), b.fill('i1', [], 1), dimsOf(v)));
      return all.reduce((both: Value, one) => b.emit1('and', [both, one], {}));
    });
  }
  /** Called before each execution: stops a run whose scale has fallen too low, if the scale is already known. */
  #watch(): void {
    const { buffer, device } = this.#scale;
    if (buffer?.isReady !== true) return;
    const [scale] = new Float32Array(buffer.copyToHost().buffer);
    if (scale! < this.#minScale) device.observeNext(run => refuseNans(device, run, true));
  }
}

const dimsOf = (value: Value): number[] => (value.type.kind === 'tensor' ? value.type.shape.map((_, d) => d) : []);
