// The paths of the wire. Requests are checked and answered here, without a socket.
import type { IncomingHttpHeaders } from 'node:http';
import { version } from '../../base/version.ts';
import type { PretrainedTokenizer } from '../../data/tokenizers/pretrained-tokenizer.ts';
import type { LoadedAdapter } from '../../serving/engine/adapters.ts';
import type { Generation } from '../../serving/engine/generation.ts';
import { chatCompletion } from './chat-completions.ts';
import type { Answer, Asked } from './completion-job.ts';
import { completion } from './completions.ts';
import { type EmbeddingModel, embeddings } from './embeddings.ts';
import type { LanguageModel } from './language-model.ts';
import { loadLoraAdapter, unloadLoraAdapter } from './lora-adapters.ts';
import {
  chatMembers,
  completionMembers,
  detokenizeMembers,
  embeddingMembers,
  loadAdapterMembers,
  type MemberOptions,
  readMembers,
  tokenizeMembers,
  unloadAdapterMembers,
} from './members.ts';
import { embedderMetricsText, metricsText } from './metrics-text.ts';
import { OpenAiError } from './openai-error.ts';
import { chatIds, decoderOf, textIds } from './prompts.ts';

/** Everything that answers need. */
export interface Served {
  /** Undefined while it is loaded. */
  model: LanguageModel | EmbeddingModel | undefined;
  readonly members: MemberOptions;
  readonly log: (line: string) => void;
  /** Requests that are being answered. */
  load: number;
  /** The generations of running requests, by tenant and id of the request or of its answer. */
  readonly running: Map<string, Set<Generation>>;
}

export interface RouteRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly tenant: string;
  readonly signal: AbortSignal;
  readonly json: () => Promise<unknown>;
}

export type RouteReply = Answer | { readonly kind: 'text'; readonly type: string; readonly text: string };

type Handler = (served: Served, request: RouteRequest, id: string) => RouteReply | Promise<RouteReply>;

const routes: readonly (readonly [method: 'GET' | 'POST', path: RegExp, handler: Handler])[] = [
  ['GET', /^\/(?:health|ping)$/, healthOf],
  ['GET', /^\/version$/, () => whole({ version })],
  ['GET', /^\/load$/, ({ load }) => whole({ server_load: load })],
  ['GET', /^\/metrics$/, served => text('text/plain; version=0.0.4; charset=utf-8', metricsOf(served))],
  [
    'GET',
    /^\/v1\/models$/,
    served => whole({ object: 'list', data: allNames(anyModelOf(served)).map(name => card(served, name)) }),
  ],
  ['GET', /^\/v1\/models\/(.+)$/, (served, _, id) => whole(card(served, knownName(served, id)))],
  ['POST', /^\/v1\/chat\/completions$/, chat],
  ['POST', /^\/v1\/completions$/, complete],
  ['POST', /^\/v1\/embeddings$/, embed],
  ['POST', /^\/(?:v1\/)?tokenize$/, tokenize],
  ['POST', /^\/(?:v1\/)?detokenize$/, detokenize],
  ['POST', /^\/v1\/load_lora_adapter$/, loadAdapter],
  ['POST', /^\/v1\/unload_lora_adapter$/, unloadAdapter],
  ['POST', /^\/v1\/requests\/([^/]+)\/cancel$/, cancel],
];

/** @throws {OpenAiError} @throws the errors of the engine */
export function route(served: Served, method: string, request: RouteRequest): RouteReply | Promise<RouteReply> {
  const matching = routes.flatMap(([allowed, pattern, handler]) => {
    const match = pattern.exec(request.path);
    return match === null ? [] : [{ allowed, handler, id: match[1] ?? '' }];
  });
  const found = matching.find(({ allowed }) => allowed === (method === 'HEAD' ? 'GET' : method));
  if (found !== undefined) return found.handler(served, request, found.id);
  const [other] = matching;
  if (other === undefined) throw new OpenAiError(404, `there is no path ${request.path}`, { code: 'not_found' });
  throw new OpenAiError(405, `${request.path} does not support ${method}`, {
    code: 'method_not_allowed',
    headers: { allow: other.allowed },
  });
}

const whole = (body: unknown): RouteReply => ({ kind: 'whole', body });
const text = (type: string, body: string): RouteReply => ({ kind: 'text', type, text: body });

function healthOf(served: Served): RouteReply {
  const model = anyModelOf(served);
  if ('engine' in model ? model.engine.isDraining : model.counts.stopping) throw unavailable('the server is stopping');
  return text('text/plain', '');
}

const unavailable = (message: string): OpenAiError =>
  new OpenAiError(503, message, { code: 'unavailable', headers: { 'retry-after': '1' } });

/** @throws {OpenAiError} 503 */
function anyModelOf({ model }: Served): LanguageModel | EmbeddingModel {
  if (model === undefined) throw unavailable('the model is being loaded');
  return model;
}

/** @throws {OpenAiError} 503; 400 if the model is of another kind */
function modelOf(served: Served): LanguageModel {
  const model = anyModelOf(served);
  if ('engine' in model) return model;
  throw new OpenAiError(400, `${model.names[0]} embeds texts: it answers only /v1/embeddings`, {
    code: 'not_supported',
  });
}

async function embed(served: Served, request: RouteRequest): Promise<RouteReply> {
  const model = anyModelOf(served);
  if ('engine' in model)
    throw new OpenAiError(400, `${model.names[0]} generates text: it has no embeddings`, { code: 'not_supported' });
  const body = readMembers(embeddingMembers, await request.json(), served.members);
  if (body.model != null && !model.names.includes(body.model)) throw noSuchModel(model, body.model);
  return whole(await embeddings(model, body, request.signal));
}

/** @throws {OpenAiError} 404 */
function named(
  served: Served,
  name: string | null | undefined,
): { readonly model: LanguageModel; readonly name: string; readonly adapter: LoadedAdapter | undefined } {
  const model = modelOf(served);
  const adapter = name == null ? undefined : model.engine.adapters.find(name);
  const known = name == null ? model.names[0] : (adapter?.name ?? model.names.find(one => one === name));
  if (known !== undefined) return { model, name: known, adapter };
  throw noSuchModel(model, name!);
}

function knownName(served: Served, name: string): string {
  const model = anyModelOf(served);
  if (allNames(model).includes(name)) return name;
  throw noSuchModel(model, name);
}

function noSuchModel(model: LanguageModel | EmbeddingModel, name: string): OpenAiError {
  const all = allNames(model).join(', ');
  const message = `the model ${JSON.stringify(name)} does not exist; there is ${all}`;
  return new OpenAiError(404, message, { param: 'model', code: 'model_not_found' });
}

const allNames = (model: LanguageModel | EmbeddingModel): readonly string[] =>
  'engine' in model ? [...model.names, ...model.engine.adapters.all.map(({ name }) => name)] : model.names;

function card(served: Served, id: string): unknown {
  const model = anyModelOf(served);
  const { created, names } = model;
  const shared = { object: 'model', created, owned_by: 'trenio' };
  if (!('engine' in model))
    return { id, ...shared, root: names[0], parent: null, max_model_len: model.embedder.positions, permission: [] };
  const { engine } = model;
  const adapter = engine.adapters.find(id);
  return {
    id,
    ...shared,
    root: adapter?.directory ?? names[0],
    parent: adapter === undefined ? null : names[0],
    max_model_len: engine.positions,
    permission: [],
  };
}

function metricsOf(served: Served): string {
  const model = anyModelOf(served);
  return 'engine' in model ? metricsText(model) : embedderMetricsText(model);
}

async function chat(served: Served, request: RouteRequest): Promise<RouteReply> {
  modelOf(served);
  const body = readMembers(chatMembers, await request.json(), served.members);
  const { model, adapter } = named(served, body.model);
  return chatCompletion(model, body, askedOf(served, request, adapter));
}

async function complete(served: Served, request: RouteRequest): Promise<RouteReply> {
  modelOf(served);
  const body = readMembers(completionMembers, await request.json(), served.members);
  const { model, adapter } = named(served, body.model);
  return completion(model, body, askedOf(served, request, adapter));
}

function askedOf(
  { running }: Served,
  { requestId, tenant, signal }: RouteRequest,
  adapter: LoadedAdapter | undefined,
): Asked {
  const onGeneration = (generation: Generation, answerId: string): void => {
    for (const id of [requestId, answerId]) {
      const key = runningKey(tenant, id);
      const all = running.get(key) ?? new Set();
      running.set(key, all.add(generation));
      const forget = (): void => {
        all.delete(generation);
        if (all.size === 0 && running.get(key) === all) running.delete(key);
      };
      void generation.whenOver.then(forget);
    }
  };
  return { requestId, tenant, signal, adapter, onGeneration };
}

const runningKey = (tenant: string, requestId: string): string => JSON.stringify([tenant, requestId]);

/** Aborts the generations of a request of the same key. */
function cancel({ running }: Served, { tenant }: RouteRequest, id: string): RouteReply {
  const generations = running.get(runningKey(tenant, id));
  if (generations === undefined) throw new OpenAiError(404, `no request ${id} is running`, { code: 'not_found' });
  for (const generation of generations) generation.abort('by its client');
  return whole({ id, object: 'request', status: 'canceled' });
}

async function loadAdapter(served: Served, request: RouteRequest): Promise<RouteReply> {
  const model = modelOf(served);
  const body = readMembers(loadAdapterMembers, await request.json(), served.members);
  return text('text/plain', await loadLoraAdapter(model, body, served.log));
}

async function unloadAdapter(served: Served, request: RouteRequest): Promise<RouteReply> {
  const model = modelOf(served);
  const body = readMembers(unloadAdapterMembers, await request.json(), served.members);
  return text('text/plain', unloadLoraAdapter(model, body.lora_name));
}

/** @throws {OpenAiError} 404 */
function textsOf(
  served: Served,
  name: string | null | undefined,
): { readonly tokenizer: PretrainedTokenizer; readonly positions: number } {
  const model = anyModelOf(served);
  if (name != null) knownName(served, name);
  return 'engine' in model ? { tokenizer: model.tokenizer, positions: model.engine.positions } : model.embedder;
}

async function tokenize(served: Served, request: RouteRequest): Promise<RouteReply> {
  anyModelOf(served);
  const { prompt, messages, ...body } = readMembers(tokenizeMembers, await request.json(), served.members);
  const { tokenizer, positions } = textsOf(served, body.model);
  if ((prompt == null) === (messages == null))
    throw new OpenAiError(400, 'expected either prompt or messages', { param: 'prompt', code: 'invalid_value' });
  const tokens =
    messages == null
      ? textIds(tokenizer, prompt!, body.add_special_tokens ?? true, positions)
      : chatIds(tokenizer, { ...body, messages }, positions);
  const strings = body.return_token_strs === true ? tokens.map(id => tokenizer.idToToken(id) ?? '') : null;
  return whole({ count: tokens.length, max_model_len: positions, tokens, token_strs: strings });
}

async function detokenize(served: Served, request: RouteRequest): Promise<RouteReply> {
  anyModelOf(served);
  const { tokens, model } = readMembers(detokenizeMembers, await request.json(), served.members);
  const { tokenizer } = textsOf(served, model);
  const unknown = tokens.find(id => tokenizer.idToToken(id) === undefined);
  if (unknown !== undefined)
    throw new OpenAiError(400, `tokens: ${unknown} is not a token`, { param: 'tokens', code: 'invalid_value' });
  return whole({ prompt: decoderOf(tokenizer, false)(tokens) });
}
