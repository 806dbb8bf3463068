// The parts of torch.cuda that scripts ask before anything else. Programs run on the cores of this machine: there is no GPU.
import { warnOnce } from '../../base/warn-once.ts';
import { absentFunction } from './absent-functions.ts';

const cores =
  'programs run on the cores of this machine: new tensors are on device(), and model.to(device()) moves a model';

/**
 * False: Trenio compiles for the cores of this machine. Says so, once. PyTorch: `torch.cuda.is_available`.
 * @example
 * cuda.isAvailable() // false
 */
export function isAvailable(): boolean {
  warnOnce('cuda', `cuda.isAvailable() is false: ${cores}`);
  return false;
}
/**
 * 0: see `isAvailable`. PyTorch: `torch.cuda.device_count`.
 * @example
 * cuda.deviceCount() // 0
 */
export const deviceCount = (): number => 0;
/** @deprecated Leave it out: the compiler plans memory. */
export const emptyCache: never = absentFunction('cuda.emptyCache', 'leave it out: the compiler plans memory');
/** @deprecated Use device().synchronize(). */
export const synchronize: never = absentFunction('cuda.synchronize', 'use device().synchronize()');
/** @deprecated Leave it out: programs run on the cores of this machine. */
export const setDevice: never = absentFunction('cuda.setDevice', `leave it out: ${cores}`);
/** @deprecated Use manualSeed. */
export const manualSeed: never = absentFunction('cuda.manualSeed', 'use manualSeed');
/** @deprecated Use manualSeed. */
export const manualSeedAll: never = absentFunction('cuda.manualSeedAll', 'use manualSeed');
/** @deprecated Use device().explain(), or trenio top. */
export const maxMemoryAllocated: never = absentFunction('cuda.maxMemoryAllocated', 'use trenio top, or the profiler');
