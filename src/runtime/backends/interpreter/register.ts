import { readVariable } from '../../../base/environment.ts';
import { registerBackend } from '../registry.ts';
import { InterpreterBackend } from './interpreter-backend.ts';

registerBackend({
  name: 'interpreter',
  memorySpaces: ['host'],
  maxRanks: 1,
  availability: () => ({ kind: 'available', devices: 1 }),
  open: ({ variables }) => new InterpreterBackend(readVariable('TRENIO_MAX_LOOP_STEPS', variables)),
});
