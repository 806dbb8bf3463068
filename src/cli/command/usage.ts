// Help texts, generated from the descriptions of the commands.
import { type AnyCommand, type Command, type CommandGroup, isGroup, type Option } from './command.ts';

/** `trenio run [options] <script> [args…]` */
export function usageLine(command: Command): string {
  const positionals = command.positionals.map(p => {
    const name = p.many === true ? `${p.name}…` : p.name;
    return p.required ? `<${name}>` : `[${name}]`;
  });
  const options = Object.keys(command.options).length > 0 ? ['[options]'] : [];
  return [
    'trenio',
    command.name,
    ...options,
    ...positionals,
    ...(command.rest ? [`[${command.rest.name}…]`] : []),
  ].join(' ');
}

export function commandHelp(command: Command): string {
  const positionals = [
    ...command.positionals.map(p => [`<${p.name}>`, p.description] as const),
    ...(command.rest ? [[`${command.rest.name}…`, command.rest.description] as const] : []),
  ];
  const options = [...Object.entries(command.options).map(optionLine), ['-h, --help', 'Show this text.'] as const];
  const examples = command.examples.flatMap(e => [`  ${e.command}`, `      ${e.explanation}`]);
  const width = Math.max(...[...positionals, ...options].map(([left]) => left.length));
  const list = (rows: readonly (readonly [string, string])[]): string[] =>
    rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
  return [
    `Usage: ${usageLine(command)}`,
    '',
    command.description,
    ...(positionals.length > 0 ? ['', 'Arguments:', ...list(positionals)] : []),
    '',
    'Options:',
    ...list(options),
    '',
    'Examples:',
    ...examples,
  ].join('\n');
}

function optionLine([name, option]: [string, Option]): readonly [string, string] {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  if (option.kind === 'flag') return [`${short}--${name}`, option.description];
  if (option.kind === 'optional-text') return [`${short}--${name} [${option.placeholder}]`, option.description];
  const fallback =
    option.kind === 'list' || option.default === undefined || option.default === ''
      ? ''
      : ` (default ${option.default})`;
  const more = option.kind === 'list' ? ' (any number of times)' : '';
  return [`${short}--${name} ${option.placeholder}`, option.description + fallback + more];
}

export const helpOf = (command: AnyCommand): string => (isGroup(command) ? groupHelp(command) : commandHelp(command));

function groupHelp(group: CommandGroup): string {
  return [
    `Usage: trenio ${group.name} <command> [options]`,
    '',
    group.description,
    '',
    'Commands:',
    ...listOf(group.commands),
    '',
    `'trenio ${group.name} <command> --help' describes a command.`,
  ].join('\n');
}

function listOf(commands: readonly AnyCommand[]): readonly string[] {
  const width = Math.max(...commands.map(c => c.name.length));
  return commands.map(c => `  ${c.name.padEnd(width)}  ${c.summary}`);
}

/** The output of `trenio` and `trenio help`. */
export function overview(commands: readonly AnyCommand[], version: string): string {
  return [
    `trenio ${version}: train deep-learning models from TypeScript, on every core you have.`,
    '',
    'Usage: trenio <command> [options]',
    '',
    'Commands:',
    ...listOf(commands),
    '',
    'Options:',
    '  -h, --help  Show this text.',
    '  --version   Show the version.',
    '',
    "'trenio <command> --help' describes a command.",
  ].join('\n');
}
