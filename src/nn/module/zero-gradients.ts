// `zeroGrad` of modules and optimizers.
import { type Settings, settle, type Tensor, zerosLike } from '../../tensor/index.ts';

/** The argument of `zeroGrad`: `true`, `false`, or `{ setToNone }`. By default, gradients become undefined. */
export type ZeroGradArguments = Settings<
  {
    /** False sets gradients to zeros, for code that reads them before the next `backward()`. Default: true. */
    readonly setToNone?: boolean;
  },
  ['setToNone']
>;

/** @throws {UNKNOWN_ARGUMENT} */
export function zeroGradients(call: string, parameters: readonly Tensor[], rest: readonly unknown[]): void {
  const { setToNone = true } = settle<{ setToNone?: boolean }>(call, ['setToNone'], rest);
  for (const parameter of parameters) {
    if (setToNone) parameter.zeroGrad();
    else if (parameter.grad !== undefined) parameter.grad = zerosLike(parameter);
  }
}
