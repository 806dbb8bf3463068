// The backends of this package: each registers itself when it is imported.
import './cpu/register.ts';
import './interpreter/register.ts';
import './kernels/register.ts';

export { backendNames, openDevice, parseDevice, registeredBackends, tooManyRanks } from './registry.ts';
