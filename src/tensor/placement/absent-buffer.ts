// Stands for the memory of a tensor that another rank along a pipeline has.
import { invariant } from '../../base/errors.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';

export class AbsentBuffer implements DeviceBuffer {
  readonly type: TensorType;
  readonly isReady = true;
  readonly ready = Promise.resolve();
  readonly isConsumed = false;

  constructor(type: TensorType) {
    this.type = type;
  }
  wait(): void {}
  release(): void {}
  copyToHost(): never {
    invariant(false, 'this rank does not have the tensor');
  }
  copyToHostAsync(): never {
    return this.copyToHost();
  }
}
