import { expect, test } from 'vitest';
import { checkRoles } from './passed-roles.ts';

const account = '123456789012';
const own = 'arn:aws:iam::123456789012:role/service-role/train';
const other = 'arn:aws:iam::999999999999:role/train';

test('roles of the own account may be passed', () => {
  checkRoles({ RoleArn: own }, account);
  checkRoles({ TrainingJobDefinitions: [{ RoleArn: own }] }, account);
  checkRoles({}, account);
});

test.each([
  [{ RoleArn: other }, 'RoleArn'],
  [{ ExecutionRoleArn: other }, 'ExecutionRoleArn'],
  [{ TrainingJobDefinition: { RoleArn: other } }, 'RoleArn'],
  [{ TrainingJobDefinitions: [{ RoleArn: own }, { RoleArn: other }] }, 'RoleArn'],
])('a role of another account is refused: %j', (input, member) => {
  expect(() => checkRoles(input, account)).toThrow(`${member}: Cross-account pass role is not allowed.`);
});
