export { castMultiplies } from './formats.ts';
export { type AssumedProgram, type ProgramOptions, recordedProgram } from './recorded-program.ts';
export { recordedStages } from './recorded-stages.ts';
