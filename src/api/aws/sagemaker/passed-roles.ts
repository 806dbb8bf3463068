// The roles that requests pass to SageMaker. AWS accepts only those of the caller's own account, whatever the permissions.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
import { AwsError } from '../aws-error.ts';

interface Passing {
  readonly RoleArn?: string | undefined;
  readonly ExecutionRoleArn?: string | undefined;
  readonly TrainingJobDefinition?: Passing | undefined;
  readonly TrainingJobDefinitions?: readonly Passing[] | undefined;
}

/** @throws {AwsError} ValidationException for a role of another account */
export function checkRoles(input: Passing, account: string): void {
  const { TrainingJobDefinition: definition, TrainingJobDefinitions: definitions = [] } = input;
  for (const one of [input, ...(definition === undefined ? [] : [definition]), ...definitions])
    for (const member of ['RoleArn', 'ExecutionRoleArn'] as const) {
      const arn = one[member];
      if (arn !== undefined && arn.split(':')[4] !== account)
        throw new AwsError('ValidationException', `${member}: Cross-account pass role is not allowed.`);
    }
}
