// Indented text: the output of the kernel printers.
export class Writer {
  readonly lines: string[] = [];
  #depth = 0;

  line(text: string): void {
    this.lines.push(text === '' ? '' : `${'  '.repeat(this.#depth)}${text}`);
  }
  /** A preprocessor directive, indented like its loop. */
  open(text: string): void {
    this.line(`${text} {`);
    this.#depth++;
  }
  close(after = ''): void {
    this.#depth--;
    this.line(`}${after}`);
  }
  toString(): string {
    return this.lines.join('\n');
  }
}
