// How the next token of one sequence is chosen: its parameters, and the edits of the logits that follow from its tokens so far.
// A token changes few edits, so they are kept from step to step in arrays that grow.
//
//   ids      17   4  903 …      add     = bias − presence − frequency × count, or −∞ while forbidden
//   factors   1 1.1  1.1        factor  = the repetition penalty of tokens in the prompt or generated
//   adds     −∞   0 −0.5
import type { SamplingParameters } from './sampling-parameters.ts';
import type { Choice, LogitEdits } from './step-model.ts';

export class ChoiceMaker {
  readonly #parameters: SamplingParameters;
  readonly #base: Omit<Choice, 'edits'>;
  readonly #hasPenalties: boolean;
  /** How often each token was generated, and whether it is in the prompt. */
  readonly #counts = new Map<number, number>();
  readonly #ofPrompt: ReadonlySet<number>;
  readonly #endIds: ReadonlySet<number>;
  readonly #alwaysBad: ReadonlySet<number>;
  readonly #badLists: readonly (readonly number[])[];
  /** The last ids of the lists whose other ids were just generated. */
  #bad: ReadonlySet<number> = new Set();
  readonly #generated: number[] = [];
  readonly #places = new Map<number, number>();
  #ids = new Int32Array(8);
  #factors = new Float32Array(8);
  #adds = new Float32Array(8);

  /** @param choice the index of the sequence among those of its request */
  constructor(prompt: readonly number[], parameters: SamplingParameters, choice: number, mask?: Uint32Array) {
    const { temperature, topK, topP, minP, typicalP, seed, logprobs: top } = parameters;
    const { presencePenalty, frequencyPenalty, repetitionPenalty, badWords, endIds, stopIds, minTokens } = parameters;
    this.#parameters = parameters;
    this.#base = { temperature, topK, topP, minP, typicalP, seed, choice, mask, top };
    this.#hasPenalties = presencePenalty !== 0 || frequencyPenalty !== 0 || repetitionPenalty !== 1;
    this.#ofPrompt = new Set(repetitionPenalty === 1 ? [] : prompt);
    this.#endIds = new Set([...endIds, ...stopIds]);
    this.#alwaysBad = new Set(badWords.flatMap(ids => (ids.length === 1 ? ids : [])));
    this.#badLists = badWords.filter(({ length }) => length > 1);
    for (const id of new Set([...this.#ofPrompt, ...parameters.logitBias.keys(), ...this.#alwaysBad])) this.#update(id);
    if (minTokens > 0) for (const id of this.#endIds) this.#update(id);
  }

  /** The next token was chosen. */
  push(id: number): void {
    this.#generated.push(id);
    this.#count(id, 1);
  }

  /**
   * The choices of the next tokens, if the first ones of them are `drafts`. Its edits may be read until the next call of any
   * function.
   */
  choices(drafts: readonly number[]): readonly Choice[] {
    if (drafts.length === 0) return [this.#choice(false)];
    const choices = drafts.map(id => {
      const choice = this.#choice(true);
      this.push(id);
      return choice;
    });
    choices.push(this.#choice(true));
    for (const _ of drafts) this.#count(this.#generated.pop()!, -1);
    return choices;
  }

  #choice(isCopied: boolean): Choice {
    const length = this.#places.size;
    if (length === 0) return this.#base;
    const part = <A extends Int32Array | Float32Array>(array: A): A =>
      (isCopied ? array.slice(0, length) : array.subarray(0, length)) as A;
    const edits: LogitEdits = { ids: part(this.#ids), factors: part(this.#factors), adds: part(this.#adds) };
    return { ...this.#base, edits };
  }

  /** After the generated tokens have changed by one. */
  #count(id: number, change: 1 | -1): void {
    if (this.#hasPenalties) {
      this.#counts.set(id, (this.#counts.get(id) ?? 0) + change);
      this.#update(id);
    }
    const { minTokens } = this.#parameters;
    const before = this.#generated.length - change;
    if (this.#generated.length < minTokens !== before < minTokens) for (const end of this.#endIds) this.#update(end);
    if (this.#badLists.length === 0) return;
    const old = this.#bad;
    const tail = this.#generated;
    const follows = (list: readonly number[]): boolean =>
      list.slice(0, -1).every((word, i) => word === tail[tail.length - list.length + 1 + i]);
    this.#bad = new Set(this.#badLists.filter(follows).map(list => list.at(-1)!));
    for (const changed of new Set([...old, ...this.#bad])) this.#update(changed);
  }

  #update(id: number): void {
    let place = this.#places.get(id);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(id, place);
      if (place === this.#ids.length) this.#grow();
      this.#ids[place] = id;
    }
    const { presencePenalty, frequencyPenalty, repetitionPenalty, logitBias, minTokens } = this.#parameters;
    const count = this.#counts.get(id) ?? 0;
    const isForbidden =
      this.#alwaysBad.has(id) || this.#bad.has(id) || (this.#generated.length < minTokens && this.#endIds.has(id));
    const penalty = count > 0 ? presencePenalty + frequencyPenalty * count : 0;
    this.#factors[place] = count > 0 || this.#ofPrompt.has(id) ? repetitionPenalty : 1;
    this.#adds[place] = isForbidden ? Number.NEGATIVE_INFINITY : (logitBias.get(id) ?? 0) - penalty;
  }

  #grow(): void {
    const [ids, factors, adds] = [this.#ids, this.#factors, this.#adds];
    this.#ids = new Int32Array(2 * ids.length);
    this.#factors = new Float32Array(2 * ids.length);
    this.#adds = new Float32Array(2 * ids.length);
    this.#ids.set(ids);
    this.#factors.set(factors);
    this.#adds.set(adds);
  }
}

/** One bit for each of `ids`. */
export function maskOf(ids: readonly number[], vocabulary: number): Uint32Array {
  const mask = new Uint32Array(Math.ceil(vocabulary / 32));
  for (const id of ids) mask[id >> 5]! |= 1 << (id & 31);
  return mask;
}
