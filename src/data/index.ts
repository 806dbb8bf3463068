// What the rest of Trenio uses of this folder.

export { type Collated, defaultCollate } from './collate.ts';
export { ConcatDataset, randomSplit, StackDataset, Subset } from './combined-datasets.ts';
export { loadReviews, type ReviewCsvOptions, type ReviewExample, readReviews } from './csv.ts';
export { type Collate, DataLoader, type DataLoaderOptions, type DataSource } from './data-loader.ts';
export { arrayDataset, type Dataset, mapDataset, type SyncDataset, sliceDataset } from './dataset.ts';
export { permutation } from './epoch-order.ts';
export { type Items, IterableDataset } from './iterable-dataset.ts';
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
  DistributedSampler,
  type DistributedSamplerOptions,
  RandomSampler,
  type RandomSamplerOptions,
  type Sampler,
  SequentialSampler,
  SubsetRandomSampler,
  WeightedRandomSampler,
  type WeightedRandomSamplerOptions,
} from './samplers.ts';
export { TensorDataset } from './tensor-dataset.ts';
export { bertSpecialTokens, type SpecialTokenNames, Vocabulary } from './vocabulary.ts';
export {
  type EncodedBatch,
  type EncodeOptions,
  type Encoding,
  type PadOptions,
  WordPieceTokenizer,
} from './wordpiece.ts';
export { type TrainerOptions, trainWordPiece } from './wordpiece-trainer.ts';
