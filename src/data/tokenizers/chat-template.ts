// Chat templates: Jinja templates that format messages as the text a model was trained on, rendered by `@huggingface/jinja`.
// Errors name the line of the template.
import { Environment, Interpreter, Template, tokenize } from '@huggingface/jinja';
import { TrenioError } from '../../base/errors.ts';

/** One message of a conversation; templates may use other fields, too. */
export interface ChatMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string;
  /** The text of the message, or its parts. */
  readonly content?: string | null | readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** A node of the syntax tree: the fields that are used to find lines. */
interface Node {
  type: string;
  readonly value?: unknown;
}
const leafTypes = new Set(['Identifier', 'StringLiteral', 'IntegerLiteral', 'FloatLiteral']);

export class ChatTemplate {
  readonly #file: string;
  readonly #template: Template;
  /** The line of the node that was evaluated last. */
  #line = 1;

  /** @throws {CHAT_TEMPLATE_FAILED} for a syntax error */
  constructor(source: string, file: string) {
    this.#file = file;
    try {
      this.#template = new Template(source);
    } catch (cause) {
      // The parser reads beyond the last token.
      if (cause instanceof TypeError)
        throw this.#failed(
          source.split('\n').length,
          new SyntaxError('unexpected end of the template in a block or an expression'),
        );
      throw this.#failed(lineOfSyntaxError(source, cause as Error), cause as Error);
    }
    this.#follow(this.#template.parsed as unknown as Node, leavesOf(source));
  }

  /** @throws {CHAT_TEMPLATE_FAILED} with the line */
  render(variables: Readonly<Record<string, unknown>>): string {
    this.#line = 1;
    try {
      const environment = new Environment();
      for (const [name, value] of Object.entries({ ...globals, ...variables })) environment.set(name, value);
      return String(new StrictInterpreter(environment).run(this.#template.parsed).value);
    } catch (cause) {
      throw this.#failed(this.#line, cause as Error);
    }
  }

  #failed(line: number, cause: Error): TrenioError {
    return new TrenioError('CHAT_TEMPLATE_FAILED', { file: this.#file, line, problem: cause.message }, { cause });
  }

  /** Records a node's line when the interpreter reads its type, which it does to evaluate the node. */
  #follow(node: Node, leaves: Leaves): number | undefined {
    let line = leafTypes.has(node.type) ? leaves.lineOf(String(node.value)) : undefined;
    for (const child of childrenOf(node)) {
      const first = this.#follow(child, leaves);
      line ??= first;
    }
    if (line === undefined) return undefined;
    const { type } = node;
    Object.defineProperty(node, 'type', {
      get: () => {
        this.#line = line;
        return type;
      },
    });
    return line;
  }
}

/** A value of the interpreter. */
interface Evaluated {
  readonly type: string;
  readonly value: unknown;
}
/** The methods of the library's interpreter that are used here; its own types do not resolve. */
interface LibraryInterpreter {
  run(program: unknown): Evaluated;
  evaluate(node: Node | undefined, environment: unknown): Evaluated;
}
const LibraryInterpreter = Interpreter as unknown as new (environment: unknown) => LibraryInterpreter;

interface MemberExpression extends Node {
  readonly object: Node;
  readonly property: Node;
  readonly computed: boolean;
}
/** A node that has been evaluated. */
interface Constant extends Node {
  readonly result: Evaluated;
}

interface For extends Node {
  readonly iterable: Node;
}

/** As in Jinja, an attribute of an undefined value is an error, and a loop over one does nothing; the library differs in both. */
class StrictInterpreter extends LibraryInterpreter {
  override evaluate(node: Node | undefined, environment: unknown): Evaluated {
    if (node?.type === 'Constant') return (node as Constant).result;
    if (node?.type === 'For') return super.evaluate(this.#withoutUndefined(node as For, environment), environment);
    if (node?.type !== 'MemberExpression') return super.evaluate(node, environment);
    const { object, property, computed } = node as MemberExpression;
    const result = this.evaluate(object, environment);
    if (result.type === 'UndefinedValue') throw new Error(`${nameOf(object)} is undefined`);
    const constant: Constant = { type: 'Constant', result };
    return super.evaluate({ type: 'MemberExpression', object: constant, property, computed } as Node, environment);
  }
  /** A loop over nothing in place of one over an undefined variable. */
  #withoutUndefined(loop: For, environment: unknown): Node {
    const { iterable } = loop;
    if (iterable.type !== 'Identifier' && iterable.type !== 'MemberExpression') return loop;
    const isUndefined = this.evaluate(iterable, environment).type === 'UndefinedValue';
    return isUndefined ? ({ ...loop, iterable: { type: 'ArrayLiteral', value: [] } } as Node) : loop;
  }
}

/** An expression as in the template: `messages[0].role`. */
function nameOf(node: Node): string {
  const { object, property, computed } = node as MemberExpression;
  if (node.type === 'MemberExpression')
    return computed ? `${nameOf(object)}[${nameOf(property)}]` : `${nameOf(object)}.${nameOf(property)}`;
  if (node.type === 'StringLiteral') return `'${String(node.value)}'`;
  return typeof node.value === 'string' || typeof node.value === 'number' ? String(node.value) : 'a value';
}

/** The variables and functions that every template has. */
const globals: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  raise_exception: (message: string) => {
    throw new Error(message);
  },
  range: (first: number, end?: number, step = 1) => {
    const [start, stop] = end === undefined ? [0, first] : [first, end];
    if (step === 0) throw new Error('range() step must not be zero');
    return Array.from({ length: Math.max(0, Math.ceil((stop - start) / step)) }, (_, i) => start + i * step);
  },
  strftime_now: (format: string) => new Template('{{ strftime_now(format) }}').render({ format }),
};

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** The children of a node, approximately in the order of the source. */
function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value: unknown): Node[] => {
    if (isNode(value)) return [value];
    const entries: unknown[] = value instanceof Map ? [...value].flat() : Array.isArray(value) ? value.flat() : [];
    return entries.filter(isNode);
  });
}

interface Leaves {
  /** The line of the next token with this text. */
  lineOf(text: string): number | undefined;
}

/** The tokens of a template that become leaves of its tree, with their lines, which the library does not keep. */
function leavesOf(source: string): Leaves {
  let [at, line, counted] = [0, 1, 0];
  const found: { readonly text: string; readonly line: number }[] = [];
  for (const { value, type } of tokenize(source, { lstrip_blocks: true, trim_blocks: true })) {
    const start = source.indexOf(value, at);
    if (start >= 0) at = start + value.length;
    for (; counted < Math.max(start, 0); counted++) if (source[counted] === '\n') line++;
    if (type === 'Identifier' || type === 'StringLiteral' || type === 'NumericLiteral')
      found.push({ text: value, line });
  }
  let next = 0;
  return {
    lineOf(text) {
      const index = found.findIndex((leaf, i) => i >= next && leaf.text === text);
      if (index < 0) return undefined;
      next = index + 1;
      return found[index]!.line;
    },
  };
}

/** The first line after which the template fails with the same error as the complete template. */
function lineOfSyntaxError(source: string, error: Error): number {
  const lines = source.split('\n');
  const fails = (count: number): boolean => {
    try {
      new Template(lines.slice(0, count).join('\n'));
      return false;
    } catch (other) {
      return (other as Error).message === error.message;
    }
  };
  const first = lines.findIndex((_, i) => fails(i + 1));
  return first < 0 ? lines.length : first + 1;
}
