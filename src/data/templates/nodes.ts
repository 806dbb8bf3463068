// The syntax tree of a template. Fields are in the order in which Jinja visits them, which decides the scopes of variables.
import type { Value } from './values.ts';

interface At {
  readonly line: number;
}
export interface Name extends At {
  readonly kind: 'name';
  readonly name: string;
  readonly use: 'load' | 'store' | 'param';
}
export interface NamespaceField extends At {
  readonly kind: 'namespaceField';
  readonly name: string;
  readonly field: string;
}
export interface TupleNode extends At {
  readonly kind: 'tuple';
  readonly items: readonly Expression[];
}
export type Target = Name | NamespaceField | (TupleNode & { readonly items: readonly Target[] });
export interface Arguments {
  readonly args: readonly Expression[];
  readonly kwargs: readonly { readonly name: string; readonly value: Expression }[];
  readonly moreArgs: Expression | undefined;
  readonly moreKwargs: Expression | undefined;
}
export interface Call extends At {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly given: Arguments;
}
export interface FilterNode extends At {
  readonly kind: 'filter';
  /** Undefined: the text of the block that is filtered. */
  readonly value: Expression | undefined;
  readonly name: string;
  readonly given: Arguments;
}
export interface TestNode extends At {
  readonly kind: 'test';
  readonly value: Expression;
  readonly name: string;
  readonly given: Arguments;
}
export interface SliceNode extends At {
  readonly kind: 'slice';
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';
export type Expression =
  | Name
  | NamespaceField
  | TupleNode
  | Call
  | FilterNode
  | TestNode
  | SliceNode
  | (At & { readonly kind: 'constant'; readonly value: Value })
  | (At & { readonly kind: 'list'; readonly items: readonly Expression[] })
  | (At & {
      readonly kind: 'dict';
      readonly items: readonly { readonly key: Expression; readonly value: Expression }[];
    })
  | (At & {
      readonly kind: 'condition';
      readonly test: Expression;
      readonly chosen: Expression;
      readonly otherwise: Expression | undefined;
    })
  | (At & { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression })
  | (At & { readonly kind: 'not'; readonly value: Expression })
  | (At & { readonly kind: 'sign'; readonly sign: '-' | '+'; readonly value: Expression })
  | (At & {
      readonly kind: 'arithmetic';
      readonly operator: '+' | '-' | '*' | '/' | '//' | '%' | '**';
      readonly left: Expression;
      readonly right: Expression;
    })
  | (At & { readonly kind: 'concat'; readonly items: readonly Expression[] })
  | (At & {
      readonly kind: 'compare';
      readonly first: Expression;
      readonly rest: readonly { readonly operator: Comparison; readonly value: Expression }[];
    })
  | (At & { readonly kind: 'attribute'; readonly value: Expression; readonly name: string })
  | (At & { readonly kind: 'item'; readonly value: Expression; readonly key: Expression });

export interface Signature {
  readonly params: readonly Name[];
  readonly defaults: readonly Expression[];
}
export interface For extends At {
  readonly kind: 'for';
  readonly target: Target;
  readonly iter: Expression;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
  readonly test: Expression | undefined;
  readonly recursive: boolean;
}
export interface If extends At {
  readonly kind: 'if';
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[];
}
export interface MacroNode extends At {
  readonly kind: 'macro';
  readonly name: string;
  readonly signature: Signature;
  readonly body: readonly Statement[];
}
export interface CallBlock extends At {
  readonly kind: 'callBlock';
  readonly call: Call;
  readonly signature: Signature;
  readonly body: readonly Statement[];
}
export interface SetBlock extends At {
  readonly kind: 'setBlock';
  readonly target: Target;
  readonly filter: Expression | undefined;
  readonly body: readonly Statement[];
}
export interface With extends At {
  readonly kind: 'with';
  readonly targets: readonly Target[];
  readonly values: readonly Expression[];
  readonly body: readonly Statement[];
}
export interface FilterBlock extends At {
  readonly kind: 'filterBlock';
  readonly body: readonly Statement[];
  readonly filter: Expression;
}
export interface Block extends At {
  readonly kind: 'block';
  readonly name: string;
  readonly body: readonly Statement[];
  readonly scoped: boolean;
}
export interface Generation extends At {
  readonly kind: 'generation';
  readonly body: readonly Statement[];
}
export type Statement =
  | (At & { readonly kind: 'output'; readonly items: readonly (string | Expression)[] })
  | (At & { readonly kind: 'set'; readonly target: Target; readonly value: Expression })
  | (At & { readonly kind: 'break' | 'continue' })
  /** `include`, `import`, `from`, `extends`: there are no other templates. */
  | (At & { readonly kind: 'load'; readonly optional: boolean })
  | For
  | If
  | MacroNode
  | CallBlock
  | SetBlock
  | With
  | FilterBlock
  | Block
  | Generation;
export type Node = Expression | Statement;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { kind?: unknown }).kind === 'string';
/** The children of a node, or of a part of one, in order. */
export function childrenOf(node: object): Node[] {
  return Object.values(node).flatMap((field: unknown): Node[] => {
    if (isNode(field)) return [field];
    if (Array.isArray(field))
      return field.flatMap(one =>
        isNode(one) ? [one] : typeof one === 'object' && one !== null ? childrenOf(one as object) : [],
      );
    // Constants hold values, which are no parts of the tree.
    return typeof field === 'object' && field !== null && Object.getPrototypeOf(field) === Object.prototype
      ? childrenOf(field)
      : [];
  });
}
