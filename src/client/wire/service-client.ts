// The JSON services of the job server (SageMaker, CloudWatch Logs) and STS, typed by their models.
import type { LogsAnswers, logs } from '../../api/aws/models/logs.ts';
import type { LogsOperation, SagemakerOperation } from '../../api/aws/models/operations.ts';
import type { SagemakerAnswers, sagemaker } from '../../api/aws/models/sagemaker.ts';
import type { InputOf } from '../../api/aws/models/service-model.ts';
import type { trenio } from '../../api/aws/models/trenio.ts';
import { children, readXml, textOf } from '../../api/aws/xml.ts';
import { serviceError } from './service-error.ts';
import { readWhole, type Wire } from './wire.ts';

export type SagemakerInput<O extends SagemakerOperation> = InputOf<typeof sagemaker, O>;
export type SagemakerAnswer<O extends SagemakerOperation> = SagemakerAnswers[O];
export type LogsInput<O extends LogsOperation> = InputOf<typeof logs, O>;
export type LogsAnswer<O extends LogsOperation> = LogsAnswers[O];

export class ServiceClient {
  readonly wire: Wire;
  #account: Promise<string> | undefined;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  /** @throws {SERVICE_REFUSED} with the code and the message of the service */
  async sagemaker<O extends SagemakerOperation>(
    operation: O,
    input: SagemakerInput<O>,
    signal?: AbortSignal,
  ): Promise<SagemakerAnswer<O>> {
    return (await this.#json('sagemaker', `SageMaker.${operation}`, input, signal)) as SagemakerAnswer<O>;
  }

  /** @throws {SERVICE_REFUSED} with the code and the message of the service */
  async logs<O extends LogsOperation>(operation: O, input: LogsInput<O>, signal?: AbortSignal): Promise<LogsAnswer<O>> {
    return (await this.#json('logs', `Logs_20140328.${operation}`, input, signal)) as LogsAnswer<O>;
  }

  /**
   * Operations of the job server itself, which AWS does not have.
   * @throws {SERVICE_REFUSED}
   */
  async trenio<O extends keyof (typeof trenio)['operations']>(
    operation: O,
    input: InputOf<typeof trenio, O>,
    signal?: AbortSignal,
  ): Promise<unknown> {
    return this.#json('trenio', `Trenio.${operation}`, input, signal);
  }

  /** The number of the account, which is in ARNs and in the name of the default bucket. */
  account(): Promise<string> {
    this.#account ??= this.#identify();
    return this.#account;
  }

  async #identify(): Promise<string> {
    const answer = await this.wire.send({
      service: 'sts',
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Action=GetCallerIdentity&Version=2011-06-15',
    });
    const text = (await readWhole(answer)).toString();
    if (answer.status !== 200) throw serviceError('sts', 'GetCallerIdentity', answer, text);
    const [reply] = children(readXml(text), 'GetCallerIdentityResponse');
    const [result] = children(reply, 'GetCallerIdentityResult');
    return textOf(result, 'Account') ?? '';
  }

  async #json(
    service: 'sagemaker' | 'logs' | 'trenio',
    target: string,
    input: unknown,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const answer = await this.wire.send({
      service,
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
      body: JSON.stringify(input),
      signal,
    });
    const text = (await readWhole(answer)).toString();
    if (answer.status !== 200) throw serviceError(service, target.replace(/.*\./, ''), answer, text);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}
