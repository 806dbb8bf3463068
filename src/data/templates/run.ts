// One rendering of a template: its limits, its output and the line that is evaluated. Work that grows with the size of its
// operands is charged before it is done, so that a hostile template ends with an error instead of taking time and memory.

/** Errors of Python that a template can cause; some filters and lookups react to the kind. */
export type ErrorKind =
  | 'IndexError'
  | 'KeyError'
  | 'LimitExceeded'
  | 'OverflowError'
  | 'SecurityError'
  | 'TemplateError'
  | 'TypeError'
  | 'UndefinedError'
  | 'ValueError'
  | 'ZeroDivisionError';

export class PythonError extends Error {
  readonly kind: ErrorKind;
  constructor(kind: ErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
export const typeError = (message: string): PythonError => new PythonError('TypeError', message);
export const valueError = (message: string): PythonError => new PythonError('ValueError', message);

/** The limits of one rendering; docs/security.md states them. */
export interface Limits {
  readonly steps: number;
  readonly milliseconds: number;
  readonly units: number;
}
export const templateLimits: Limits = { steps: 50_000_000, milliseconds: 10_000, units: 1 << 26 };
const stepsBetweenClocks = 4096;

export class Run {
  /** The line of the template that is evaluated. */
  line = 1;
  /** The text written so far, by the template or by the block that is being captured. */
  out = '';
  readonly #limits: Limits;
  #steps: number;
  #units: number;
  #nextClock: number;
  readonly #deadline: number;
  constructor(limits: Limits = templateLimits) {
    this.#limits = limits;
    this.#steps = limits.steps;
    this.#units = limits.units;
    this.#nextClock = limits.steps - stepsBetweenClocks;
    this.#deadline = performance.now() + limits.milliseconds;
  }

  /** Charges work: a step is about one operation, or 16 characters that are read. */
  step(count = 1): void {
    this.#steps -= count;
    if (this.#steps > this.#nextClock) return;
    this.#nextClock = this.#steps - stepsBetweenClocks;
    if (this.#steps < 0) throw limit(`more than ${this.#limits.steps} steps`);
    if (performance.now() > this.#deadline) throw limit(`more than ${this.#limits.milliseconds / 1000} seconds`);
  }
  /** Charges the reading of a text of this length. */
  read(length: number): void {
    this.step(1 + Math.floor(length / 16));
  }
  /** Charges memory, before it is used: a unit is a character, an item of a list counts as 8. */
  allocate(units: number): void {
    this.#units -= units;
    if (this.#units < 0 || Number.isNaN(units)) throw limit(`more than ${this.#limits.units} characters in total`);
    this.read(units);
  }
  write(text: string): void {
    this.allocate(text.length);
    this.out += text;
  }
  /** Returns the text that `body` writes. */
  capture(body: () => void): string {
    const outer = this.out;
    this.out = '';
    try {
      body();
      return this.out;
    } finally {
      this.out = outer;
    }
  }
}

const limit = (what: string): PythonError =>
  new PythonError('LimitExceeded', `the template takes ${what}, the limit of one rendering`);
