export {
  formatResultTable,
  type MeasuredRun,
  type PredictedRow as PredictedRun,
  pricePerHour,
  type ResultRow,
  type ResultRowJson,
  resultRows,
  resultTableJson,
} from './result-table.ts';
export { type RunFile, type RunSettings, readRunFile } from './run-file.ts';
export { openRun, type RunFolder, type RunFolderOptions, type RunRecord } from './run-folder.ts';
export { type RunMachine, runMachine } from './run-machine.ts';
export { RESULTS_FORMAT, type RunResults, readRunResults, runResultsSchema, writeRunResults } from './run-results.ts';
export { formatSettingChanges, type SettingChange, type SettingEffect } from './setting-changes.ts';
