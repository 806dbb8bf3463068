// Published latencies of decoders on NeuronCores: AWS Neuron SDK documentation, benchmarks of Trn1 and Inf2, SDK 2.18,
// Transformers NeuronX (latency_data_decoder.csv, throughput_data_decoder.csv). Medians. Prompts of a batch are computed one
// after another.
import { machineOf } from '../../hardware/index.ts';
import { modelOf } from '../models/presets.ts';
import { type Replica, stepTimer, type WeightFormat } from './step.ts';

type Row = readonly [
  model: string,
  machine: string,
  tensor: number,
  weights: WeightFormat,
  batch: number,
  input: number,
  output: number,
  firstTokenMs: number,
  tokenMs: number,
];
const rows: readonly Row[] = [
  ['llama3-8b', 'trn1.32xlarge', 32, 'int8', 1, 4096, 4096, 153.0, 7.04],
  ['llama3-8b', 'trn1.32xlarge', 32, 'int8', 1, 128, 3968, 14.8, 5.86],
  ['llama3-70b', 'trn1.32xlarge', 32, 'bf16', 1, 128, 1024, 53.2, 24.48],
  ['llama3-70b', 'trn1.32xlarge', 32, 'bf16', 1, 128, 128, 52.5, 26.48],
  ['llama2-13b', 'trn1.32xlarge', 32, 'bf16', 1, 4096, 4096, 864.1, 9.84],
  ['llama2-13b', 'trn1.32xlarge', 32, 'bf16', 1, 8192, 8192, 2367.9, 13.41],
  ['llama2-70b', 'trn1.32xlarge', 32, 'bf16', 1, 256, 256, 81.9, 25.27],
  ['llama2-70b', 'trn1.32xlarge', 32, 'bf16', 1, 128, 1024, 57.8, 25.45],
  ['llama2-70b', 'trn1.32xlarge', 32, 'bf16', 1, 1024, 2048, 236.8, 26.62],
  ['llama2-70b', 'trn1.32xlarge', 32, 'bf16', 1, 2048, 2048, 691.0, 26.85],
  ['codellama-13b', 'trn1.32xlarge', 32, 'bf16', 1, 4096, 4096, 868.6, 9.86],
  ['codellama-13b', 'trn1.32xlarge', 32, 'bf16', 1, 8192, 8192, 2372.9, 13.4],
  ['llama3-8b', 'trn1.32xlarge', 32, 'int8', 8, 128, 8064, 55.2, 9.95],
  ['llama3-8b', 'trn1.32xlarge', 32, 'int8', 8, 4096, 4096, 1266.0, 10.04],
  ['llama3-70b', 'trn1.32xlarge', 32, 'bf16', 4, 2048, 2048, 1661.1, 32.33],
  ['llama3-70b', 'trn1.32xlarge', 32, 'bf16', 4, 128, 1024, 129.9, 28.38],
  ['llama2-7b', 'trn1.32xlarge', 32, 'bf16', 8, 128, 8064, 66.4, 10.1],
  ['llama2-13b', 'trn1.32xlarge', 32, 'bf16', 8, 4096, 4096, 6668.7, 19.86],
  ['llama2-70b', 'trn1.32xlarge', 32, 'bf16', 4, 128, 128, 156.8, 26.72],
  ['llama2-70b', 'trn1.32xlarge', 32, 'bf16', 4, 256, 256, 270.2, 26.91],
  ['llama2-70b', 'trn1.32xlarge', 32, 'bf16', 4, 1024, 1024, 1478.6, 28.55],
  ['llama2-70b', 'trn1.32xlarge', 32, 'bf16', 4, 1024, 2048, 1478.8, 31.67],
  ['mistral-7b', 'trn1.32xlarge', 32, 'bf16', 8, 8192, 8192, 8614.9, 15.44],
  ['codellama-13b', 'trn1.32xlarge', 32, 'bf16', 8, 4096, 4096, 6625.2, 19.92],
  ['llama3-8b', 'inf2.48xlarge', 24, 'int8', 1, 128, 8064, 29.5, 7.41],
  ['llama3-8b', 'inf2.48xlarge', 24, 'int8', 1, 128, 3968, 25.0, 6.42],
  ['llama3-8b', 'inf2.48xlarge', 24, 'int8', 1, 2048, 2048, 101.8, 6.5],
  ['llama3-70b', 'inf2.48xlarge', 24, 'bf16', 1, 1024, 2048, 312.9, 33.81],
  ['llama3-70b', 'inf2.48xlarge', 24, 'bf16', 1, 1024, 1024, 310.2, 33.14],
  ['llama3-70b', 'inf2.48xlarge', 24, 'bf16', 1, 256, 256, 99.4, 32.48],
  ['llama3-70b', 'inf2.48xlarge', 24, 'bf16', 1, 128, 128, 77.8, 32.2],
  ['llama2-7b', 'inf2.48xlarge', 24, 'bf16', 1, 128, 8064, 29.2, 7.34],
  ['llama2-13b', 'inf2.48xlarge', 24, 'bf16', 1, 128, 3968, 25.9, 9.17],
  ['llama2-13b', 'inf2.48xlarge', 24, 'bf16', 1, 8192, 8192, 994.2, 13.5],
  ['llama2-70b', 'inf2.48xlarge', 24, 'bf16', 1, 128, 128, 76.6, 32.9],
  ['llama2-70b', 'inf2.48xlarge', 24, 'bf16', 1, 128, 1024, 76.3, 33.15],
  ['llama2-70b', 'inf2.48xlarge', 24, 'bf16', 1, 1024, 1024, 277.0, 33.73],
  ['llama2-70b', 'inf2.48xlarge', 24, 'bf16', 1, 2048, 2048, 810.4, 34.9],
  ['mistral-7b', 'inf2.48xlarge', 24, 'bf16', 1, 128, 3968, 27.3, 6.86],
  ['mistral-7b', 'inf2.48xlarge', 24, 'bf16', 1, 8192, 8192, 539.6, 10.33],
  ['codellama-13b', 'inf2.48xlarge', 24, 'bf16', 1, 128, 3968, 27.0, 9.12],
  ['codellama-13b', 'inf2.48xlarge', 24, 'bf16', 1, 8192, 8192, 989.5, 13.44],
  ['llama3-8b', 'inf2.48xlarge', 24, 'int8', 8, 128, 8064, 69.0, 15.22],
  ['llama3-8b', 'inf2.48xlarge', 24, 'int8', 8, 4096, 4096, 1992.6, 15.31],
  ['llama3-8b', 'inf2.48xlarge', 24, 'int8', 8, 2048, 2048, 823.5, 10.5],
  ['llama3-70b', 'inf2.48xlarge', 24, 'bf16', 1, 2048, 2048, 745.5, 34.67],
  ['llama3-70b', 'inf2.48xlarge', 24, 'bf16', 1, 128, 1024, 80.0, 32.47],
  ['llama2-7b', 'inf2.48xlarge', 24, 'bf16', 8, 128, 3968, 77.4, 12.11],
  ['llama2-13b', 'inf2.48xlarge', 24, 'bf16', 8, 128, 3968, 108.8, 14.9],
  ['llama2-13b', 'inf2.48xlarge', 24, 'bf16', 8, 4096, 4096, 7083.7, 20.99],
  ['llama2-70b', 'inf2.48xlarge', 24, 'bf16', 1, 256, 256, 96.4, 33.13],
  ['llama2-70b', 'inf2.48xlarge', 24, 'bf16', 1, 1024, 2048, 276.0, 34.82],
  ['mistral-7b', 'inf2.48xlarge', 24, 'bf16', 8, 128, 3968, 77.6, 11.64],
  ['mistral-7b', 'inf2.48xlarge', 24, 'bf16', 8, 4096, 4096, 4740.1, 16.55],
  ['codellama-13b', 'inf2.48xlarge', 24, 'bf16', 8, 128, 3968, 115.8, 15.87],
  ['codellama-13b', 'inf2.48xlarge', 24, 'bf16', 8, 4096, 4096, 7116.0, 22.27],
];

/** A published latency, and ours. */
export interface ServedRow {
  readonly name: string;
  readonly model: string;
  readonly machine: string;
  readonly measured: { readonly firstTokenSeconds: number; readonly tokenSeconds: number };
  readonly predicted: { readonly firstTokenSeconds: number; readonly tokenSeconds: number };
}

/** Code Llama has the shape of Llama 2. */
const presetOf = (model: string): string => model.replace('codellama', 'llama2');

export const servedRows = (): readonly ServedRow[] =>
  rows.map(([model, machine, tensor, weights, batch, input, output, firstTokenMs, tokenMs]) => {
    const replica: Replica = { model: modelOf(presetOf(model)), machine: machineOf(machine), tensor, weights };
    const seconds = stepTimer(replica);
    const prompt = { tokens: input, sequences: 1, chosen: 1, positions: input, pairs: (input * input) / 2 };
    const positions = batch * (input + output / 2);
    const token = { tokens: batch, sequences: batch, chosen: batch, positions, pairs: positions };
    return {
      name: `${model} on ${machine}, ${batch} × ${input} + ${output}`,
      model,
      machine,
      measured: { firstTokenSeconds: firstTokenMs / 1e3, tokenSeconds: tokenMs / 1e3 },
      predicted: { firstTokenSeconds: batch * seconds(prompt), tokenSeconds: seconds(token) },
    };
  });
