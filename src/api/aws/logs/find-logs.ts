// Groups and streams by the names in requests.
import type { LogStore } from '../../../jobs/logs/log-store.ts';
import { AwsError } from '../aws-error.ts';

/** @throws {AwsError} ResourceNotFoundException */
export function groupOf(store: LogStore, name: string | undefined, identifier: string | undefined): string {
  const group = name ?? identifier?.replace(/^arn:aws:logs:[^:]*:\d*:log-group:/, '').replace(/:\*$/, '');
  if (group === undefined) throw new AwsError('InvalidParameterException', 'logGroupName is required.');
  if (!store.groups().some(one => one.name === group))
    throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
  return group;
}

/** @throws {AwsError} ResourceNotFoundException */
export function checkStreams(store: LogStore, group: string, names: readonly string[]): void {
  const known = new Set(store.streams(group).map(({ name }) => name));
  if (!names.every(name => known.has(name)))
    throw new AwsError('ResourceNotFoundException', 'The specified log stream does not exist.');
}
