import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** One exported or used declaration, as text without comments. */
export interface Declaration {
  readonly name: string;
  /** Path of the declaration file. */
  readonly file: string;
  readonly text: string;
  /** Every identifier in it, to find the declarations that it uses. */
  readonly identifiers: ReadonlySet<string>;
}

interface Module {
  readonly declarations: ReadonlyMap<string, readonly Declaration[]>;
  /** Exported name -> its source module and its name there. */
  readonly reexports: readonly {
    readonly exported: string;
    readonly local: string;
    readonly from: string | undefined;
  }[];
  /** Local name -> source module and name of the import. */
  readonly imports: ReadonlyMap<string, { readonly from: string; readonly name: string }>;
}

/** Reads declaration files and follows names through relative imports and exports. */
export class DeclarationReader {
  private readonly modules = new Map<string, Module>();

  /** The declarations that the entry exports, in order; a name from another package has no declaration here. */
  exportsOf(entry: string): Map<string, readonly Declaration[]> {
    const module = this.module(entry);
    const names = new Map<string, readonly Declaration[]>();
    for (const [name, found] of module.declarations) {
      if (found.some(({ text }) => text.startsWith('export '))) names.set(name, found);
    }
    for (const { exported, local, from } of module.reexports) {
      names.set(exported, from === undefined ? this.find(entry, local) : this.find(resolveModule(entry, from), local));
    }
    return names;
  }

  /** Declarations of the same package that `declaration` uses directly. */
  usedBy(declaration: Declaration): Declaration[] {
    return [...declaration.identifiers].flatMap((name) => this.find(declaration.file, name));
  }

  /** The declarations of `name` in `file`, through relative imports and re-exports. */
  private find(file: string | undefined, name: string): readonly Declaration[] {
    if (file === undefined) return [];
    const module = this.module(file);
    const own = module.declarations.get(name);
    if (own !== undefined) return own;
    const reexport = module.reexports.find(({ exported, from }) => exported === name && from !== undefined);
    if (reexport?.from !== undefined) return this.find(resolveModule(file, reexport.from), reexport.local);
    const imported = module.imports.get(name);
    return imported === undefined ? [] : this.find(resolveModule(file, imported.from), imported.name);
  }

  private module(file: string): Module {
    const known = this.modules.get(file);
    if (known !== undefined) return known;
    const read = readModule(file);
    this.modules.set(file, read);
    return read;
  }
}

function readModule(file: string): Module {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true);
  const declarations = new Map<string, Declaration[]>();
  const reexports: { exported: string; local: string; from: string | undefined }[] = [];
  const imports = new Map<string, { from: string; name: string }>();
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      const from = specifierOf(statement.moduleSpecifier);
      for (const { name, propertyName } of statement.exportClause.elements) {
        reexports.push({ exported: name.text, local: (propertyName ?? name).text, from });
      }
    } else if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      const from = specifierOf(statement.moduleSpecifier);
      if (bindings === undefined || from === undefined || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName } of bindings.elements) {
        imports.set(name.text, { from, name: (propertyName ?? name).text });
      }
    } else {
      const text = statement.getText(source);
      for (const name of namesOf(statement)) {
        const declaration = { name, file, text, identifiers: identifiersIn(statement) };
        declarations.set(name, [...(declarations.get(name) ?? []), declaration]);
      }
    }
  }
  return { declarations, reexports, imports };
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name === undefined ? [] : [name.getText()];
}

function identifiersIn(root: ts.Node): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function specifierOf(node: ts.Expression | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteral(node) ? node.text : undefined;
}

/** The declaration file of a relative import; undefined for other packages. */
function resolveModule(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const file = path.resolve(path.dirname(from), specifier.replace(/\.js$/, '.d.ts'));
  return existsSync(file) ? file : undefined;
}
