// The line with the reason of a failed program: the last one that names an error, `TypeError: …` of Node or `ValueError: …` of
// Python; else its last line.

const ERROR = /^(?:\w+\.)*\w*(?:Error|Exception)(?: \[\w+\])?: /;

export class FailureLine {
  #last = '';
  #lastError: string | undefined;

  add(line: string): void {
    if (line.trim() !== '') this.#last = line;
    if (ERROR.test(line)) this.#lastError = line;
  }

  get text(): string {
    return this.#lastError ?? this.#last;
  }
}
