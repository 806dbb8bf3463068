// The exports of this folder to the rest of Trenio.

export type { AsTensors } from './as-tensors.ts';
export type { BucketOptions } from './batch-bucket.ts';
export type { Collate } from './batch-maker.ts';
export type { BertTextOptions } from './bert-text.ts';
export { ChainDataset } from './chain-dataset.ts';
export { type Collated, type CollatedPart, defaultCollate } from './collate.ts';
export { ConcatDataset, randomSplit, StackDataset, type Stacked, Subset } from './combined-datasets.ts';
export { loadReviews, type ReviewCsvOptions, type ReviewExample, readReviews } from './csv.ts';
export { type CsvColumnType, type CsvOptions, type CsvRow, readCsv, type Values as CsvValues } from './csv-columns.ts';
export { DataLoader, type DataSource } from './data-loader.ts';
export { arrayDataset, Dataset, mapDataset, type SyncDataset, sliceDataset } from './dataset.ts';
export { permutation } from './epoch-order.ts';
export type { HostArray, ReadableTensor } from './host-array.ts';
export { type Image, readImage } from './image.ts';
export { ImageFolder, type ImageFolderOptions } from './image-folder.ts';
export { ItemRandom } from './item-random.ts';
export { type FileNames, type Items, IterableDataset } from './iterable-dataset.ts';
export { readJsonLines } from './json-lines.ts';
export type { Lazy, LazyStream } from './lazy.ts';
export type { DataLoaderArguments, DataLoaderOptions, LengthGroups } from './loader-options.ts';
export type { LoaderState } from './loader-state.ts';
export type { LoaderStats } from './loader-stats.ts';
export { type PackedExamples, packExamples } from './pack-examples.ts';
export type { PackedSequence, PackOptions } from './packed-sequences.ts';
export { type ParquetOptions, readParquet } from './parquet.ts';
export {
  type ClassificationBatch,
  classificationCollate,
  ignoredLabel,
  reviewText,
  type TokenizedExample,
  TokenizedReviews,
} from './reviews.ts';
export {
  BatchSampler,
  type BatchSamplerOptions,
  DistributedSampler,
  type DistributedSamplerOptions,
  type HasLength,
  RandomSampler,
  type RandomSamplerOptions,
  type Sampler,
  type SeedOptions,
  SequentialSampler,
  SubsetRandomSampler,
  WeightedRandomSampler,
  type WeightedRandomSamplerOptions,
} from './samplers.ts';
export type { CacheOptions } from './stream-cache.ts';
export type { ItemContext, MapFunction, Pipe } from './stream-pipes.ts';
export { TensorDataset } from './tensor-dataset.ts';
export { type LineOptions, readTextLines } from './text-lines.ts';
export type { TokenizerDescription } from './tokenizer-files.ts';
export { AutoTokenizer } from './tokenizers/auto-tokenizer.ts';
export type { ChatMessage } from './tokenizers/chat-template.ts';
export {
  type ChatTemplateOptions,
  PretrainedTokenizer,
  type TokenizedTensors,
  type TokenizedTexts,
  type TokenizeOptions,
  type TokenizerCallOptions,
  type TokenizerInput,
} from './tokenizers/pretrained-tokenizer.ts';
export {
  padExamples,
  readTrainingRows,
  type TokenizeExampleOptions,
  type TrainingBatch,
  type TrainingExample,
  type TrainingRow,
  tokenizeExample,
} from './training-examples.ts';
export type { Transform } from './transforms/transform.ts';
export {
  CenterCrop,
  Compose,
  type ImageSize,
  Normalize,
  RandomCrop,
  RandomHorizontalFlip,
  Resize,
  ToTensor,
} from './transforms/transforms.ts';
export { bertSpecialTokens, type SpecialTokenNames, Vocabulary } from './vocabulary.ts';
export { WebDataset, type WebDatasetOptions, type WebSample } from './web-dataset.ts';
export {
  type EncodedBatch,
  type EncodeOptions,
  type Encoding,
  type PadOptions,
  WordPieceTokenizer,
} from './wordpiece.ts';
export { type TrainerOptions, trainWordPiece } from './wordpiece-trainer.ts';
export { exportToWorkers, type WorkerExport } from './worker-exports.ts';
export { getWorkerInfo, type WorkerInfo } from './worker-info.ts';
