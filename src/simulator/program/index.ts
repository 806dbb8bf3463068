export { castMultiplies } from './formats.ts';
export { type LocalStep, localStep } from './local-step.ts';
export { type AssumedProgram, type ProgramOptions, recordedProgram } from './recorded-program.ts';
