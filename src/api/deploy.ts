// Deploys a checkpoint: loads the model, serves it, and returns its URL and a way to stop it.
import { resolve } from 'node:path';
import { loadClassifier } from '../serving/model/classifier.ts';
import { classifierModel } from '../serving/model/classifier-model.ts';
import { Endpoint, endpointNameOf } from '../serving/model/endpoint.ts';
import type { ServedModel } from '../serving/model/served-model.ts';
import type { HostOptions } from './allowed-hosts.ts';

/** Options of `deploy`: the address of the endpoint and its limits. */
export interface DeployOptions extends HostOptions {
  /** The name of the endpoint, in its URL. Default: derived from the name of the folder. */
  readonly name?: string;
  /** Default: 127.0.0.1, which other machines cannot reach. */
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** The maximum number of texts per run of the model. */
  readonly maxBatch?: number;
  /** Texts are truncated to this number of tokens. Default: the maximum of the model. */
  readonly maxLength?: number;
  /** The maximum number of waiting texts; more are rejected. */
  readonly maxWaiting?: number;
  /** Requests that would wait longer are rejected. Default: 2000. */
  readonly maxWaitMs?: number;
  /** Logs internal errors. Default: to standard error. */
  readonly log?: (line: string) => void;
  /** Aborting it cancels loading. */
  readonly signal?: AbortSignal;
}

/** A running endpoint, as `deploy` and `deployModel` return it. */
export interface Deployment {
  /** The name in the URL of the endpoint. */
  readonly name: string;
  /** The URL of the server: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The URL to POST texts to. */
  readonly invocationsUrl: string;
  /** Completes pending requests, accepts no new ones, and closes the port. */
  close(): Promise<void>;
}

/** A deployed text classifier. */
export interface ClassifierDeployment extends Deployment {
  /** The names of the classes, by class index. */
  readonly labels: readonly string[];
}

/**
 * Serves the text classifier in a folder (config.json, model.safetensors, and the files of its tokenizer). Resolves when the
 * first request can be answered; until then, `GET /ping` answers 503.
 * @throws {PORT_IN_USE}
 * @throws {CANNOT_LISTEN}
 * @throws {ENDPOINT_NAME_INVALID}
 * @throws {INVALID_OPTION}
 * @throws the errors of reading the checkpoint
 * @example
 * ```ts no-run
 * // answers POST /endpoints/<name>/invocations until it is stopped
 * const deployment = await deploy('runs/polarity/final', { port: 8080 });
 * console.log(deployment.invocationsUrl);
 * await deployment.close();
 * ```
 */
export async function deploy(checkpoint: string, options: DeployOptions = {}): Promise<ClassifierDeployment> {
  const folder = resolve(checkpoint);
  const { name = endpointNameOf(folder), maxBatch, maxLength } = options;
  let labels: readonly string[] = [];
  const deployment = await deployModel(
    name,
    async () => {
      const classifier = await loadClassifier(folder, { maxBatch, maxLength, onWarning: options.log });
      labels = classifier.labels;
      return classifierModel(classifier);
    },
    options,
  );
  return { ...deployment, labels };
}

/**
 * Serves any model, which defines its own requests and responses, including streams.
 * @example
 * ```ts no-run
 * const echo: ServedModel = {
 *   description: {},
 *   unit: 'requests',
 *   parse: body => body,
 *   run: async request => request,
 * };
 * const deployment = await deployModel('echo', async () => echo, { port: 8080 });
 * await deployment.close();
 * ```
 */
export async function deployModel(
  name: string,
  load: () => Promise<ServedModel>,
  options: Omit<DeployOptions, 'name' | 'maxBatch' | 'maxLength'> = {},
): Promise<Deployment> {
  const { maxWaiting, maxWaitMs, allowHosts, allowOrigins } = options;
  const endpoint = new Endpoint(name, { maxWaiting, maxWaitMs });
  // node:http loads Node's client, too, which takes longer than most modules of the library.
  const { EndpointServer } = await import('./endpoint-server.ts');
  const server = new EndpointServer([endpoint], {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    allowHosts,
    allowOrigins,
    log: options.log ?? (line => process.stderr.write(`${line}\n`)),
  });
  const url = await server.listen();
  try {
    await Promise.race([endpoint.start(load), rejectOnAbort(options.signal)]);
  } catch (error) {
    await server.close(0);
    throw error;
  }
  return {
    name,
    url,
    invocationsUrl: `${url}/endpoints/${name}/invocations`,
    close: () => server.close(),
  };
}

/** Loading a model cannot be stopped midway, so the caller stops waiting for it. */
function rejectOnAbort(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
