// Generates the sequences of all requests to one model: plans a step, runs it, and passes the chosen tokens on, until no request
// is left. A request has the same tokens whatever else runs, because all that they depend on is in its own parts of steps.
//
//   submit ─▶ scheduler.plan ─▶ parts with choices ─▶ model.run ─▶ drafts compared ─▶ text, ends ─▶ events ─▶ reader
//                  ▲                                                                     │
//                  └─────────────────────── scheduler.advance, finish ◄──────────────────┘
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { Adapters } from './adapters.ts';
import { EngineMetrics, type FinishReason } from './engine-metrics.ts';
import { Generation, type GenerationRequest } from './generation.ts';
import { type Accepted, Member, type Stop } from './member.ts';
import { type Plan, type PlannedPart, Scheduler } from './scheduler.ts';
import { StepCost } from './step-cost.ts';
import type { Chosen, StepModel, StepPart } from './step-model.ts';

/** One step, for traces. Times are those of `performance.now()`. */
export interface StepRecord {
  readonly startMs: number;
  readonly endMs: number;
  /** The time before and after the model's run in which this thread was busy. */
  readonly hostMs: number;
  readonly sequences: number;
  readonly promptTokens: number;
  readonly tokens: number;
  readonly drafts: number;
  readonly accepted: number;
  readonly waiting: number;
  readonly preempted: number;
  readonly usedBlocks: number;
}

export interface PagedEngineOptions {
  /** The name of the model in errors. */
  readonly name?: string | undefined;
  /** More waiting sequences, or tokens of them, are refused. */
  readonly mostWaiting?: number | undefined;
  readonly mostWaitingTokens?: number | undefined;
  /** Whether beginnings are found among other requests. Default: true. */
  readonly prefixCache?: boolean | undefined;
  /** Whether drafts are looked up in the sequence. Default: true. */
  readonly speculation?: boolean | undefined;
  /** Tokens of prompts in a step with streams. Default: as many as double the time of the step, and at least 16. */
  readonly promptTokensBesideStreams?: number | undefined;
  readonly agingMs?: number | undefined;
  readonly onStep?: ((record: StepRecord) => void) | undefined;
  readonly log?: ((line: string) => void) | undefined;
  /** Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

const LEAST_PROMPT_TOKENS = 16;

interface Running {
  readonly request: GenerationRequest;
  readonly generation: Generation;
  readonly members: Set<Member>;
  readonly deadlineMs: number;
  /** Set when it is aborted; the loop then ends it. */
  stop?: TrenioError;
  generatedTokens: number;
  /** Tokens of its longest sequence. */
  longestTokens: number;
}

export class PagedEngine {
  readonly metrics: EngineMetrics;
  readonly adapters: Adapters;
  readonly vocabulary: number;
  /** The maximum number of tokens of a sequence. */
  readonly positions: number;
  readonly #model: StepModel;
  readonly #options: PagedEngineOptions;
  readonly #scheduler: Scheduler;
  readonly #now: () => number;
  readonly #requests = new Map<string, Running>();
  readonly #members = new Map<PlannedPart['sequence'], Member>();
  readonly #cost = new StepCost();
  #isLooping = false;
  #isDraining = false;
  #idle = Promise.withResolvers<void>();
  #unsharedRequests = 0;
  /** Tokens per second, lately: for the time after which a refused client may try again. */
  #rate = 0;

  constructor(model: StepModel, options: PagedEngineOptions = {}) {
    this.#model = model;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.vocabulary = model.vocabulary;
    this.positions = Math.min(model.positions, model.blocks * model.blockSize);
    this.metrics = new EngineMetrics(this.positions);
    this.adapters = new Adapters(model.adapters);
    const { blocks, blockSize, mostSequences, mostTokens } = model;
    const { agingMs, speculation = true } = options;
    const propose = speculation ? this.#propose : undefined;
    this.#scheduler = new Scheduler({ blocks, blockSize, mostSequences, mostTokens, agingMs, propose });
    this.#idle.resolve();
  }

  get runningSequences(): number {
    return this.#scheduler.running.size;
  }
  get waitingSequences(): number {
    return this.#scheduler.waiting.size;
  }
  get isDraining(): boolean {
    return this.#isDraining;
  }
  /** Blocks of running sequences. */
  get usedBlocks(): number {
    return this.#model.blocks - this.#scheduler.blocks.pool.free;
  }
  get blocks(): number {
    return this.#model.blocks;
  }
  get blockSize(): number {
    return this.#model.blockSize;
  }

  /**
   * Starts a request. Its events must be read, or its generation aborted.
   * @throws {CONTEXT_TOO_LONG}
   * @throws {INVALID_OPTION} for a prompt that is empty or has other ids
   * @throws {ENDPOINT_OVERLOADED}
   * @throws {ENDPOINT_NOT_READY} while draining
   */
  submit(request: GenerationRequest): Generation {
    const { id, prompt, sampling } = request;
    this.#admit(request);
    const now = this.#now();
    const generation = new Generation(id, prompt.length, now, error => {
      running.stop ??= error;
      generation.close(error);
    });
    const salt = this.#options.prefixCache === false ? `unshared ${this.#unsharedRequests++}` : (request.salt ?? '');
    const members = Array.from(
      { length: sampling.n },
      (_, choice) => new Member({ ...request, salt }, choice, now, this.vocabulary),
    );
    const running: Running = {
      request,
      generation,
      members: new Set(members),
      deadlineMs: now + (request.deadlineMs ?? Number.POSITIVE_INFINITY),
      generatedTokens: 0,
      longestTokens: 0,
    };
    this.#requests.set(id, running);
    if (request.adapter !== undefined) this.adapters.hold(request.adapter);
    for (const member of members) {
      this.#members.set(member.sequence, member);
      this.#scheduler.add(member.sequence);
    }
    this.metrics.requestN.observe(sampling.n);
    this.metrics.requestMaxTokens.observe(sampling.maxTokens);
    if (!this.#isLooping) {
      this.#isLooping = true;
      this.#idle = Promise.withResolvers();
      void this.#loop();
    }
    return generation;
  }

  /** Aborts a request. False if there is none with this id. */
  cancel(id: string, reason = 'by its client'): boolean {
    const running = this.#requests.get(id);
    if (running === undefined || running.generation.isOver) return false;
    running.generation.abort(reason);
    return true;
  }

  /** Resolves when no request is left. */
  whenIdle(): Promise<void> {
    return this.#idle.promise;
  }

  /** Accepts no more requests; resolves when none is left, those that take longer than `graceMs` are aborted. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    const timer = setTimeout(() => {
      for (const { generation } of this.#requests.values()) generation.abort('the server is stopping');
    }, graceMs);
    await this.whenIdle();
    clearTimeout(timer);
  }

  #admit({ id, prompt, sampling }: GenerationRequest): void {
    const { name = 'model', mostWaiting = 512, mostWaitingTokens = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#isDraining) throw new TrenioError('ENDPOINT_NOT_READY', { name, state: 'stopping' });
    const wrong =
      prompt.length === 0
        ? 'empty'
        : prompt.find(token => !(token >= 0 && token < this.vocabulary && Number.isInteger(token)));
    if (wrong !== undefined)
      throw new TrenioError('INVALID_OPTION', {
        what: 'generation',
        option: 'prompt',
        got: String(wrong),
        expected: `at least one id from 0 to ${this.vocabulary - 1}`,
      });
    if (this.#requests.has(id))
      throw new TrenioError('INVALID_OPTION', {
        what: 'generation',
        option: 'id',
        got: id,
        expected: 'an id that no other request has',
      });
    if (prompt.length + sampling.maxTokens > this.positions)
      throw new TrenioError('CONTEXT_TOO_LONG', {
        prompt: prompt.length,
        newTokens: sampling.maxTokens,
        most: this.positions,
      });
    const waiting = this.#scheduler.waiting.size;
    const tokens = this.#scheduler.waitingTokens;
    const isEmpty = waiting === 0;
    if (isEmpty || (waiting + sampling.n <= mostWaiting && tokens + sampling.n * prompt.length <= mostWaitingTokens))
      return;
    const expectedMs = this.#rate === 0 ? 1000 : Math.round((tokens / this.#rate) * 1000);
    throw new TrenioError('ENDPOINT_OVERLOADED', {
      name,
      waiting,
      unit: 'sequences',
      expectedMs,
      limit: `${mostWaiting} sequences of ${mostWaitingTokens} tokens`,
      retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(expectedMs / 1000))),
    });
  }

  async #loop(): Promise<void> {
    try {
      // Requests that arrive together are in one step.
      await nextTurn();
      while (this.#requests.size > 0) {
        this.#endStopped();
        const startMs = this.#now();
        const plan = this.#scheduler.plan(startMs);
        if (plan.parts.length > 0) await this.#step(plan, startMs);
        // Sockets are read and written between steps.
        await nextTurn();
      }
    } catch (error) {
      // A bug of the engine, or of a reader's callback: all that runs is lost, and new requests start afresh.
      this.#options.log?.(`engine: ${error instanceof Error ? error.stack : String(error)}`);
      for (const running of this.#requests.values()) this.#fail(running, error);
    } finally {
      this.#isLooping = false;
      this.#idle.resolve();
    }
  }

  /** Ends the requests that were aborted since the last step, or whose time is over. */
  #endStopped(): void {
    const now = this.#now();
    for (const running of this.#requests.values()) {
      if (now >= running.deadlineMs) running.generation.abort('its time is over');
      if (running.stop !== undefined) this.#end(running, 'abort', running.stop);
    }
  }

  async #step(plan: Plan, startMs: number): Promise<void> {
    const { metrics } = this;
    for (const sequence of plan.admitted) this.#noteAdmission(this.#members.get(sequence)!);
    metrics.preemptions += plan.preempted.length;
    const parts = plan.parts.map(part => this.#members.get(part.sequence)!.stepPart(part));
    const tokens = parts.reduce((sum, { ids }) => sum + ids.length, 0);
    const runMs = this.#now();
    const results = await this.#results(parts);
    const doneMs = this.#now();
    let [promptTokens, drafts, accepted] = [0, 0, 0];
    for (const [i, part] of plan.parts.entries()) {
      const result = results[i]!;
      const member = this.#members.get(part.sequence)!;
      const running = this.#requests.get(member.request.id)!;
      if (part.count > 1 || !part.isLast) promptTokens += part.count;
      if (isFailure(result)) {
        metrics.failedSteps++;
        this.#options.log?.(`engine: request ${member.request.id}: ${String(result.failure)}`);
        this.#fail(running, result.failure);
      } else if (part.sequence.state === 'running') {
        const own = member.withoutPrompt(part, result, running.generation.promptLogprobs);
        const right = this.#apply(running, member, part, own, doneMs);
        drafts += part.drafts.length;
        accepted += right;
      }
    }
    metrics.stepTokens.observe(tokens);
    const endMs = this.#now();
    this.#cost.observe(this.#padded(tokens), doneMs - runMs);
    this.#rate = tokens / Math.max(0.001, (endMs - startMs) / 1000);
    const { promptTokensBesideStreams: fixed } = this.#options;
    const streams = plan.parts.length;
    const room = Math.max(LEAST_PROMPT_TOKENS, Math.floor(this.#cost.overhead + streams));
    // Padding is filled.
    this.#scheduler.promptRoom = fixed ?? this.#padded(streams + room) - streams;
    this.#options.onStep?.({
      startMs,
      endMs,
      hostMs: runMs - startMs + (endMs - doneMs),
      sequences: plan.parts.length,
      promptTokens,
      tokens,
      drafts,
      accepted,
      waiting: this.#scheduler.waiting.size,
      preempted: plan.preempted.length,
      usedBlocks: this.usedBlocks,
    });
  }

  /** The results of each part. If a step fails, its halves are run again, so that only the parts that fail alone have failed. */
  async #results(parts: readonly StepPart[]): Promise<readonly (readonly Chosen[] | Failure)[]> {
    try {
      const results = await this.#model.run(parts);
      return parts.map(({ choices }, i) => {
        const chosen = results[i];
        const isRight = chosen?.length === choices.length && chosen.every(({ id }) => id >= 0 && id < this.vocabulary);
        return isRight ? chosen : { failure: new Error('its logits are not numbers') };
      });
    } catch (failure) {
      if (parts.length === 1) return [{ failure }];
      const half = parts.length >> 1;
      return [...(await this.#results(parts.slice(0, half))), ...(await this.#results(parts.slice(half)))];
    }
  }

  /** Passes the chosen tokens on. Returns the number of drafts that were right. */
  #apply(running: Running, member: Member, part: PlannedPart, chosen: readonly Chosen[], nowMs: number): number {
    const { sequence, drafts } = part;
    if (!part.isLast) {
      this.#scheduler.advance(part, []);
      return 0;
    }
    const { metrics } = this;
    let right = 0;
    while (right < drafts.length && chosen[right]!.id === drafts[right]) right++;
    if (drafts.length > 0) {
      member.draftLength.record(drafts.length, right);
      metrics.drafts++;
      metrics.draftTokens += drafts.length;
      metrics.acceptedTokens += right;
      for (let i = 0; i < right; i++) metrics.acceptedByPosition[i] = (metrics.acceptedByPosition[i] ?? 0) + 1;
    }
    let accepted: Accepted;
    try {
      accepted = member.accept(chosen.slice(0, right + 1));
    } catch (error) {
      // Its tokens have no text.
      this.#fail(running, error);
      return 0;
    }
    const { tokens, text, stop } = accepted;
    this.#scheduler.advance(
      part,
      tokens.map(({ id }) => id),
    );
    this.#noteTokens(running, member, tokens.length, nowMs);
    const { choice } = member;
    const event = { choice, tokens, text, finish: stop?.finish, stopReason: stop?.reason };
    running.request.onEvent?.(event);
    running.generation.push(event);
    if (stop !== undefined) {
      this.#scheduler.finish(sequence);
      this.#members.delete(sequence);
      running.members.delete(member);
      if (running.members.size === 0) this.#complete(running, stop, nowMs);
    }
    return right;
  }

  #noteAdmission(member: Member): void {
    const { sequence, choice } = member;
    const { metrics } = this;
    if (sequence.preemptions > 0) {
      metrics.recomputedTokens += sequence.missing;
      return;
    }
    metrics.lookedUpTokens += sequence.promptLength;
    metrics.cachedTokens += sequence.cachedTokens;
    if (choice > 0) return;
    const { generation } = this.#requests.get(member.request.id)!;
    generation.cachedTokens = sequence.cachedTokens;
    generation.times.admittedMs = sequence.admittedMs!;
    metrics.queueTime.observe((sequence.admittedMs! - generation.times.arrivalMs) / 1000);
  }

  #noteTokens(running: Running, member: Member, tokens: number, nowMs: number): void {
    const { metrics } = this;
    const { times, promptTokens } = running.generation;
    metrics.generatedTokens += tokens;
    running.generatedTokens += tokens;
    running.longestTokens = Math.max(running.longestTokens, member.generated);
    if (times.firstTokenMs === undefined) {
      times.firstTokenMs = nowMs;
      metrics.promptTokens += promptTokens;
      metrics.timeToFirstToken.observe((nowMs - times.arrivalMs) / 1000);
    }
    if (member.lastTokenMs !== undefined) metrics.interTokenLatency.observe((nowMs - member.lastTokenMs) / 1000);
    member.lastTokenMs = nowMs;
    times.lastTokenMs = nowMs;
  }

  #complete(running: Running, { finish }: Stop, nowMs: number): void {
    const { metrics } = this;
    const { arrivalMs, admittedMs = arrivalMs, firstTokenMs = nowMs } = running.generation.times;
    const { generatedTokens, longestTokens, request } = running;
    metrics.requestLatency.observe((nowMs - arrivalMs) / 1000);
    metrics.prefillTime.observe((firstTokenMs - admittedMs) / 1000);
    metrics.decodeTime.observe((nowMs - firstTokenMs) / 1000);
    metrics.inferenceTime.observe((nowMs - admittedMs) / 1000);
    metrics.requestPromptTokens.observe(request.prompt.length);
    metrics.requestGeneratedTokens.observe(generatedTokens);
    metrics.requestLongestTokens.observe(longestTokens);
    if (longestTokens > 1) metrics.timePerOutputToken.observe((nowMs - firstTokenMs) / 1000 / (longestTokens - 1));
    this.#end(running, finish);
  }

  #fail(running: Running, error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    this.#end(
      running,
      'error',
      isTrenioError(error) ? error : new TrenioError('GENERATION_FAILED', { problem }, { cause: error }),
    );
  }

  #end(running: Running, reason: FinishReason, error?: TrenioError): void {
    if (!this.#requests.delete(running.request.id)) return;
    for (const { sequence } of running.members) {
      this.#scheduler.finish(sequence);
      this.#members.delete(sequence);
    }
    if (running.request.adapter !== undefined) this.adapters.release(running.request.adapter);
    this.metrics.finished[reason]++;
    running.generation.close(error);
  }

  readonly #propose = (sequence: PlannedPart['sequence'], most: number): readonly number[] =>
    this.#members
      .get(sequence)!
      .drafts(most, this.#scheduler.running.size, tokens => this.#cost.overhead + this.#padded(tokens));

  #padded(tokens: number): number {
    const { mostTokens } = this.#model;
    return this.#model.padded(Math.min(tokens, mostTokens));
  }
}

interface Failure {
  readonly failure: unknown;
}
const isFailure = (result: readonly Chosen[] | Failure): result is Failure => 'failure' in result;
