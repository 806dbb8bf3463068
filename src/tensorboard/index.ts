// The exports of this folder.
export type { HistogramBins } from './histogram.ts';
export type { Hyperparameter } from './hparams.ts';
export {
  type HistogramOptions,
  type ImageOptions,
  type LoggedImage,
  type LoggedValues,
  type PrCurveOptions,
  type ScalarLayout,
  type ScalarValue,
  SummaryWriter,
  type SummaryWriterOptions,
} from './summary-writer.ts';
