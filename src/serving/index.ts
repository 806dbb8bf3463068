export { type ClassifierOptions, loadClassifier } from './model/classifier.ts';
export { classifierModel } from './model/classifier-model.ts';
export {
  Endpoint,
  type EndpointAnswer,
  type EndpointOptions,
  type EndpointState,
  endpointNameOf,
} from './model/endpoint.ts';
export type { Answer, ModelLoad, ModelRuns, ServedModel } from './model/served-model.ts';
export type { Prediction, TextClassifier } from './model/text-classifier.ts';
