// The public interface of this folder.
export * from './activation-names.ts';
export { Adapter, addAdapter, getPeftModel, type LoadAdapterOptions, loadAdapter } from './adapters/adapter.ts';
export {
  LoraConfig,
  type LoraConfigConstructor,
  type LoraConfigInput,
  type LoraSettings,
  loraConfig,
} from './adapters/lora-config.ts';
export { type BaseLayer, type LoraLayerSettings, LoraLinear } from './adapters/lora-layer.ts';
export {
  type Quantization,
  QuantizedLinear,
  type QuantizeOptions,
  quantizeWeights,
} from './adapters/quantized-linear.ts';
export {
  type AudioOptions,
  type AudioSamples,
  Wav2Vec2FeatureExtractor,
  type Wav2Vec2FeatureExtractorFields,
  type Wav2Vec2Features,
  WhisperFeatureExtractor,
  type WhisperFeatureExtractorFields,
  type WhisperFeatures,
} from './audio/feature-extractor.ts';
export {
  Wav2Vec2ForCTC,
  type Wav2Vec2FromPretrainedOptions,
  type Wav2Vec2Inputs,
  Wav2Vec2Model,
} from './audio/wav2vec2.ts';
export { Wav2Vec2ForSequenceClassification } from './audio/wav2vec2-classifier.ts';
export { type Wav2Vec2Config, type Wav2Vec2ConfigInput, wav2Vec2Config } from './audio/wav2vec2-config.ts';
export {
  type AnyConfig,
  type AudioClassifier,
  type AudioClassifierOptions,
  AutoConfig,
  AutoModel,
  AutoModelForAudioClassification,
  AutoModelForCausalLM,
  AutoModelForCTC,
  AutoModelForImageClassification,
  AutoModelForMaskedLM,
  AutoModelForMultipleChoice,
  AutoModelForQuestionAnswering,
  AutoModelForSeq2SeqLM,
  AutoModelForSequenceClassification,
  AutoModelForSpeechSeq2Seq,
  AutoModelForTextEncoding,
  AutoModelForTokenClassification,
  type BaseModel,
  type CausalLM,
  type ImageClassifier,
  type ImageClassifierOptions,
  type QuestionAnswerer,
  type SequenceClassifier,
  type TextClassifierOptions,
  type TextEncoder,
  type TokenClassifier,
} from './auto/index.ts';
export { AutoFeatureExtractor, AutoImageProcessor, type FeatureExtractor } from './auto-processors.ts';
export {
  BertAttention,
  BertEmbeddings,
  BertEncoder,
  BertForSequenceClassification,
  type BertInputs,
  BertIntermediate,
  BertLayer,
  BertModel,
  BertOutput,
  BertPooler,
  BertSelfAttention,
  type FromPretrainedOptions,
} from './bert.ts';
export {
  BertForNextSentencePrediction,
  BertForPreTraining,
  type BertPretrainingInputs,
  type BertPretrainingOutput,
  bertPretrainingLoss,
} from './bert-pretraining.ts';
export { type BleuResult, bleu, type SacrebleuOptions, type SacrebleuResult, sacrebleu } from './bleu.ts';
export { decoderConfig, decoderLayout } from './decoder/architectures.ts';
export {
  type BlockInputs,
  DecoderAttention,
  DecoderBlock,
  DecoderFeedForward,
  type FeedForward,
} from './decoder/block.ts';
export {
  DecoderForCausalLM,
  type DecoderFromPretrainedOptions,
  type DecoderInputs,
  DecoderModel,
} from './decoder/decoder.ts';
export { DecoderExperts, routerLoss } from './decoder/experts.ts';
export type { DecoderConfig, DecoderConfigInput, DecoderHeadName } from './decoder/fields.ts';
export {
  DecoderClassifier,
  DecoderForQuestionAnswering,
  DecoderForSequenceClassification,
  DecoderForTokenClassification,
} from './decoder/heads.ts';
export type { AlibiLayout, DecoderLayout, ExpertsLayout, LayerLayout, LearnedPositions } from './decoder/layout.ts';
export type { RopeParameters } from './decoder/rope-parameters.ts';
export type { RotaryTable } from './decoder/rotary.ts';
export { type DistillationOptions, distillationLoss } from './distillation.ts';
export { type DpoLossType, type DpoOptions, type DpoResult, dpoLoss, sequenceLogProbabilities } from './dpo.ts';
export { type ContrastiveLossOptions, contrastiveLoss, type Pooling, poolEmbeddings } from './embeddings.ts';
export type { EncoderHeadName } from './encoder/architectures.ts';
export {
  type BlockParts,
  type DistanceInputs,
  EncoderAttention,
  type EncoderBlockInputs,
  EncoderIntermediate,
  EncoderLayer,
  EncoderOutput,
  EncoderSelfAttention,
  type OutputOptions,
  type TokenPairs,
} from './encoder/block.ts';
export {
  EncoderBlocks,
  EncoderEmbeddings,
  type EncoderInputs,
  EncoderModel,
  type EncoderOptions,
  type EncoderOutputs,
  EncoderPooler,
} from './encoder/encoder.ts';
export { encoderConfig, encoderLayout } from './encoder/encoder-config.ts';
export type { EncoderConfig, EncoderConfigInput } from './encoder/fields.ts';
export type { EncoderFromPretrainedOptions } from './encoder/files.ts';
export {
  EncoderClassifier,
  EncoderForMaskedLM,
  EncoderForMultipleChoice,
  EncoderForQuestionAnswering,
  EncoderForSequenceClassification,
  EncoderForTokenClassification,
  EncoderWithHead,
} from './encoder/heads.ts';
export type { DistanceScores, EncoderBlockLayout, EncoderLayerLayout, EncoderLayout } from './encoder/layout.ts';
export type { CachedAttentionOptions, LayerCache } from './generation/cache.ts';
export type { GenerateInputs } from './generation/generate.ts';
export {
  type GenerateOptions,
  type GenerationConfig,
  generationConfig,
  type TokenDecoder,
} from './generation/generate-options.ts';
export { GPT2LMHeadModel } from './gpt2.ts';
export * from './hf-config.ts';
export {
  accuracy,
  type F1Options,
  f1,
  perplexity,
  type RougeResult,
  rouge,
} from './metrics.ts';
export { nextTokenLoss } from './next-token-loss.ts';
export type { PretrainedOptions } from './pretrained.ts';
export {
  ResNet,
  type ResNetFeatures,
  type ResNetFromPretrainedOptions,
  type ResNetKind,
  type ResNetOptions,
} from './resnet.ts';
export { type ResNetConfig, type ResNetConfigInput, resNetConfig } from './resnet-config.ts';
export {
  type LazyTensor,
  openSafetensors,
  readSafetensors,
  type TensorReader,
  totalBytes,
  writeSafetensors,
} from './safetensors.ts';
export type { PackedInputs } from './segments.ts';
export {
  type Seq2SeqConfig,
  type Seq2SeqConfigInput,
  seq2SeqConfig,
} from './seq2seq/architectures.ts';
export { Seq2SeqAttention, Seq2SeqBlock, type Seq2SeqMasks } from './seq2seq/block.ts';
export type { Seq2SeqGenerateInputs, Seq2SeqGenerateOptions } from './seq2seq/generation-inputs.ts';
export type { Seq2SeqLayout, StackLayout } from './seq2seq/layout.ts';
export {
  Seq2SeqForConditionalGeneration,
  type Seq2SeqFromPretrainedOptions,
  type Seq2SeqInputs,
  Seq2SeqModel,
  Seq2SeqStack,
  seq2SeqLayout,
  shiftRight,
} from './seq2seq/seq2seq.ts';
export { Seq2SeqTextEncoder } from './seq2seq/text-encoder.ts';
export {
  type WhisperClassifierConfig,
  type WhisperClassifierConfigInput,
  type WhisperClassifierOptions,
  WhisperForAudioClassification,
} from './seq2seq/whisper-classifier.ts';
export type { SpeechOptions } from './seq2seq/whisper-prompt.ts';
export {
  type AnswerLogits,
  type ImageInputs,
  type Logits,
  type LossAndLogits,
  TaskModel,
  type Tasks,
} from './task-model.ts';
export { loadTorchFile, type TorchValue } from './torch-file/torch-file.ts';
export { optimizerStateFromTorch, torchOptimizerState } from './torch-file/torch-optimizer.ts';
export { saveTorchFile } from './torch-file/write-torch-file.ts';
export {
  type VisionConfig,
  type VisionConfigInput,
  visionConfig,
  visionLayout,
} from './vision/architectures.ts';
export {
  type ContrastiveConfig,
  type ContrastiveConfigInput,
  type ContrastiveInputs,
  ContrastiveModel,
  type ContrastiveOutputs,
  contrastiveConfig,
} from './vision/contrastive.ts';
export {
  type ConvNextConfig,
  type ConvNextConfigInput,
  ConvNextForImageClassification,
  type ConvNextFromPretrainedOptions,
  ConvNextModel,
  convNextConfig,
  type FeatureMaps,
} from './vision/convnext.ts';
export { ImageNormalization } from './vision/image-normalization.ts';
export {
  type ExactSize,
  ImageProcessor,
  type ImageProcessorSettings,
  type ImageResize,
  type ImageSizeRule,
  type ShortestEdge,
} from './vision/image-processor.ts';
export type { PixelSize, VisionLayout } from './vision/layout.ts';
export { PatchDistances } from './vision/patch-distances.ts';
export {
  type ContrastiveTextConfig,
  type ContrastiveTextConfigInput,
  ContrastiveTextModel,
  type ContrastiveTextOutputs,
  contrastiveTextConfig,
  type TextInputs,
} from './vision/text-tower.ts';
export {
  VisionBlocks,
  VisionEmbeddings,
  VisionForImageClassification,
  type VisionFromPretrainedOptions,
  type VisionInputs,
  VisionModel,
  type VisionOptions,
  type VisionOutputs,
} from './vision/vision.ts';
export { matchWeights, openWeights, type WeightsMatch } from './weights.ts';
