// The generation loop: each step adds one token to every row. sample-token.ts and beam-search.ts choose tokens, session.ts
// runs the model.
import { TrenioError } from '../../base/errors.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { type Tensor, tensor, userLocation } from '../../tensor/index.ts';
import { Beams, logSoftmax } from './beam-search.ts';
import {
  type GenerateOptions,
  type GenerationConfig,
  type GenerationSettings,
  invalid,
  settingsOf,
} from './generate-options.ts';
import type { GenerativeModel, SourceInputs } from './generative-model.ts';
import { randomFraction, sampleToken } from './sample-token.ts';
import { type Session, sessionsOf, slotsFor, type Wanted } from './session.ts';
import { StepsAhead } from './steps-ahead.ts';
import { StopStrings } from './stop-strings.ts';
import { adjustScores, hasAdjustments, largestOf, SequenceTokens, type TokenPlace } from './token-scores.ts';

/** The prompts of `generate`: token ids [B, T] with padding on either side, and a mask; a tokenizer returns this object. */
export interface GenerateInputs {
  /** Token ids [B, T], integers. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding [B, T]; default: 0 for the padding token, 1 for all others. */
  readonly attentionMask?: Tensor | undefined;
  /** @internal What an encoder–decoder generates from: one row for each prompt. */
  readonly source?: SourceInputs | undefined;
}

/** Prompts without their padding. */
interface Prompts {
  /** The rows of `inputIds`, padding included. */
  readonly given: readonly (readonly number[])[];
  readonly tokens: readonly (readonly number[])[];
  /** The number of tokens of the longest prompt. */
  readonly length: number;
}

interface Job {
  readonly model: GenerativeModel;
  readonly source: SourceInputs | undefined;
  readonly settings: GenerationSettings;
  readonly prompts: Prompts;
  /** The maximum number of new tokens. */
  readonly limit: number;
}

/**
 * Returns the prompts followed by the generated tokens, i64 [B · numReturnSequences, T + …].
 * @throws {INVALID_OPTION}
 * @throws {SHAPE_MISMATCH}
 * @throws {SEQUENCE_TOO_LONG} if a prompt has more tokens than the model has positions
 */
export async function generate(
  model: GenerativeModel,
  inputs: Tensor | GenerateInputs,
  options: GenerateOptions,
  config: GenerationConfig,
): Promise<Tensor> {
  const job = await jobOf(model, inputs, options, config);
  const { settings, prompts } = job;
  const rows = settings.numBeams > 1 ? await searchBeams(job) : await chooseTokens(job);
  const perPrompt = rows.length / prompts.given.length;
  const end = settings.eosTokenIds[0] ?? 0;
  // As in transformers: beam search pads with the end token in place of a padding token of 0.
  const pad = settings.numBeams > 1 ? settings.padTokenId || end : (settings.padTokenId ?? end);
  const longest = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const width = prompts.given[0]!.length + longest;
  const ids = rows.flatMap((row, i) => [
    ...prompts.given[Math.floor(i / perPrompt)]!,
    ...row,
    ...new Array<number>(longest - row.length).fill(pad),
  ]);
  return tensor(BigInt64Array.from(ids, BigInt), { shape: [rows.length, width] });
}

/** Yields the tokens that follow one prompt, each as soon as it is chosen. */
export async function* generateStream(
  model: GenerativeModel,
  inputs: Tensor | GenerateInputs,
  options: GenerateOptions,
  config: GenerationConfig,
): AsyncGenerator<number, void, undefined> {
  const job = await jobOf(model, inputs, options, config);
  const { settings, prompts } = job;
  if (settings.numBeams > 1)
    throw invalid('numBeams', String(settings.numBeams), '1 for generateStream: beam search cannot stream');
  if (prompts.given.length * settings.numReturnSequences !== 1)
    throw invalid('the prompts', String(prompts.given.length * settings.numReturnSequences), 'one sequence to stream');
  for await (const [token] of steps(job)) yield token!;
}

async function jobOf(
  model: GenerativeModel,
  inputs: Tensor | GenerateInputs,
  options: GenerateOptions,
  config: GenerationConfig,
): Promise<Job> {
  const settings = settingsOf(options, config);
  const location = userLocation();
  const { vocabularySize: tokens = 0 } = settings.tokenizer ?? {};
  if (tokens > model.vocabulary)
    throw new TrenioError(
      'TOKENIZER_MISMATCH',
      { tokens, vocabulary: model.vocabulary, model: model.name },
      { location },
    );
  const prompts = await promptsOf(model, inputs, settings);
  const { maxNewTokens, maxLength } = settings;
  if (prompts.length > model.maxPositions)
    throw new TrenioError('SEQUENCE_TOO_LONG', { length: prompts.length, positions: model.maxPositions }, { location });
  const asked = maxNewTokens ?? Math.max(0, maxLength - prompts.length);
  if (asked === 0)
    throw maxNewTokens === 0
      ? invalid('maxNewTokens', '0', '1 or more')
      : invalid('maxLength', String(maxLength), `more than the ${prompts.length} tokens of the prompt`);
  // Generation stops at the model's last position.
  const limit = Math.min(asked, Math.max(1, model.maxPositions - prompts.length));
  return { model, source: 'source' in inputs ? inputs.source : undefined, settings, prompts, limit };
}

/** @throws {SHAPE_MISMATCH} @throws {INVALID_OPTION} @throws {TOKEN_ID_OUT_OF_RANGE} */
async function promptsOf(
  model: GenerativeModel,
  inputs: Tensor | GenerateInputs,
  { padTokenId, eosTokenIds }: GenerationSettings,
): Promise<Prompts> {
  const { inputIds: ids, attentionMask: mask }: GenerateInputs = 'inputIds' in inputs ? inputs : { inputIds: inputs };
  const location = userLocation();
  const mismatch = (right: string, detail: string): TrenioError => {
    const left = `[${ids.shape.join(', ')}]`;
    return new TrenioError('SHAPE_MISMATCH', { op: 'generate', left, right, detail }, { location });
  };
  if (ids.ndim !== 2 || ids.numel() === 0) throw mismatch('[B, T]', 'prompts are token ids of a batch, at least one');
  if (mask !== undefined && (mask.ndim !== 2 || mask.shape.some((d, i) => d !== ids.shape[i])))
    throw mismatch(`[${mask.shape.join(', ')}]`, 'the attention mask has the shape of the token ids');
  const rowsOf = async (of: Tensor): Promise<number[][]> => {
    await of.ready();
    const [numbers, width] = [toNumbers(of.literal()), of.shape[1]!];
    return Array.from({ length: of.shape[0]! }, (_, i) => numbers.slice(i * width, (i + 1) * width));
  };
  const given = await rowsOf(ids);
  const wrong = given.flat().find(id => !Number.isInteger(id) || id < 0 || id >= model.vocabulary);
  if (wrong !== undefined)
    throw new TrenioError('TOKEN_ID_OUT_OF_RANGE', { id: wrong, vocabularySize: model.vocabulary }, { location });
  const masked = mask === undefined ? undefined : await rowsOf(mask);
  const isPad = (id: number): boolean => id === padTokenId && !eosTokenIds.includes(id);
  const tokens = given.map((row, i) =>
    row.filter((id, t) => (masked === undefined ? !isPad(id) : masked[i]![t] !== 0)),
  );
  const empty = tokens.findIndex(row => row.length === 0);
  if (empty >= 0) throw invalid('the prompts', `empty in row ${empty}`, 'at least one token in each row');
  return { given, tokens, length: tokens.reduce((most, row) => Math.max(most, row.length), 0) };
}

/** `copies` rows for each prompt. */
const rowsFor = ({ tokens }: Prompts, copies: number): readonly (readonly number[])[] =>
  tokens.flatMap(prompt => new Array<readonly number[]>(copies).fill(prompt));

/** Runs `body` with a session for this number of rows, and returns the session to the pool afterwards. */
async function* withSession<T>(
  job: Job,
  rows: number,
  body: (session: Session) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const pool = sessionsOf(job.model);
  const session = pool.take(rows, slotsFor(job.prompts.length, job.limit), job.source?.length);
  let hasFailed = false;
  try {
    if (job.source !== undefined) session.encode(job.source.inputs);
    yield* body(session);
  } catch (error) {
    // The cache may be incomplete: the session is not reused.
    hasFailed = true;
    throw error;
  } finally {
    if (!hasFailed) pool.release(session);
  }
}

/** Yields the next token of each row; rows that have ended get the padding token. */
async function* steps(job: Job): AsyncGenerator<readonly number[], void, undefined> {
  const { settings, prompts } = job;
  const copies = settings.numReturnSequences;
  yield* withSession(job, prompts.tokens.length * copies, async function* (session) {
    const rows = rowsFor(prompts, copies);
    const sequences = rows.map(prompt => new SequenceTokens(prompt));
    const stops = new StopStrings(settings.stopStrings, settings.tokenizer);
    const end = settings.eosTokenIds[0] ?? 0;
    // As in transformers: beam search pads with the end token in place of a padding token of 0.
    const pad = settings.numBeams > 1 ? settings.padTokenId || end : (settings.padTokenId ?? end);
    const hasEnded = sequences.map(() => false);
    const wanted = !settings.doSample && !hasAdjustments(settings) ? 'best' : 'logits';
    let next = session.prefill(rows, wanted);
    const ahead = wanted === 'best' && session.acceptsPending ? new StepsAhead(session, next, job.limit) : undefined;
    for (let step = 0; ; step++) {
      settings.signal?.throwIfAborted();
      const place = { length: session.filled, isLast: step + 1 === job.limit };
      const chosen =
        ahead === undefined ? await choose(next, wanted, sequences, place, step, settings) : await ahead.next();
      const tokens = chosen.map((token, row) => (hasEnded[row] ? pad : token));
      tokens.forEach((token, row) => {
        if (hasEnded[row]) return;
        sequences[row]!.push(token);
        hasEnded[row] = settings.eosTokenIds.includes(token) || stops.isEnd(sequences[row]!.generated);
      });
      const isLast = step + 1 >= job.limit || hasEnded.every(Boolean);
      // The next step runs while the caller uses this token.
      if (!isLast && ahead === undefined) next = session.next(Int32Array.from(tokens));
      yield tokens;
      if (isLast) return;
    }
  });
}

async function chooseTokens(job: Job): Promise<readonly (readonly number[])[]> {
  const rows = job.prompts.tokens.flatMap(() =>
    Array.from({ length: job.settings.numReturnSequences }, (): number[] => []),
  );
  for await (const tokens of steps(job))
    tokens.forEach((token, row) => {
      rows[row]!.push(token);
    });
  return rows;
}

/** The logits of each row, as arrays that the caller may modify. */
async function logitsOf(logits: Tensor): Promise<readonly Float32Array[]> {
  await logits.ready();
  const [rows, vocabulary] = logits.shape as [number, number];
  const all = logits.data as Float32Array;
  return Array.from({ length: rows }, (_, row) => all.subarray(row * vocabulary, (row + 1) * vocabulary));
}

async function choose(
  next: Tensor,
  wanted: Wanted,
  sequences: readonly SequenceTokens[],
  place: TokenPlace,
  step: number,
  settings: GenerationSettings,
): Promise<readonly number[]> {
  if (wanted === 'best') return toNumbers((await next.ready()).literal());
  const rows = await logitsOf(next);
  return rows.map((scores, row) => {
    adjustScores(scores, sequences[row]!, place, settings);
    if (!settings.doSample) return largestOf(scores);
    return sampleToken(scores, settings, randomFraction(settings.seed, row, step));
  });
}

/** Returns the best sequences of each prompt, without the prompt. */
async function searchBeams(job: Job): Promise<readonly (readonly number[])[]> {
  const { settings, prompts, limit } = job;
  const { numBeams, numReturnSequences, earlyStopping, signal } = settings;
  const stops = new StopStrings(settings.stopStrings, settings.tokenizer);
  const items = prompts.tokens.map(() => new Beams(settings, limit, generated => stops.isEnd(generated)));
  const search = withSession(job, items.length * numBeams, async function* (session) {
    let next = session.prefill(rowsFor(prompts, numBeams), 'logits');
    for (;;) {
      signal?.throwIfAborted();
      const rows = (await logitsOf(next)).map(logSoftmax);
      const stepped = items.map((beams, item) => {
        const own = rows.slice(item * numBeams, (item + 1) * numBeams);
        own.forEach((scores, beam) => {
          if (!hasAdjustments(settings)) return;
          const tokens = new SequenceTokens(prompts.tokens[item]!, beams.running[beam]!.tokens);
          const isLast = tokens.generatedCount + 1 === limit;
          adjustScores(scores, tokens, { length: session.filled, isLast }, settings);
        });
        return beams.step(own);
      });
      const isOpen = !(earlyStopping === true && items.every(beams => beams.areAllFinished));
      const canImprove = items.some(beams => beams.canImprove);
      if (!isOpen || !canImprove || stepped.every(({ isExhausted }) => isExhausted)) return;
      session.reorder(
        Int32Array.from(stepped.flatMap(({ parents }, item) => parents.map(parent => item * numBeams + parent))),
      );
      next = session.next(Int32Array.from(stepped.flatMap(({ tokens }) => tokens)));
      yield;
    }
  });
  for await (const _ of search);
  return items.flatMap(beams => beams.best.slice(0, numReturnSequences).map(({ tokens }) => tokens));
}
