// Creates modules without initial values, which will be loaded or initialized in another way: torch.nn.utils.skip_init.
import { checkFunction } from '../../tensor/index.ts';
import * as init from '../init.ts';
import type { Module } from './module.ts';

/**
 * Makes a module whose parameters start as zeros rather than random numbers, which takes no time.
 *
 *     const layer = nn.utils.skipInit(nn.Linear, 1024, 1024);
 *     nn.init.orthogonal_(layer.weight);
 *
 * @throws {WRONG_ARGUMENT} for anything other than a class of modules
 * @example
 * nn.utils.skipInit(nn.Linear, 1000, 1000).weight.shape // [1000, 1000]
 */
export function skipInit<A extends readonly unknown[], M extends Module>(
  moduleClass: new (...args: A) => M,
  ...args: A
): M {
  checkFunction('skipInit', 'the class of modules', moduleClass);
  return init.skipInit(() => new moduleClass(...args));
}
