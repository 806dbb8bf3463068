// `trenio server audit`: who changed what on a job server, and who was refused.
import { defineCommand } from '../command/command.ts';

const results = ['done', 'refused', 'failed'] as const;

export const serverAuditCommand = defineCommand({
  name: 'server audit',
  summary: 'Show who changed what on a job server.',
  description: [
    'Shows the audit log of a server on this machine, oldest first: each request that changed something, or tried to, and each that',
    'was refused, with its key, address, action and result. Requests that only read are not recorded; secrets never are.',
  ].join('\n'),
  positionals: [],
  options: {
    data: {
      kind: 'text',
      placeholder: 'DIR',
      description: 'Folder of the server. Default: ~/.local/share/trenio/server.',
    },
    hours: { kind: 'integer', placeholder: 'N', min: 1, max: 87_600, default: 24, description: 'Of the last N hours.' },
    key: { kind: 'text', placeholder: 'ID', description: 'Only what was done with this key.' },
    contains: { kind: 'text', placeholder: 'TEXT', description: 'Only actions or resources with this text.' },
    result: { kind: 'text', placeholder: 'RESULT', description: `Only with this result: ${results.join(', ')}.` },
    limit: {
      kind: 'integer',
      short: 'n',
      placeholder: 'N',
      min: 1,
      max: 1_000_000,
      default: 100,
      description: 'The last N.',
    },
    json: { kind: 'flag', description: 'Print a JSON object a line, as the log has them.' },
  },
  examples: [
    { command: 'trenio server audit', explanation: 'the latest 100 of the past day' },
    { command: 'trenio server audit --result refused --hours 168', explanation: 'who was refused this week' },
    { command: 'trenio server audit --contains DeleteModel --json', explanation: 'for scripts' },
  ],
  run: async ({ options }, { stdout, cwd, environment }) => {
    const [{ existingServerFolder }, { readAudit }, { TrenioError }, { fittingTable }] = await Promise.all([
      import('../../api/server-folder.ts'),
      import('../../api/access/read-audit.ts'),
      import('../../base/errors.ts'),
      import('../command/wide-table.ts'),
    ]);
    const { hours, key, contains, limit } = options;
    const result = results.find(one => one === options.result);
    if (options.result !== undefined && result === undefined)
      throw new TrenioError('INVALID_OPTION', {
        what: 'trenio server audit',
        option: '--result',
        got: options.result,
        expected: `one of ${results.join(', ')}`,
      });
    const data = existingServerFolder(options.data, cwd, environment);
    const found = [];
    for await (const entry of readAudit(data, { sinceMs: Date.now() - hours * 3_600_000, key, contains, result })) {
      found.push(entry);
      // Not more than twice as many are kept at a time.
      if (found.length >= 2 * limit) found.splice(0, found.length - limit);
    }
    const last = found.slice(-limit);
    if (options.json) for (const entry of last) stdout.write(`${JSON.stringify(entry)}\n`);
    else if (last.length === 0) stdout.write('Nothing was recorded.\n');
    else
      stdout.write(
        `${fittingTable(
          ['time', 'key', 'from', 'action', 'resource', 'result'].map(header => ({ header })),
          last.map(({ time, key: id, from, action, resource, result: outcome, code }) => [
            time,
            id,
            from,
            action,
            resource ?? '',
            code === undefined ? outcome : `${outcome}: ${code}`,
          ]),
          stdout,
        )}\n`,
      );
    return 0;
  },
});
