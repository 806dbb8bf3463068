// The file that lists ssh hosts: one per line, `[user@]name[:port]`, as for ssh; `#` begins a comment.
import { TrenioError } from '../../base/errors.ts';
import { readTextFileNow, reasonOf } from '../../base/read-file.ts';

export interface ListedHost {
  /** `user@name` or `name`, as for ssh. */
  readonly target: string;
  readonly port: number | undefined;
  readonly line: number;
}

const HOST = /^(?:([\w.-]+)@)?([\w.-]+|\[[\da-fA-F:.%]+\])(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;

/** @throws {CLUSTER_HOSTS_UNUSABLE} with the lines that are not hosts */
export function readHostList(path: string): readonly ListedHost[] {
  let text: string;
  try {
    text = readTextFileNow(path);
  } catch (error) {
    throw new TrenioError('CLUSTER_HOSTS_UNUSABLE', { problems: [`${path}: ${reasonOf(error)}`] });
  }
  return parseHostList(text, path);
}

/** @param name of the file, for messages */
export function parseHostList(text: string, name: string): readonly ListedHost[] {
  const problems: string[] = [];
  const hosts: ListedHost[] = [];
  for (const [i, full] of text.split('\n').entries()) {
    const word = full.replace(/#.*/, '').trim();
    if (word === '') continue;
    const [, user, host, digits] = HOST.exec(word) ?? [];
    const port = digits === undefined ? undefined : Number(digits);
    if (host === undefined || port === 0 || (port ?? 0) > MAX_PORT || host.startsWith('-')) {
      problems.push(`${name} line ${i + 1}: expected [user@]name[:port], got '${word}'`);
      continue;
    }
    const plain = host.replaceAll(/[[\]]/g, '');
    const target = user === undefined ? plain : `${user}@${plain}`;
    const before = hosts.find(one => one.target === target && one.port === port);
    if (before === undefined) hosts.push({ target, port, line: i + 1 });
    else problems.push(`${name} line ${i + 1}: ${word} is already in line ${before.line}`);
  }
  if (problems.length === 0 && hosts.length === 0) problems.push(`${name}: it lists no hosts`);
  if (problems.length > 0) throw new TrenioError('CLUSTER_HOSTS_UNUSABLE', { problems });
  return hosts;
}
