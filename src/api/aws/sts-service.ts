// STS: GetCallerIdentity, with which clients find their account.
import { AwsError } from './aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from './aws-request.ts';
import { formOf, queryErrorReply, queryReply, querySignatureError } from './protocols/query.ts';
import { readBody } from './read-body.ts';

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';

export class StsService implements AwsService {
  readonly maxBodyBytes = 64 * 1024;
  readonly errorReply = queryErrorReply;
  readonly signatureError = querySignatureError;
  readonly #account: string;

  constructor(account: string) {
    this.#account = account;
  }

  async handle(request: AwsRequest): Promise<AwsReply> {
    const action = formOf(await readBody(request, this.maxBodyBytes)).get('Action') ?? '';
    if (action !== 'GetCallerIdentity')
      throw new AwsError('InvalidAction', `Could not find operation ${action} for version 2011-06-15`);
    const { id, role } = request.key;
    const identity = { Arn: `arn:aws:iam::${this.#account}:user/${role}`, UserId: id, Account: this.#account };
    return queryReply(action, NAMESPACE, identity, request.requestId);
  }
}
