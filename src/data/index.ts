// What the rest of Trenio uses of this folder.
export { loadReviews, type ReviewCsvOptions, type ReviewExample, readReviews } from './csv.ts';
export { type Collate, DataLoader, type DataLoaderOptions } from './data-loader.ts';
export { arrayDataset, type Dataset, mapDataset, sliceDataset } from './dataset.ts';
export { permutation } from './epoch-order.ts';
export {
  type ClassificationBatch,
  classificationCollate,
  ignoredLabel,
  reviewText,
  type TokenizedExample,
  TokenizedReviews,
} from './reviews.ts';
export { bertSpecialTokens, type SpecialTokenNames, Vocabulary } from './vocabulary.ts';
export {
  type EncodedBatch,
  type EncodeOptions,
  type Encoding,
  type PadOptions,
  WordPieceTokenizer,
} from './wordpiece.ts';
export { type TrainerOptions, trainWordPiece } from './wordpiece-trainer.ts';
