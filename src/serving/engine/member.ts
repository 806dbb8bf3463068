// One of the sequences of a request: how its tokens are chosen, its text, its drafts, and what ends it.
import { ChoiceMaker, maskOf } from './choice-maker.ts';
import { DraftLength, MOST_DRAFTS, PromptLookup } from './drafts.ts';
import type { FinishReason } from './engine-metrics.ts';
import type { GenerationRequest } from './generation.ts';
import type { PlannedPart } from './scheduler.ts';
import { Sequence } from './sequence.ts';
import type { Choice, Chosen, StepPart } from './step-model.ts';
import { TextStream } from './text-stream.ts';

export interface Stop {
  readonly finish: FinishReason;
  readonly reason?: string | number | undefined;
}

/** The tokens of a step that a sequence takes, and their text. */
export interface Accepted {
  readonly tokens: readonly Chosen[];
  readonly text: string;
  readonly stop?: Stop | undefined;
}

const plainChoice: Choice = { temperature: 0, topK: 0, topP: 1, minP: 0, typicalP: 1, seed: 0n, choice: 0 };

export class Member {
  readonly request: GenerationRequest;
  readonly choice: number;
  readonly sequence: Sequence;
  readonly draftLength = new DraftLength();
  lastTokenMs: number | undefined;
  readonly #maker: ChoiceMaker;
  readonly #text: TextStream | undefined;
  readonly #lookup: PromptLookup;
  /** The number of most probable tokens to report for those of the prompt. */
  readonly #reports: number | undefined;
  #reported = 0;
  /** Tokens of the sequence so far. */
  generated = 0;

  constructor(request: GenerationRequest, choice: number, arrivalMs: number, vocabulary: number) {
    const { prompt, sampling, priority, tenant, salt, adapter, decode } = request;
    const { maxTokens: maxNewTokens, allowedIds, stop, includeStop } = sampling;
    this.request = request;
    this.choice = choice;
    // The first sequence reports the prompt of all.
    this.#reports = choice === 0 ? sampling.promptLogprobs : undefined;
    const isWhole = this.#reports !== undefined;
    this.sequence = new Sequence(
      { prompt, maxNewTokens, priority, tenant, salt, adapter: adapter?.key, isWhole },
      arrivalMs,
    );
    const mask = allowedIds === undefined ? undefined : maskOf(allowedIds, vocabulary);
    this.#maker = new ChoiceMaker(prompt, sampling, choice, mask);
    this.#text = decode === undefined ? undefined : new TextStream({ decode, before: prompt, stop, includeStop });
    this.#lookup = new PromptLookup(this.sequence.tokens);
  }

  /** The most drafts that pay. */
  drafts(most: number, rows: number, timeOf: (tokens: number) => number): readonly number[] {
    const drafts = this.#lookup.propose(Math.min(most, MOST_DRAFTS));
    return drafts.length === 0 ? drafts : drafts.slice(0, this.draftLength.next(rows, timeOf));
  }

  stepPart(part: PlannedPart): StepPart {
    const { sequence, from, count, drafts, isLast } = part;
    return {
      ids: [...sequence.tokens.slice(from, from + count), ...drafts],
      from,
      blocks: sequence.blocks,
      adapter: this.request.adapter?.slot,
      choices: [...this.#promptChoices(part), ...(isLast ? this.#maker.choices(drafts) : [])],
    };
  }

  /** The choices of the tokens of the prompt after those of a part, which are given. */
  #promptChoices({ sequence: { tokens, promptLength }, from, count }: PlannedPart): readonly Choice[] {
    const top = this.#reports;
    if (top === undefined) return [];
    // A sequence that was preempted has reported some.
    const next = tokens.slice(Math.max(from, this.#reported) + 1, Math.min(from + count + 1, promptLength));
    return next.map(given => ({ ...plainChoice, given, top }));
  }

  /** The tokens of a part's result that are not of the prompt; those are reported. */
  withoutPrompt(part: PlannedPart, chosen: readonly Chosen[], report: Chosen[]): readonly Chosen[] {
    const { length } = this.#promptChoices(part);
    report.push(...chosen.slice(0, length));
    this.#reported += length;
    return chosen.slice(length);
  }

  /** Takes tokens up to the one that ends the sequence. */
  accept(chosen: readonly Chosen[]): Accepted {
    const { endIds, stopIds, includeStop, minTokens, maxTokens } = this.request.sampling;
    if (maxTokens === 0) return { tokens: [], text: '', stop: { finish: 'length' } };
    let text = '';
    for (const [i, { id }] of chosen.entries()) {
      this.generated++;
      this.#maker.push(id);
      const isStopId = stopIds.includes(id);
      const isEnd = isStopId || endIds.includes(id);
      if (!isEnd || includeStop) text += this.#text?.push(id, this.generated > minTokens) ?? '';
      const stopped = this.#text?.stopped;
      let stop: Stop | undefined;
      if (stopped !== undefined) stop = { finish: 'stop', reason: stopped };
      else if (isEnd) stop = { finish: 'stop', reason: isStopId ? id : undefined };
      else if (this.generated >= maxTokens) stop = { finish: 'length' };
      if (stop === undefined) continue;
      return { tokens: chosen.slice(0, i + 1), text: text + (this.#text?.end() ?? ''), stop };
    }
    return { tokens: chosen, text };
  }
}
