// `Predictor`: sends requests to an endpoint.
import { refuseUnknownOptions } from '../../base/known-options.ts';
import type { JobServerClient } from '../job-server.ts';
import type { ConnectionOptions } from '../wire/connection.ts';
import type { PredictOptions } from './invoke.ts';

/** Options of `Predictor`. */
export interface PredictorOptions {
  /** The job server. Default: AWS's environment variables, else the `trenio server` of this machine. */
  readonly connection?: ConnectionOptions | undefined;
}

/**
 * A client of an endpoint, returned by `Estimator.deploy` or made for an existing endpoint.
 *
 * @example
 * ```ts no-run
 * const predictor = new Predictor('review-polarity');
 * console.log(await predictor.predict({ inputs: 'A lovely book' }));
 * ```
 */
export class Predictor {
  /** The name of the endpoint. */
  readonly endpointName: string;
  readonly #options: PredictorOptions;
  #server: Promise<JobServerClient> | undefined;

  constructor(endpointName: string, options: PredictorOptions = {}) {
    refuseUnknownOptions('Predictor', options, ['connection']);
    this.endpointName = endpointName;
    this.#options = options;
  }

  /**
   * The answer to a request. Texts and bytes are sent unchanged, everything else as JSON; JSON answers are parsed, others are
   * returned as text.
   * @throws {SERVICE_REFUSED} if the endpoint does not exist, is not in service, or its model rejects the request
   * @example
   * ```ts no-run
   * const predictor = new Predictor('review-polarity');
   * const answer = await predictor.predict({ inputs: ['A lovely book', 'A waste of money'] });
   * ```
   */
  async predict(data: unknown, options: PredictOptions = {}): Promise<unknown> {
    refuseUnknownOptions('predict', options, ['contentType', 'accept', 'targetVariant', 'signal']);
    const { invokeEndpoint } = await import('./invoke.ts');
    return invokeEndpoint(await this.#connect(), this.endpointName, data, options);
  }

  /**
   * Deletes the endpoint, and its configuration. The model is kept: `deleteModel`.
   * @throws {SERVICE_REFUSED} if it does not exist
   * @example
   * ```ts no-run
   * const predictor = new Predictor('review-polarity');
   * await predictor.deleteEndpoint();
   * await predictor.deleteModel();
   * ```
   */
  async deleteEndpoint(): Promise<void> {
    const { services } = await this.#connect();
    const { EndpointConfigName: config } = await services.sagemaker('DescribeEndpoint', {
      EndpointName: this.endpointName,
    });
    await services.sagemaker('DeleteEndpoint', { EndpointName: this.endpointName });
    if (config !== undefined) await services.sagemaker('DeleteEndpointConfig', { EndpointConfigName: config });
  }

  /**
   * Deletes the model that `Estimator.deploy` made. Its archive stays in the store.
   * @throws {SERVICE_REFUSED} if it does not exist
   * @example
   * ```ts no-run
   * await new Predictor('review-polarity').deleteModel();
   * ```
   */
  async deleteModel(): Promise<void> {
    const { services } = await this.#connect();
    await services.sagemaker('DeleteModel', { ModelName: this.endpointName });
  }

  /** Connections stay open between requests; they do not keep a process alive. */
  #connect(): Promise<JobServerClient> {
    this.#server ??= import('../job-server.ts').then(({ JobServerClient }) =>
      JobServerClient.connect(this.#options.connection),
    );
    return this.#server;
  }
}
