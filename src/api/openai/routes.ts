// The paths of the wire. Requests are checked and answered here, without a socket.
import type { IncomingHttpHeaders } from 'node:http';
import { version } from '../../base/version.ts';
import type { LoadedAdapter } from '../../serving/engine/adapters.ts';
import type { Generation } from '../../serving/engine/generation.ts';
import { chatCompletion } from './chat-completions.ts';
import type { Answer, Asked } from './completion-job.ts';
import { completion } from './completions.ts';
import type { LanguageModel } from './language-model.ts';
import { loadLoraAdapter, unloadLoraAdapter } from './lora-adapters.ts';
import {
  chatMembers,
  completionMembers,
  detokenizeMembers,
  loadAdapterMembers,
  type MemberOptions,
  readMembers,
  tokenizeMembers,
  unloadAdapterMembers,
} from './members.ts';
import { metricsText } from './metrics-text.ts';
import { OpenAiError } from './openai-error.ts';
import { chatIds, decoderOf, textIds } from './prompts.ts';

/** Everything that answers need. */
export interface Served {
  /** Undefined while it is loaded. */
  model: LanguageModel | undefined;
  readonly members: MemberOptions;
  readonly log: (line: string) => void;
  /** Requests that are being answered. */
  load: number;
  /** The generations of running requests, by tenant and id of the request. */
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
    served => whole({ object: 'list', data: allNames(modelOf(served)).map(name => card(served, name)) }),
  ],
  ['GET', /^\/v1\/models\/(.+)$/, (served, _, id) => whole(card(served, named(served, id).name))],
  ['POST', /^\/v1\/chat\/completions$/, chat],
  ['POST', /^\/v1\/completions$/, complete],
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
  const { engine } = modelOf(served);
  if (engine.isDraining) throw unavailable('the server is stopping');
  return text('text/plain', '');
}

const unavailable = (message: string): OpenAiError =>
  new OpenAiError(503, message, { code: 'unavailable', headers: { 'retry-after': '1' } });

/** @throws {OpenAiError} 503 */
function modelOf({ model }: Served): LanguageModel {
  if (model === undefined) throw unavailable('the model is being loaded');
  return model;
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
  const all = allNames(model).join(', ');
  throw new OpenAiError(404, `the model ${JSON.stringify(name)} does not exist; there is ${all}`, {
    param: 'model',
    code: 'model_not_found',
  });
}

const allNames = ({ names, engine }: LanguageModel): readonly string[] => [
  ...names,
  ...engine.adapters.all.map(({ name }) => name),
];

function card(served: Served, id: string): unknown {
  const { created, engine, names } = modelOf(served);
  const adapter = engine.adapters.find(id);
  const shared = { object: 'model', created, owned_by: 'trenio' };
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
  const { names, engine } = modelOf(served);
  return metricsText(names[0]!, engine);
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
  const key = runningKey(tenant, requestId);
  const onGeneration = (generation: Generation): void => {
    const all = running.get(key) ?? new Set();
    running.set(key, all.add(generation));
    const forget = (): void => {
      all.delete(generation);
      if (all.size === 0 && running.get(key) === all) running.delete(key);
    };
    void generation.whenOver.then(forget);
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

async function tokenize(served: Served, request: RouteRequest): Promise<RouteReply> {
  modelOf(served);
  const { prompt, messages, ...body } = readMembers(tokenizeMembers, await request.json(), served.members);
  const { tokenizer, engine } = named(served, body.model).model;
  if ((prompt == null) === (messages == null))
    throw new OpenAiError(400, 'expected either prompt or messages', { param: 'prompt', code: 'invalid_value' });
  const tokens =
    messages == null
      ? textIds(tokenizer, prompt!, body.add_special_tokens ?? true, engine.positions)
      : chatIds(tokenizer, { ...body, messages }, engine.positions);
  const strings = body.return_token_strs === true ? tokens.map(id => tokenizer.idToToken(id) ?? '') : null;
  return whole({ count: tokens.length, max_model_len: engine.positions, tokens, token_strs: strings });
}

async function detokenize(served: Served, request: RouteRequest): Promise<RouteReply> {
  modelOf(served);
  const { tokens, model } = readMembers(detokenizeMembers, await request.json(), served.members);
  const { tokenizer } = named(served, model).model;
  const unknown = tokens.find(id => tokenizer.idToToken(id) === undefined);
  if (unknown !== undefined)
    throw new OpenAiError(400, `tokens: ${unknown} is not a token`, { param: 'tokens', code: 'invalid_value' });
  return whole({ prompt: decoderOf(tokenizer, false)(tokens) });
}
