// `trenio server backup`: a copy of all that a job server keeps, while it runs.
import { defineCommand } from '../command/command.ts';

export const serverBackupCommand = defineCommand({
  name: 'server backup',
  summary: 'Copy everything that a job server keeps, while it runs.',
  description: [
    'Writes a consistent copy of a server’s folder: jobs, logs, metrics, objects, endpoints, keys and the audit log, as they are at one',
    'moment. To restore it, start a server with the copy: trenio server --data COPY (unpack an archive first). Jobs that ran at that',
    'moment have lost their runners then: they fail with an internal error, or start again if they have a RetryStrategy.',
  ].join('\n'),
  positionals: [
    {
      name: 'target',
      description:
        'A folder that does not exist, or is empty; or an archive: a name ending with .tar, .tar.gz or .tgz.',
      required: true,
    },
  ],
  options: {
    data: {
      kind: 'text',
      placeholder: 'DIR',
      description: 'Folder of the server. Default: ~/.local/share/trenio/server.',
    },
    json: { kind: 'flag', description: 'Print JSON.' },
  },
  examples: [
    { command: 'trenio server backup /mnt/backup/monday', explanation: 'a folder; the server goes on' },
    { command: 'trenio server backup monday.tar.gz', explanation: 'an archive' },
    { command: 'trenio server --data /mnt/backup/monday', explanation: 'a server with the copy' },
  ],
  run: async ({ options, positionals: [target] }, { stdout, cwd, environment }) => {
    const [{ resolve }, { existingServerFolder }, { backUpServer }, { formatBytes }] = await Promise.all([
      import('node:path'),
      import('../../api/server-folder.ts'),
      import('../../api/server-backup.ts'),
      import('../../base/units.ts'),
    ]);
    const data = existingServerFolder(options.data, cwd, environment);
    const path = resolve(cwd, target!);
    const { databases, blobs, bytes } = await backUpServer(data, path);
    stdout.write(
      options.json
        ? `${JSON.stringify({ target: path, databases, blobs, bytes })}\n`
        : `${path}: ${databases} databases and ${blobs} blobs, ${formatBytes(bytes)}\n`,
    );
    return 0;
  },
});
