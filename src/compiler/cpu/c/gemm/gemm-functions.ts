// The C of one multiply in parts: functions that it may share with other multiplies, and its own function.

/** Shared functions by name, each after those it calls, and the multiply itself. */
export interface GemmParts {
  readonly helpers: ReadonlyMap<string, string>;
  readonly code: string;
}

/** A growing set of shared functions and lines. */
export class PartsBuilder {
  readonly helpers = new Map<string, string>();
  readonly lines: string[] = [];
  #indent = 0;

  /** Adds a shared function unless it exists already. */
  share(name: string, emit: () => string): void {
    if (!this.helpers.has(name)) this.helpers.set(name, emit());
  }

  /** A line at the current depth. A line that starts with `}` closes a block, one that ends in `{` opens one. */
  line(...lines: readonly string[]): void {
    for (const line of lines) {
      if (line.startsWith('}')) this.#indent--;
      this.lines.push(line === '' ? '' : '  '.repeat(this.#indent) + line);
      if (line.endsWith('{')) this.#indent++;
    }
  }

  build(): GemmParts {
    return { helpers: this.helpers, code: `${this.lines.join('\n')}\n` };
  }
}
