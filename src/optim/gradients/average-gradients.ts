// Gradients averaged over the ranks along the mesh axis `data` and over micro-batches: one op of the recorded program for all
// gradients of a data type, so the all-reduce runs inside the compiled step.
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { ElementType } from '../../hlo/types.ts';
import { type Device, dividedAlongData, type Tensor, userLocation, wholeAlongData } from '../../tensor/index.ts';
import { recordUpdate } from '../update/record-update.ts';

/** Marks the current gradients of leaves as averaged. */
const averaged = new WeakSet<Tensor['partials']>();

/**
 * Replaces each gradient by its mean over the ranks along the axis `data` of the device's mesh and over the micro-batches of
 * `device.gradientAccumulationSteps`, unless this was done before: one all-reduce for all gradients of a data type. Every rank
 * must call it. Optimizers, `clipGradNorm` and `GradScaler` do.
 * @example
 * const layer = new nn.Linear(2, 1, { bias: false });
 * layer(tensor([[1, 2]])).sum().backward();
 * // the mean over all ranks; with one, nothing changes
 * averageGradients([...layer.parameters()]);
 * layer.weight.grad // [[1, 2]]
 */
export function averageGradients(parameters: readonly Tensor[]): void {
  recordAverages(parameters, 'whole');
}
/** `use`: whether every rank needs whole gradients, or its parts of those that it updates in parts. */
export function recordAverages(parameters: readonly Tensor[], use: 'whole' | 'update'): void {
  const graded = parameters.filter(
    parameter => addends(parameter.device) > 1 && !averaged.has(parameter.partials) && parameter.grad !== undefined,
  );
  recordUpdate(graded, () => {
    for (const device of new Set(graded.map(parameter => parameter.device))) {
      const b = device.trace.builder;
      b.location = userLocation();
      const mine = graded
        .filter(parameter => parameter.device === device)
        .map((parameter): Gradient => ({ parameter, grad: parameter.grad!, sum: parameter.gradientSum() }));
      const byType = Map.groupBy(mine, ({ sum }) => tensorTypeOf(sum).elementType);
      for (const [type, gradients] of byType) averageOf(device, type, gradients, use);
      for (const parameter of graded) if (parameter.device === device) averaged.add(parameter.partials);
    }
  });
}
interface Gradient {
  readonly parameter: Tensor;
  readonly grad: Tensor;
  /** The value of this rank, in the type of the all-reduce. */
  readonly sum: Value;
}
function averageOf(device: Device, type: ElementType, gradients: readonly Gradient[], use: 'whole' | 'update'): void {
  const b = device.trace.builder;
  const isInParts = gradients.map(({ parameter }) => dividedAlongData(parameter) !== undefined);
  const mine: readonly Value[] = gradients.map(({ sum }, i) => (isInParts[i] ? wholeAlongData(b, sum) : sum));
  const summed = (values: readonly Value[]): readonly Value[] =>
    b.emit('all_reduce', values, device.mesh.collective('data'), [b.combiner('add', type)]);
  const { mesh } = device;
  // Gradients that are divided in different ways have collectives of their own.
  const sums =
    mesh.size('data') === 1
      ? mine
      : mesh.dividesPrograms || isInParts.includes(true)
        ? mine.flatMap(one => summed([one]))
        : summed(mine);
  gradients.forEach(({ grad }, i) => {
    const mean = b.multiply(sums[i]!, b.like(sums[i]!, 1 / addends(device)));
    const rounded = b.convert(mean, grad.type.elementType);
    grad.bind(isInParts[i] && use === 'whole' ? wholeAlongData(b, rounded) : rounded);
  });
}
const addends = (device: Device): number => device.mesh.size('data') * device.gradientAccumulationSteps;
