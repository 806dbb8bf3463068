// The default device of new tensors: a setting of the process. Separate from `devices.ts`, which checks arguments and
// so needs tensors, because printing a tensor needs it too.
import { isEagerMode, readVariable } from '../base/environment.ts';
import type { Device } from './device.ts';

let chosen: Device | undefined;

/** The device that `setDefaultDevice` was given. */
export const chosenDevice = (): Device | undefined => chosen;
export function chooseDevice(device: Device | undefined): void {
  chosen = device;
}
/** Whether new tensors are created there by default. */
export const isDefaultDevice = (device: Device): boolean =>
  chosen === undefined
    ? device.name === (readVariable('TRENIO_BACKEND') ?? (isEagerMode() ? 'interpreter' : 'cpu'))
    : device === chosen;
