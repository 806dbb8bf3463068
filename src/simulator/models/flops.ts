// FLOPs of a model by the usual formula, on which published utilizations are based: 6 per parameter of a multiply
// and per token, plus the two products of attention (Chowdhery et al. 2022, appendix B; for causal attention, half).
import type { TransformerConfig } from '../workload.ts';

/**
 * Parameters of matrices that every token passes through, without tables, norms and biases; for experts, those used per token.
 */
function multiplyingParameters(config: TransformerConfig): number {
  const { hidden, heads, keyValueHeads, headSize, feedForward, layers, experts } = config;
  const attention = hidden * headSize * (2 * heads + 2 * keyValueHeads);
  const feed = (config.gated ? 3 : 2) * hidden * feedForward * (experts?.perToken ?? 1);
  return layers * (attention + feed) + (config.head.kind === 'causal-lm' ? config.vocabulary * hidden : 0);
}

/**
 * For one sample's forward and backward pass, without recomputation.
 * @example
 * simulator.modelFlopsPerSample(simulator.modelOf('gpt2'), 1024) / 1e9 // 816.9628…
 */
export function modelFlopsPerSample(config: TransformerConfig, sequence: number): number {
  const attention = (config.causal ? 6 : 12) * config.layers * config.heads * config.headSize * sequence ** 2;
  return 6 * multiplyingParameters(config) * sequence + attention;
}
