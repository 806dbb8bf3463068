export { type BertClassifierOptions, loadBertClassifier } from './bert-classifier.ts';
export { classifierModel } from './classifier-model.ts';
export { Endpoint, type EndpointAnswer, type EndpointOptions, type EndpointState, endpointNameOf } from './endpoint.ts';
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
export type { Answer, ModelLoad, ModelRuns, ServedModel } from './served-model.ts';
export { formatSettingChanges, type SettingChange, type SettingEffect } from './setting-changes.ts';
export type { Prediction, TextClassifier } from './text-classifier.ts';
