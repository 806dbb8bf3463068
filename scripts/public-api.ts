// The exports of `trenio`, as shown by an editor: each name with its documentation, its examples and its members. Read from the
// sources by the compiler that checks the project.
import { join } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import {
  API,
  type Symbol as ApiSymbol,
  type Checker,
  ModifierFlags,
  NodeBuilderFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
} from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '..');

interface Documented {
  /** The type as TypeScript writes it; of a function, with all overloads. */
  readonly type: string;
  readonly text: string;
  /** `@throws`, `@param` and so on, without examples. */
  readonly tags: readonly { readonly name: string; readonly text: string }[];
  readonly isDocumented: boolean;
  readonly examples: readonly string[];
}
export interface Member extends Documented {
  readonly name: string;
}
export interface PublicName extends Documented {
  /** The first path under which it is exported: `nn.functional.relu`. */
  readonly path: string;
  readonly kind: 'function' | 'class' | 'value' | 'type';
  /** Where it is declared, from the root of the repository. */
  readonly file: string;
  /** For classes, interfaces and object types: the public members that are declared in this repository. */
  readonly members: readonly Member[];
}

/** The compiler with a project open. `files` are read instead of those on disk. */
export function openProject(config: string, files: ReadonlyMap<string, string> = new Map()) {
  const api = new API({
    cwd: root,
    fs: {
      readFile: path => files.get(path),
      fileExists: path => files.has(path) || undefined,
      directoryExists: path => [...files.keys()].some(file => file.startsWith(`${path}/`)) || undefined,
    },
  });
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`the compiler does not open ${config}`);
  return { project, [Symbol.dispose]: () => api.close() };
}

/** @param entry the module, as `src/index.ts` */
export function publicApi(entry = 'src/index.ts'): readonly PublicName[] {
  using opened = openProject(`${root}/tsconfig.json`);
  return new Reader(opened.project).read(`${root}/${entry}`);
}

class Reader {
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #seen = new Set<number>();
  readonly #names: PublicName[] = [];

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  read(file: string): readonly PublicName[] {
    const source = this.#project.program.getSourceFile(file);
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is not a module of the project`);
    this.#readModule(module, '');
    return this.#names;
  }

  #readModule(module: ApiSymbol, prefix: string): void {
    for (const exported of this.#checker.getExportsOfModule(module)) {
      const symbol = exported.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(exported) : exported;
      if (this.#seen.has(symbol.id)) continue;
      this.#seen.add(symbol.id);
      const path = `${prefix}${exported.name}`;
      if (symbol.flags & SymbolFlags.ValueModule) this.#readModule(symbol, `${path}.`);
      else this.#names.push(this.#nameOf(path, symbol));
    }
  }

  #nameOf(path: string, symbol: ApiSymbol): PublicName {
    return {
      path,
      kind: this.#kindOf(symbol),
      file: this.#fileOf(symbol),
      ...this.#documented(symbol),
      members: this.#membersOf(symbol),
    };
  }

  #documented(symbol: ApiSymbol): Documented {
    return {
      type: this.#typeOf(symbol),
      text: this.#checker.getDocumentationCommentOfSymbol(symbol),
      tags: this.#checker
        .getJsDocTagsOfSymbol(symbol)
        .flatMap(({ name, text = '' }) => (name === 'example' ? [] : [{ name, text }])),
      isDocumented: this.#isDocumented(symbol),
      examples: this.#examplesOf(symbol),
    };
  }
  #typeOf(symbol: ApiSymbol): string {
    const type =
      symbol.flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias)
        ? this.#checker.getDeclaredTypeOfSymbol(symbol)
        : this.#checker.getTypeOfSymbol(symbol);
    if (type === undefined) return '';
    if (!(symbol.flags & SymbolFlags.Class))
      return this.#checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation);
    return this.#checker
      .getSignaturesOfType(type, SignatureKind.Construct)
      .flatMap(signature => {
        const { ConstructSignature } = SyntaxKind;
        const flags = NodeBuilderFlags.NoTruncation;
        const node = this.#checker.signatureToSignatureDeclaration(signature, ConstructSignature, undefined, flags);
        return node === undefined ? [] : [this.#project.emitter.printNode(node)];
      })
      .join('\n');
  }
  #kindOf(symbol: ApiSymbol): PublicName['kind'] {
    if (symbol.flags & SymbolFlags.Function) return 'function';
    if (symbol.flags & SymbolFlags.Class) return 'class';
    if (!(symbol.flags & SymbolFlags.Variable)) return 'type';
    const type = this.#checker.getTypeOfSymbol(symbol)!;
    return this.#checker.getSignaturesOfType(type, SignatureKind.Call).length > 0 ? 'function' : 'value';
  }
  #fileOf(symbol: ApiSymbol): string {
    return symbol.declarations[0]?.path.slice(root.length + 1) ?? '';
  }
  /** Overloads may repeat one. */
  #examplesOf(symbol: ApiSymbol): readonly string[] {
    const tags = this.#checker.getJsDocTagsOfSymbol(symbol).filter(({ name }) => name === 'example');
    return [...new Set(tags.map(({ text = '' }) => text))];
  }
  /** Documented, or marked as missing with a replacement. */
  #isDocumented(symbol: ApiSymbol): boolean {
    return (
      this.#checker.getDocumentationCommentOfSymbol(symbol) !== '' ||
      this.#checker.getJsDocTagsOfSymbol(symbol).some(({ name }) => name === 'deprecated')
    );
  }

  #membersOf(symbol: ApiSymbol): readonly Member[] {
    const members =
      symbol.flags & SymbolFlags.TypeAlias
        ? this.#checker.getPropertiesOfType(this.#checker.getDeclaredTypeOfSymbol(symbol))
        : symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface)
          ? [...symbol.getMembers().values(), ...(symbol.flags & SymbolFlags.Class ? symbol.getExports().values() : [])]
          : [];
    return members
      .filter(member => this.#isPublic(member))
      .map(member => ({
        name: member.name,
        ...this.#documented(member),
        isDocumented: this.#isDocumented(member) || this.#isInherited(symbol, member.name),
      }));
  }
  /** Constructors and signatures are omitted: their class or interface documents them. */
  #isPublic(member: ApiSymbol): boolean {
    if (
      member.flags & (SymbolFlags.TypeParameter | SymbolFlags.Constructor | SymbolFlags.Signature) ||
      member.escapedName.includes('#')
    )
      return false;
    const [declaration] = member.declarations;
    if (!declaration || ![`${root}/src/`, `${root}/contrib/`].some(folder => declaration.path.startsWith(folder)))
      return false;
    if (this.#isDocumented(member)) return !this.#isInternal(member);
    const { modifierFlags = 0 } = (declaration.resolve(this.#project) ?? {}) as { readonly modifierFlags?: number };
    return !this.#isInternal(member) && !(modifierFlags & (ModifierFlags.Private | ModifierFlags.Protected));
  }
  #isInternal(member: ApiSymbol): boolean {
    return this.#checker.getJsDocTagsOfSymbol(member).some(({ name }) => name === 'internal');
  }
  /** Whether a class or interface that this one extends documents the member. */
  #isInherited(owner: ApiSymbol, name: string): boolean {
    if (!(owner.flags & (SymbolFlags.Class | SymbolFlags.Interface))) return false;
    const type = this.#checker.getDeclaredTypeOfSymbol(owner);
    return (type.isClassOrInterface() ? this.#checker.getBaseTypes(type) : []).some(base => {
      const inherited = this.#checker.getPropertyOfType(base, name);
      const parent = base.getSymbol();
      if (inherited === undefined || parent === undefined) return false;
      return this.#isDocumented(inherited) || this.#isInternal(inherited) || this.#isInherited(parent, name);
    });
  }
}
