// A Jinja template with Python's values, as transformers renders chat templates. The engine is our own: templates come with model
// files, so rendering has limits and reads nothing but the variables.
import { compileTemplate } from './compiler.ts';
import { TemplateSyntaxError } from './lexer.ts';
import { parseTemplate } from './parser.ts';
import { type Limits, Run } from './run.ts';
import { forgetTexts, fromJavaScript, type Value } from './values.ts';

/** An error of a template, with its line. */
export class TemplateFailure extends Error {
  readonly line: number;
  constructor(message: string, line: number, cause: unknown) {
    super(message, { cause });
    this.line = line;
  }
}

export class Template {
  readonly #render: (run: Run, variables: ReadonlyMap<string, Value>) => string;
  /** @throws {TemplateFailure} for a syntax error */
  constructor(source: string) {
    try {
      this.#render = compileTemplate(parseTemplate(source));
    } catch (error) {
      throw failure(error, error instanceof TemplateSyntaxError ? error.line : 1);
    }
  }
  /** @throws {TemplateFailure} */
  render(variables: Readonly<Record<string, unknown>>, limits?: Limits): string {
    const run = new Run(limits);
    try {
      const values = new Map<string, Value>();
      for (const [name, value] of Object.entries(variables))
        if (value !== undefined) values.set(name, fromJavaScript(value));
      return this.#render(run, values);
    } catch (error) {
      throw failure(error, run.line);
    } finally {
      forgetTexts();
    }
  }
}
function failure(error: unknown, line: number): TemplateFailure {
  const message = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
  return new TemplateFailure(message, line, error);
}
