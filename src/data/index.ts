// The exports of this folder to the rest of Trenio.

export { ChainDataset } from './datasets/chain-dataset.ts';
export { ConcatDataset, randomSplit, StackDataset, type Stacked, Subset } from './datasets/combined-datasets.ts';
export { arrayDataset, Dataset, mapDataset, type SyncDataset, sliceDataset } from './datasets/dataset.ts';
export { permutation } from './datasets/epoch-order.ts';
export { ItemRandom } from './datasets/item-random.ts';
export { type FileNames, type Items, IterableDataset } from './datasets/iterable-dataset.ts';
export type { Lazy, LazyStream } from './datasets/lazy.ts';
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
} from './datasets/samplers.ts';
export type { CacheOptions } from './datasets/stream-cache.ts';
export type { ItemContext, MapFunction, Pipe } from './datasets/stream-pipes.ts';
export { TensorDataset } from './datasets/tensor-dataset.ts';
export { WebDataset, type WebDatasetOptions, type WebSample } from './datasets/web-dataset.ts';
export { loadReviews, type ReviewCsvOptions, type ReviewExample, readReviews } from './files/csv.ts';
export {
  type CsvColumnType,
  type CsvOptions,
  type CsvRow,
  readCsv,
  type Values as CsvValues,
} from './files/csv-columns.ts';
export type { HostArray, ReadableTensor } from './files/host-array.ts';
export { readJsonLines } from './files/json-lines.ts';
export { type ParquetOptions, readParquet } from './files/parquet.ts';
export { type LineOptions, readTextLines } from './files/text-lines.ts';
export { type Image, readImage } from './images/image.ts';
export { ImageFolder, type ImageFolderOptions } from './images/image-folder.ts';
export type { AsTensors } from './loader/as-tensors.ts';
export type { BucketOptions } from './loader/batch-bucket.ts';
export type { Collate } from './loader/batch-maker.ts';
export { type Collated, type CollatedPart, defaultCollate } from './loader/collate.ts';
export { DataLoader, type DataSource } from './loader/data-loader.ts';
export type { DataLoaderArguments, DataLoaderOptions, LengthGroups } from './loader/loader-options.ts';
export type { LoaderState } from './loader/loader-state.ts';
export type { LoaderStats } from './loader/loader-stats.ts';
export { exportToWorkers, type WorkerExport } from './loader/worker-exports.ts';
export { getWorkerInfo, type WorkerInfo } from './loader/worker-info.ts';
export type { BertTextOptions } from './text/bert-text.ts';
export { type PackedExamples, packExamples } from './text/pack-examples.ts';
export type { PackedSequence, PackOptions } from './text/packed-sequences.ts';
export {
  type ClassificationBatch,
  classificationCollate,
  ignoredLabel,
  reviewText,
  type TokenizedExample,
  TokenizedReviews,
} from './text/reviews.ts';
export type { TokenizerDescription } from './text/tokenizer-files.ts';
export {
  padExamples,
  readTrainingRows,
  type TokenizeExampleOptions,
  type TrainingBatch,
  type TrainingExample,
  type TrainingRow,
  tokenizeExample,
} from './text/training-examples.ts';
export { bertSpecialTokens, type SpecialTokenNames, Vocabulary } from './text/vocabulary.ts';
export {
  type EncodedBatch,
  type EncodeOptions,
  type Encoding,
  type PadOptions,
  WordPieceTokenizer,
} from './text/wordpiece.ts';
export { type TrainerOptions, trainWordPiece } from './text/wordpiece-trainer.ts';
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
