// The public interface of this folder.
export { AutoConfig, AutoModelForCausalLM, type CausalLM } from './auto.ts';
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
  BertForPreTraining,
  type BertPretrainingInputs,
  type BertPretrainingOutput,
  bertPretrainingLoss,
} from './bert-pretraining.ts';
export { type DecoderConfig, type DecoderConfigInput, decoderConfig, decoderLayout } from './decoder/architectures.ts';
export { type BlockInputs, DecoderAttention, DecoderBlock, DecoderFeedForward } from './decoder/block.ts';
export {
  DecoderForCausalLM,
  type DecoderFromPretrainedOptions,
  type DecoderInputs,
  DecoderModel,
} from './decoder/decoder.ts';
export type { DecoderLayout, LayerLayout } from './decoder/layout.ts';
export type { RopeParameters } from './decoder/rope-parameters.ts';
export type { RotaryTable } from './decoder/rotary.ts';
export {
  Conv1D,
  GPT2LMHeadModel,
  GPT2Model,
  Gpt2Attention,
  Gpt2Block,
  type Gpt2FromPretrainedOptions,
  type Gpt2Inputs,
  Gpt2Mlp,
  nextTokenLoss,
} from './gpt2.ts';
export * from './gpt2-config.ts';
export * from './hf-config.ts';
export { ResNet, type ResNetKind, type ResNetOptions } from './resnet.ts';
export {
  type LazyTensor,
  openSafetensors,
  readSafetensors,
  type TensorReader,
  totalBytes,
  writeSafetensors,
} from './safetensors.ts';
export { loadTorchFile, type TorchValue } from './torch-file/torch-file.ts';
export { optimizerStateFromTorch, torchOptimizerState } from './torch-file/torch-optimizer.ts';
export { saveTorchFile } from './torch-file/write-torch-file.ts';
export { matchWeights, openWeights, type WeightsMatch } from './weights.ts';
