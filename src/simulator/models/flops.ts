// FLOPs of a model by the field's formula, which published utilisations are measured by: 6 for each parameter that multiplies
// and each token, and the two products of attention (Chowdhery et al. 2022, appendix B; of causal attention, half).
import type { TransformerConfig } from '../workload.ts';

/** Parameters of matrices that every token passes through: no tables, norms or biases; of experts, those a token visits. */
export function multiplyingParameters(config: TransformerConfig): number {
  const { hidden, heads, keyValueHeads, headSize, feedForward, layers, experts } = config;
  const attention = hidden * headSize * (2 * heads + 2 * keyValueHeads);
  const feed = (config.gated ? 3 : 2) * hidden * feedForward * (experts?.perToken ?? 1);
  return layers * (attention + feed) + (config.head.kind === 'causal-lm' ? config.vocabulary * hidden : 0);
}

/** Of one sample's forward and backward pass, without anything computed twice. */
export function modelFlopsPerSample(config: TransformerConfig, sequence: number): number {
  const attention = (config.causal ? 6 : 12) * config.layers * config.heads * config.headSize * sequence ** 2;
  return 6 * multiplyingParameters(config) * sequence + attention;
}
