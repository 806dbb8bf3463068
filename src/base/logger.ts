// Log messages, one line each, on standard error; standard output is left to the program. Thrown errors are not logged here.
import { readVariable, type Variables } from './environment.ts';
import { printable } from './printable.ts';

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Logger = Readonly<Record<Exclude<LogLevel, 'silent'>, (message: string) => void>>;

/** A logger that writes messages of `level` and above. */
export function createLogger(
  level: LogLevel,
  write: (line: string) => void = line => process.stderr.write(line),
): Logger {
  const at = (severity: Exclude<LogLevel, 'silent'>) => (message: string) => {
    if (logLevels.indexOf(severity) >= logLevels.indexOf(level)) write(`trenio: ${severity}: ${printable(message)}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A logger with the level of TRENIO_LOG. */
export const loggerFrom = (variables?: Variables): Logger =>
  createLogger(readVariable('TRENIO_LOG', variables) ?? 'warn');
