import { readVariable } from '../../../base/environment.ts';
import { TrenioError } from '../../../base/errors.ts';
import { registerBackend } from '../registry.ts';
import { InterpreterBackend } from './interpreter-backend.ts';

registerBackend({
  name: 'interpreter',
  memorySpaces: ['host'],
  availability: () => ({ kind: 'available', devices: 1 }),
  open({ ranks, variables }) {
    if (ranks.worldSize === 1) return new InterpreterBackend(readVariable('TRENIO_MAX_LOOP_STEPS', variables));
    const instead = 'use the cpu backend, or a single rank';
    throw new TrenioError('UNSUPPORTED', { what: 'a run of several ranks', where: 'the interpreter', instead });
  },
});
