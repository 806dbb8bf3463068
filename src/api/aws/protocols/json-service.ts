// A service of the JSON 1.1 protocol, or of REST with JSON: operations by name, their inputs checked against the service's model.
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from '../aws-request.ts';
import { refuseMembers } from '../models/member-effects.ts';
import type { InputOf, ServiceModel } from '../models/service-model.ts';
import { validate } from '../models/validate.ts';
import { mayDo } from '../permissions.ts';
import { readBody } from '../read-body.ts';
import { header, type RequestHead } from '../signature/request-head.ts';
import { EventStreamReply } from './event-stream-reply.ts';
import { jsonErrorReply, jsonReply, jsonSignatureError } from './json.ts';
import { RecentAnswers } from './recent-answers.ts';

/** The handler of an operation; a response without members is undefined. */
export type Operations<M extends ServiceModel> = {
  readonly [O in keyof M['operations'] & string]: (
    input: InputOf<M, O>,
    request: AwsRequest,
  ) => object | undefined | Promise<object | undefined>;
};

export interface JsonServiceOptions<M extends ServiceModel> {
  /** The service's name in permissions, such as `sagemaker`. */
  readonly name: string;
  readonly account: string;
  readonly model: M;
  readonly operations: Operations<M>;
  /** Checks a valid input of any operation before it is handled. @throws {AwsError} */
  readonly check?: (input: object) => void;
  /** The operation of a request if paths name operations (REST); by default, X-Amz-Target does. */
  readonly operationOf?: (head: RequestHead) => string | undefined;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Operations that jobs and agents call frequently. */
const FREQUENT: ReadonlySet<string> = new Set(['BatchPutMetrics', 'PutLogEvents']);
const READS = /^(?:Batch)?(?:Describe|Filter|Get|List|Query|Search|StartLiveTail)/;

export class JsonService<const M extends ServiceModel> implements AwsService {
  readonly maxBodyBytes = MAX_BODY_BYTES;
  readonly errorReply = jsonErrorReply;
  readonly signatureError = jsonSignatureError;
  readonly #options: JsonServiceOptions<M>;
  readonly #recent = new RecentAnswers();

  constructor(options: JsonServiceOptions<M>) {
    this.#options = options;
  }

  async handle(request: AwsRequest): Promise<AwsReply> {
    const { model, name, account, operations, check, operationOf = targetOf(model) } = this.#options;
    const operation = operationOf(request.head) ?? '';
    const target = `${model.targetPrefix ?? name}.${operation}`;
    if (!isOperation(model, operation))
      throw new AwsError(
        'UnknownOperationException',
        `This server does not have the operation '${header(request.head, 'x-amz-target') ?? ''}'.`,
      );
    const isRead = READS.test(operation);
    const isFrequent = FREQUENT.has(operation);
    if (!mayDo(request, { action: `${name}:${operation}`, kind: isRead ? 'read' : 'write', isFrequent }))
      throw new AwsError(
        'AccessDeniedException',
        `User: arn:aws:iam::${account}:user/${request.key.role} is not authorized to perform: ${name}:${operation} because no identity-based policy allows the ${name}:${operation} action`,
      );
    const input = validate(model, operation, parse(await readBody(request, this.maxBodyBytes)));
    refuseMembers(name, model, operation, input);
    request.note.resource = nameIn(input as object);
    check?.(input as object);
    const reply = async (): Promise<AwsReply> => {
      const answer = await operations[operation]!(input, request);
      return answer instanceof EventStreamReply ? answer.toReply() : jsonReply(answer);
    };
    return isRead ? reply() : this.#recent.answer(request, target, reply);
  }
}

/** The subject of an input: its first name or ARN that is not a role's. */
const nameIn = (input: object): string | undefined =>
  Object.entries(input).find(
    ([member, value]) => typeof value === 'string' && /(?<!Role)(?:Name|Arn)$/i.test(member),
  )?.[1] as string | undefined;

/** The operation in X-Amz-Target. */
const targetOf =
  ({ targetPrefix = '' }: ServiceModel) =>
  (head: RequestHead): string | undefined => {
    const target = header(head, 'x-amz-target') ?? '';
    return target.startsWith(`${targetPrefix}.`) ? target.slice(targetPrefix.length + 1) : undefined;
  };

const isOperation = <M extends ServiceModel>(model: M, name: string): name is keyof M['operations'] & string =>
  Object.hasOwn(model.operations, name);

/** @throws {AwsError} SerializationException */
function parse(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new AwsError('SerializationException', `The body is not JSON: ${error.message}`);
    throw error;
  }
}
