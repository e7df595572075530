import ts from 'typescript';

/** Names that a source imports from npm packages. */
export function importedNames(text: string): readonly { readonly name: string; readonly from: string }[] {
  const { statements } = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest);
  return statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const from = ts.isStringLiteral(moduleSpecifier) ? packageName(moduleSpecifier.text) : undefined;
    const bindings = importClause?.namedBindings;
    if (from === undefined || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ name }) => ({ name: name.text, from }));
  });
}

/** `@scope/name` or `name` of a bare specifier; undefined for relative ones and Node's own modules. */
export function packageName(specifier: string): string | undefined {
  if (/^(\.|\/|node:|#)/.test(specifier)) return undefined;
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
}
