// `trenio generate`: tokenizes a prompt, generates, and prints the decoded text.
import { text as readAll } from 'node:stream/consumers';
import { TrenioError } from '../../base/errors.ts';
import { AutoTokenizer } from '../../data/tokenizers/auto-tokenizer.ts';
import type { PretrainedTokenizer } from '../../data/tokenizers/pretrained-tokenizer.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, type CausalLM } from '../../models/auto/index.ts';
import type { GenerateOptions } from '../../models/generation/generate-options.ts';
import { seq2SeqArchitectures } from '../../models/seq2seq/architectures.ts';
import { Seq2SeqForConditionalGeneration } from '../../models/seq2seq/seq2seq.ts';
import { device, type Tensor, tensor } from '../../tensor/index.ts';
import type { CliContext } from '../command/command.ts';
import { dtypes, type GenerateInput } from './generate-options.ts';

/** The value of a numeric option that may have a fraction. */
function numberOf(option: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && number >= least && number <= most) return number;
  const expected = most === Number.MAX_VALUE ? `a number, ${least} or more` : `a number from ${least} to ${most}`;
  throw new TrenioError('BAD_ARGUMENT', { command: 'generate', argument: `--${option}`, got: text, expected });
}

function optionsOf({ options }: GenerateInput, tokenizer: PretrainedTokenizer, signal: AbortSignal): GenerateOptions {
  const temperature = numberOf('temperature', options.temperature, 0, Number.MAX_VALUE);
  const topP = numberOf('top-p', options['top-p'], 0, 1);
  const minP = numberOf('min-p', options['min-p'], 0, 1);
  const repetitionPenalty = numberOf('repetition-penalty', options['repetition-penalty'], 1e-6, Number.MAX_VALUE);
  const asksForSampling = [temperature, options['top-k'], topP, minP].some(value => value !== undefined);
  return {
    maxNewTokens: options['max-new-tokens'],
    ...(asksForSampling || options.beams !== undefined ? { doSample: asksForSampling && temperature !== 0 } : {}),
    ...(temperature === 0 || temperature === undefined ? {} : { temperature }),
    ...(options['top-k'] === undefined || temperature === 0 ? {} : { topK: options['top-k'] }),
    ...(topP === undefined || temperature === 0 ? {} : { topP }),
    ...(minP === undefined || temperature === 0 ? {} : { minP }),
    repetitionPenalty,
    numBeams: options.beams,
    seed: options.seed,
    tokenizer,
    signal,
    ...(options.stop.length === 0 ? {} : { stopStrings: options.stop }),
  };
}

async function promptOf({ options }: GenerateInput, context: CliContext): Promise<string> {
  if (options.prompt === undefined)
    throw new TrenioError('MISSING_ARGUMENT', {
      command: 'generate',
      argument: '--prompt',
      expected: 'the text to continue, or - for the standard input',
    });
  return options.prompt === '-' ? readAll(context.stdin) : options.prompt;
}

/** A model that continues a text, or one that answers it. */
type TextModel = CausalLM | Seq2SeqForConditionalGeneration;

/** The class that reads the model. @throws {BAD_ARGUMENT} for a model that reads audio */
async function modelClass(
  directory: string,
): Promise<{ readonly fromPretrained: (directory: string) => Promise<TextModel> }> {
  const { model_type: type } = (await AutoConfig.fromPretrained(directory)) as { readonly model_type?: string };
  if (type === 'whisper')
    throw new TrenioError('BAD_ARGUMENT', {
      command: 'generate',
      argument: '<model>',
      got: 'a model that reads audio (whisper)',
      expected: 'one that reads text; in a program, use AutoModelForSpeechSeq2Seq and its generate()',
    });
  const isSeq2Seq = type !== undefined && Object.hasOwn(seq2SeqArchitectures, type);
  return isSeq2Seq ? AutoModelForSeq2SeqLM : AutoModelForCausalLM;
}

interface Generated {
  readonly tokens: readonly number[];
  /** Until the first token; undefined for beam search, which returns all tokens at once. */
  readonly promptSeconds: number | undefined;
  readonly tokensPerSecond: number;
}

async function generated(
  model: TextModel,
  ids: Tensor,
  options: GenerateOptions,
  show: (token: number) => void,
): Promise<Generated> {
  const start = performance.now();
  const seconds = (from: number): number => (performance.now() - from) / 1000;
  const tokens: number[] = [];
  if ((options.numBeams ?? model.generationConfig.num_beams ?? 1) > 1) {
    const all = toNumbers((await model.generate(ids, options)).literal());
    // The result of an encoder–decoder begins with its start token, others with the prompt.
    tokens.push(...all.slice(model instanceof Seq2SeqForConditionalGeneration ? 1 : ids.shape[1]!));
    return { tokens, promptSeconds: undefined, tokensPerSecond: tokens.length / seconds(start) };
  }
  let [first, promptSeconds] = [start, 0];
  for await (const token of model.generateStream(ids, options)) {
    if (tokens.length === 0) [first, promptSeconds] = [performance.now(), seconds(start)];
    tokens.push(token);
    show(token);
  }
  return { tokens, promptSeconds, tokensPerSecond: tokens.length > 1 ? (tokens.length - 1) / seconds(first) : 0 };
}

export async function generateText(input: GenerateInput, context: CliContext): Promise<number> {
  const { options } = input;
  const { stdout, stderr, signal } = context;
  const dtype = dtypes.find(name => name === options.dtype);
  if (dtype === undefined)
    throw new TrenioError('BAD_ARGUMENT', {
      command: 'generate',
      argument: '--dtype',
      got: options.dtype,
      expected: dtypes.join(' or '),
    });
  const prompt = await promptOf(input, context);
  const [directory] = input.positionals as readonly [string];
  const auto = await modelClass(directory);
  const tokenizer = await AutoTokenizer.fromPretrained(directory);
  const settings = optionsOf(input, tokenizer, signal);
  const system = options.system === undefined ? [] : [{ role: 'system', content: options.system }];
  const ids = options.chat
    ? tokenizer.applyChatTemplate([...system, { role: 'user', content: prompt }], { addGenerationPrompt: true })
        .inputIds[0]!
    : tokenizer.encode(prompt);
  if (ids.length === 0)
    throw new TrenioError('BAD_ARGUMENT', {
      command: 'generate',
      argument: '--prompt',
      got: 'empty',
      expected: 'a text',
    });
  const model = await auto.fromPretrained(directory);
  model.eval().to(device());
  if (dtype !== 'float32') model.to(dtype);
  signal.throwIfAborted();

  const isStreamed = options.stream && !options.json;
  const pieces = new TokenQueue();
  const printing = (async () => {
    for await (const text of tokenizer.decodeStream(pieces, { skipSpecialTokens: true })) stdout.write(text);
  })();
  let made: Generated;
  try {
    made = await generated(model, tensor([ids], { dtype: 'int32' }), settings, token => {
      if (isStreamed) pieces.push(token);
    });
  } finally {
    pieces.end();
    await printing;
    if (isStreamed) stdout.write('\n');
  }
  const { tokens, promptSeconds, tokensPerSecond } = made;
  const text = tokenizer.decode(tokens, { skipSpecialTokens: true });
  if (options.json) {
    const ends = [model.generationConfig.eos_token_id ?? []].flat();
    const whole = tokenizer.decode(tokens);
    const isStopped = ends.includes(tokens.at(-1)!) || options.stop.some(stop => whole.includes(stop));
    const finish = isStopped ? 'stop' : 'length';
    const shown = {
      text,
      tokens,
      promptTokens: ids.length,
      finish,
      promptSeconds: promptSeconds ?? null,
      tokensPerSecond,
    };
    stdout.write(`${JSON.stringify(shown)}\n`);
  } else {
    if (!isStreamed) stdout.write(`${text}\n`);
    const ofPrompt = promptSeconds === undefined ? '' : `; prompt of ${ids.length} in ${promptSeconds.toFixed(2)} s`;
    stderr.write(`${tokens.length} tokens, ${tokensPerSecond.toFixed(1)} per second${ofPrompt}\n`);
  }
  return 0;
}

/** A queue of tokens between generation and printing. */
class TokenQueue implements AsyncIterable<number> {
  #tokens: number[] = [];
  #hasEnded = false;
  #wake: () => void = () => {};
  push(token: number): void {
    this.#tokens.push(token);
    this.#wake();
  }
  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<number> {
    for (;;) {
      const [token, ...rest] = this.#tokens;
      if (token !== undefined) {
        this.#tokens = rest;
        yield token;
      } else if (this.#hasEnded) return;
      else
        await new Promise<void>(resolve => {
          this.#wake = resolve;
        });
    }
  }
}
