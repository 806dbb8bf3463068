// The commands of `trenio server keys`. Each change is a line of the audit log.
import { userInfo } from 'node:os';
import { AuditLog, DEFAULT_AUDIT_DAYS } from '../../api/access/audit-log.ts';
import { isUsable, KeyFile, type StoredKey } from '../../api/access/key-file.ts';
import { isActionPattern } from '../../api/aws/permissions.ts';
import { type Role, roles } from '../../api/aws/signature/access-keys.ts';
import { existingServerFolder } from '../../api/server-folder.ts';
import { TrenioError } from '../../base/errors.ts';
import type { CliContext } from '../command/command.ts';
import { fittingTable } from '../command/wide-table.ts';
import type { CreateKeyInput, KeyInput, RotateKeyInput } from './server-keys-options.ts';

const HOUR_MS = 3_600_000;

type FolderInput = { readonly options: { readonly data: string | undefined } };
const folderOf = ({ options }: FolderInput, { cwd, environment }: CliContext): string =>
  existingServerFolder(options.data, cwd, environment);

export async function listKeys(input: KeyInput, context: CliContext): Promise<number> {
  const keys = (await KeyFile.open(folderOf(input, context))).list();
  const nowMs = Date.now();
  const shown = keys.map(({ secret: _, ...key }) => ({ ...key, state: stateOf(key, nowMs) }));
  if (input.options.json) context.stdout.write(`${JSON.stringify({ keys: shown })}\n`);
  else
    context.stdout.write(
      `${fittingTable(
        ['key', 'role', 'name', 'actions', 'created', 'state'].map(header => ({ header })),
        shown.map(key => [
          key.id,
          key.role,
          key.name ?? '',
          key.actions?.join(' ') ?? 'all',
          key.createdAt?.slice(0, 10) ?? '',
          key.state,
        ]),
        context.stdout,
      )}\n`,
    );
  return 0;
}

function stateOf(key: Omit<StoredKey, 'secret'>, nowMs: number): string {
  if (key.isDisabled === true) return 'disabled';
  if (key.expiresAt === undefined) return 'usable';
  return isUsable({ ...key, secret: '' }, nowMs) ? `usable until ${key.expiresAt}` : 'expired';
}

export async function createKey(input: CreateKeyInput, context: CliContext): Promise<number> {
  const { role, name, actions } = input.options;
  if (!isRole(role)) throw invalid('--role', role, `one of ${roles.join(', ')}`);
  const list = actions?.split(',').map(one => one.trim());
  const wrong = list?.find(one => !isActionPattern(one));
  if (wrong !== undefined) throw invalid('--actions', wrong, "actions such as 's3:GetObject' or 'sagemaker:*'");
  return changed(input, context, 'CreateKey', keys => keys.create({ role, name, actions: list }));
}

export const rotateKey = (input: RotateKeyInput, context: CliContext): Promise<number> =>
  changed(input, context, 'RotateKey', keys =>
    keys.rotate(input.positionals[0]!, input.options['overlap-hours'] * HOUR_MS),
  );

export const disableKey = (input: KeyInput, context: CliContext): Promise<number> =>
  changed(input, context, 'DisableKey', keys => keys.setDisabled(input.positionals[0]!, true));

export const enableKey = (input: KeyInput, context: CliContext): Promise<number> =>
  changed(input, context, 'EnableKey', keys => keys.setDisabled(input.positionals[0]!, false));

export const removeKey = (input: KeyInput, context: CliContext): Promise<number> =>
  changed(input, context, 'RemoveKey', keys => keys.remove(input.positionals[0]!));

/** Changes the keys, records it, and prints the new key. */
async function changed(
  input: FolderInput & { readonly positionals: readonly string[]; readonly options: { readonly json: boolean } },
  context: CliContext,
  action: string,
  change: (keys: KeyFile) => Promise<StoredKey | undefined>,
): Promise<number> {
  const { stdout, stderr } = context;
  const data = folderOf(input, context);
  const audit = new AuditLog({ data, days: DEFAULT_AUDIT_DAYS, now: Date.now, log: line => stderr.write(`${line}\n`) });
  try {
    const made = await change(await KeyFile.open(data));
    const resource = [...input.positionals, ...(made === undefined ? [] : [made.id])].join(' ');
    audit.write({ key: localUser(), from: 'command', action: `server:${action}`, resource, result: 'done' });
    if (input.options.json) stdout.write(`${JSON.stringify(made ?? {})}\n`);
    else if (made !== undefined) stdout.write(madeText(made));
  } finally {
    audit.close();
  }
  return 0;
}

const madeText = ({ id, secret }: StoredKey): string =>
  `export AWS_ACCESS_KEY_ID=${id}\nexport AWS_SECRET_ACCESS_KEY=${secret}\n`;

const isRole = (text: string): text is Role => roles.some(role => role === text);

/** Who runs this command on this machine. */
function localUser(): string {
  const { username, uid } = userInfo();
  return `local user ${username} (${uid})`;
}

const invalid = (option: string, got: string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'trenio server keys', option, got, expected });
