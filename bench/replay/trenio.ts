// Everything that process replay uses of Trenio beyond its public API. When folders move or functions are renamed, this is
// the only file of bench/replay to change; its exports must keep their meaning, or recordings cannot be compared.
export { type CpuTarget as Target, compileToC, targetOf } from '../../src/compiler/index.ts';
export { loosened } from '../../src/compiler/testing/loosen.testing.ts';
export { randomChoices } from '../../src/hlo/random-choices.testing.ts';
export { randomProgram } from '../../src/hlo/random-program.testing.ts';
export type { Backend } from '../../src/runtime/backends/backend.ts';
export { doneEvent } from '../../src/runtime/execution/executable.ts';
export { machineOfCalibration } from '../../src/simulator/calibration/index.ts';
export { cpuRates } from '../../src/simulator/calibration/rates.testing.ts';
export { predictHere } from '../../src/simulator/predict-here.ts';
export { validateArticle, validateMegatron, validateTrn1 } from '../../src/simulator/validation/validate.testing.ts';
export { idleBuffer } from '../idle-buffer.ts';
