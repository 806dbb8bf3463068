import { readVariable } from '../../../base/environment.ts';
import { registerBackend } from '../registry.ts';
import { KernelsBackend } from './kernels-backend.ts';

registerBackend({
  name: 'kernels',
  memorySpaces: ['host'],
  maxRanks: 1,
  availability: () => ({ kind: 'available', devices: 1 }),
  open: ({ variables }) => new KernelsBackend({ maxLoopSteps: readVariable('TRENIO_MAX_LOOP_STEPS', variables) }),
});
