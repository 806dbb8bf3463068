// A language model as this wire serves it: its engine, the tokenizer, and the defaults of its files.
import type { PretrainedTokenizer } from '../../data/tokenizers/pretrained-tokenizer.ts';
import type { GenerationConfig } from '../../models/generation/generate-options.ts';
import type { InvarianceChecks } from '../../serving/engine/invariance-checks.ts';
import type { PagedEngine } from '../../serving/engine/paged-engine.ts';

export interface LanguageModel {
  /** The names that requests may use; answers have the first. */
  readonly names: readonly string[];
  /** In seconds since 1970. */
  readonly created: number;
  readonly engine: PagedEngine;
  /** Repeats a share of the requests. */
  readonly checks?: InvarianceChecks | undefined;
  /** The folder whose adapters requests may load; undefined: none. */
  readonly adapterFolder?: string | undefined;
  readonly tokenizer: PretrainedTokenizer;
  /** From generation_config.json; empty: the defaults of the wire. */
  readonly defaults: Pick<GenerationConfig, 'temperature' | 'top_k' | 'top_p' | 'min_p' | 'repetition_penalty'>;
  /** The ids that end a sequence. */
  readonly endIds: readonly number[];
}
