// Chat templates: Jinja templates that format messages as the text a model was trained on.
import { TrenioError } from '../../base/errors.ts';
import { Template, type TemplateFailure } from '../templates/template.ts';

/** One message of a conversation; templates may use other fields, too. */
export interface ChatMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string;
  /** The text of the message, or its parts. */
  readonly content?: string | null | readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

export class ChatTemplate {
  readonly #file: string;
  readonly #template: Template;

  /** @throws {CHAT_TEMPLATE_FAILED} for a syntax error */
  constructor(source: string, file: string) {
    this.#file = file;
    this.#template = this.#checked(() => new Template(source));
  }

  /** @throws {CHAT_TEMPLATE_FAILED} with the line */
  render(variables: Readonly<Record<string, unknown>>): string {
    return this.#checked(() => this.#template.render(variables));
  }

  #checked<T>(action: () => T): T {
    try {
      return action();
    } catch (cause) {
      const { line, message } = cause as TemplateFailure;
      throw new TrenioError('CHAT_TEMPLATE_FAILED', { file: this.#file, line, problem: message }, { cause });
    }
  }
}
