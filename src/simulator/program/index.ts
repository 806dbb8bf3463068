export { castMultiplies } from './formats.ts';
export { type LocalStep, localStep } from './local-step.ts';
export { type AssumedWorkload, type ProgramOptions, programWorkload } from './program-workload.ts';
