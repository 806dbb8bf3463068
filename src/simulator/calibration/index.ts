export { type CalibrateOptions, type Calibration, calibrate } from './calibrate.ts';
export {
  type CalibrationIdentity,
  calibrationIdentity,
  type FoundCalibration,
  findCalibration,
  keepCalibration,
} from './calibration-file.ts';
export { multiplySeconds, sweepSeconds } from './kernel-seconds.ts';
export { type LocalMachine, localMachine, machineOfCalibration } from './local-machine.ts';
