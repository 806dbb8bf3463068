// A client's view of a job server: its services, its objects, and the default bucket.
import type { Variables } from '../base/environment.ts';
import { type ConnectionOptions, findConnection } from './wire/connection.ts';
import { ObjectClient } from './wire/object-client.ts';
import { ServiceClient } from './wire/service-client.ts';
import { Wire } from './wire/wire.ts';

export class JobServerClient implements Disposable {
  readonly services: ServiceClient;
  readonly objects: ObjectClient;
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.services = new ServiceClient(wire);
    this.objects = new ObjectClient(wire);
  }

  /**
   * @throws {NO_JOB_SERVER}
   * @throws {NO_ACCESS_KEY}
   */
  static async connect(options?: ConnectionOptions, variables?: Variables): Promise<JobServerClient> {
    return new JobServerClient(new Wire(await findConnection(options, variables)));
  }

  get endpoint(): string {
    return this.#wire.connection.endpoint;
  }

  get wire(): Wire {
    return this.#wire;
  }

  /** The bucket that SageMaker's SDK uses by default. It is created if it does not exist. */
  async defaultBucket(): Promise<string> {
    const bucket = `sagemaker-${this.#wire.connection.region}-${await this.services.account()}`;
    await this.objects.createBucket(bucket);
    return bucket;
  }

  async defaultRole(): Promise<string> {
    return `arn:aws:iam::${await this.services.account()}:role/trenio`;
  }

  [Symbol.dispose](): void {
    this.#wire[Symbol.dispose]();
  }
}
