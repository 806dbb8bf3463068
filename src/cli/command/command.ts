// A command is a name, its arguments and options, examples, and a function. Help texts and argument parsing are both derived
// from this description. node:util's parseArgs splits the words.
import type { Variables } from '../../base/environment.ts';
import type { OutputStream } from '../../base/output-stream.ts';

interface OptionBase {
  readonly description: string;
  /** One letter: `-p`. */
  readonly short?: string;
}

/** `--json`: true when present. */
export interface FlagOption extends OptionBase {
  readonly kind: 'flag';
}

/** `--name VALUE` */
export interface TextOption extends OptionBase {
  readonly kind: 'text';
  readonly placeholder: string;
  readonly default?: string;
  /** An empty value means that the option is not given; without this, it is an error. */
  readonly mayBeEmpty?: boolean;
}

/** `--port 8080`, within bounds (both included). */
export interface IntegerOption extends OptionBase {
  readonly kind: 'integer';
  readonly placeholder: string;
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}

/** `--input a.npy --input b.npy`: any number of times, in this order. */
export interface ListOption extends OptionBase {
  readonly kind: 'list';
  readonly placeholder: string;
}

/** `--purchase` or `--purchase spot`: the next word is its value unless it starts with a dash or contains a dot or slash. */
export interface OptionalTextOption extends OptionBase {
  readonly kind: 'optional-text';
  readonly placeholder: string;
}

export type Option = FlagOption | TextOption | IntegerOption | ListOption | OptionalTextOption;
/** Keys are kebab-case; `--nproc_per_node` is read as `--nproc-per-node`. */
export type Options = Readonly<Record<string, Option>>;

export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K] extends FlagOption
    ? boolean
    : O[K] extends ListOption
      ? readonly string[]
      : O[K] extends OptionalTextOption
        ? string | true | undefined
        : O[K] extends { readonly default: string | number }
          ? O[K] extends TextOption
            ? string
            : number
          : O[K] extends TextOption
            ? string | undefined
            : number | undefined;
};

export interface Positional {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** A flag with which it may be missing. */
  readonly unless?: string;
  /** Allowed for the last positional: it takes all remaining words. */
  readonly many?: boolean;
}

/** Everything a command may access. It is passed in so that tests can run commands without starting a process. */
export interface CliContext {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly cwd: string;
  readonly environment: Variables;
  /** Aborted with an `Interrupted` as its reason on SIGINT or SIGTERM, or when the reader of the output has exited. */
  readonly signal: AbortSignal;
  /**
   * Call this before work that blocks the process and needs no clean-up: a signal then ends the process at once.
   * @throws {Interrupted} after a signal that has come before
   */
  endAtOnce(): Promise<void>;
  /** All commands, for `help`. */
  readonly commands: readonly AnyCommand[];
}

export interface CommandInput<O extends Options = Options> {
  readonly options: OptionValues<O>;
  readonly positionals: readonly string[];
  /** Everything after the last declared positional, untouched (only if the command has `rest`). */
  readonly rest: readonly string[];
}

export interface Command<O extends Options = Options> {
  readonly name: string;
  /** Half a sentence for the list of commands. */
  readonly summary: string;
  /** A paragraph for its own help. */
  readonly description: string;
  readonly positionals: readonly Positional[];
  readonly options: O;
  /** If set, options end at the last positional, and the remaining words are passed on: `script.ts --lr 1e-4`. */
  readonly rest?: { readonly name: string; readonly description: string };
  /** Words that are read before those of the command line, which win. */
  readonly wordsFrom?: (variables: Variables) => readonly string[];
  readonly examples: readonly { readonly command: string; readonly explanation: string }[];
  /** Returns the exit code. */
  readonly run: (input: CommandInput<O>, context: CliContext) => Promise<number>;
}

/** Commands under one name: `trenio hlo verify`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Their names have two words: the group's name and their own. */
  readonly commands: readonly Command[];
}
export type AnyCommand = Command | CommandGroup;
export const isGroup = (command: AnyCommand): command is CommandGroup => 'commands' in command;

/** Keeps the exact option types while checking the shape. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command;
}
