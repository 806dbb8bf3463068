// The end of a training step: gradients averaged over the ranks, the optimizer's step, gradients forgotten, step marked.
// The exchange is one op of the recorded program, so it runs inside the compiled step.
import type { Value } from '../hlo/program.ts';
import type { ElementType } from '../hlo/types.ts';
import { clipGradNorm, type Optimizer } from '../optim/index.ts';
import { atOneLocation, type Tensor, userLocation } from '../tensor/index.ts';

export interface OptimizerStepOptions {
  /** Scales the averaged gradients to at most this norm before the step. */
  readonly maxGradNorm?: number | undefined;
}

/** Averages gradients over all ranks, steps, forgets the gradients and marks the step. Every rank must call it. */
export function optimizerStep(optimizer: Optimizer, options: OptimizerStepOptions = {}): void {
  atOneLocation(() => {
    const parameters = optimizer.parameters();
    averageGradients(parameters);
    if (options.maxGradNorm !== undefined) clipGradNorm(parameters, options.maxGradNorm);
    optimizer.step();
    optimizer.zeroGrad();
    for (const device of new Set(parameters.map(parameter => parameter.device))) device.markStep();
  });
}

/** Replaces each gradient by its mean over all ranks: one exchange for all gradients of a data type. */
export function averageGradients(parameters: readonly Tensor[]): void {
  const byType = Map.groupBy(
    parameters.filter(parameter => parameter.grad !== undefined && parameter.device.worldSize > 1),
    parameter => `${parameter.device.name} ${parameter.dtype}`,
  );
  for (const group of byType.values()) {
    const { device } = group[0]!;
    const b = device.trace.builder;
    b.location = userLocation();
    const grads = group.map(parameter => parameter.grad!);
    const type: ElementType = group[0]!.dtype;
    const ranks = Array.from({ length: device.worldSize }, (_, rank) => rank);
    const sums: readonly Value[] = b.emit(
      'all_reduce',
      grads.map(grad => device.valueOf(grad)),
      { replicaGroups: [ranks] },
      [b.combiner('add', type)],
    );
    grads.forEach((grad, i) => {
      grad.bind(b.multiply(sums[i]!, b.like(sums[i]!, 1 / device.worldSize)));
    });
  }
}
