// The default device of new tensors: a setting of the process. Separate from `devices.ts`, which depends on tensors to check
// arguments, because printing a tensor needs the default device, too.
import { isEagerMode, readVariable } from '../base/environment.ts';
import type { Device } from './device.ts';

let chosen: Device | undefined;

/** The device passed to `setDefaultDevice`. */
export const chosenDevice = (): Device | undefined => chosen;
export function chooseDevice(device: Device | undefined): void {
  chosen = device;
}
/** Whether new tensors are created there by default. */
export const isDefaultDevice = (device: Device): boolean =>
  chosen === undefined
    ? device.name === (readVariable('TRENIO_BACKEND') ?? (isEagerMode() ? 'interpreter' : 'cpu'))
    : device === chosen;
