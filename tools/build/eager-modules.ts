import ts from 'typescript';

/** esbuild's wrapper of an ES module: a function that runs when the module is first needed. */
const wrapper = '__esm';

/**
 * Puts the functions around the modules of a bundle in parentheses: V8 compiles such functions together with the script,
 * so a code cache has them, and all others when they are first called. Throws when the bundle has none.
 */
export function compileModulesEagerly(bundle: string): string {
  const insertions = ts
    .createSourceFile('bundle.js', bundle, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS)
    .statements.flatMap((statement) =>
      ts.isVariableStatement(statement) ? statement.declarationList.declarations.flatMap(parentheses) : [],
    );
  if (insertions.length === 0) throw new Error(`the bundle calls no ${wrapper}: which function wraps its modules?`);
  const pieces: string[] = [];
  let at = 0;
  for (const { position, text } of insertions) {
    pieces.push(bundle.slice(at, position), text);
    at = position;
  }
  return [...pieces, bundle.slice(at)].join('');
}

interface Insertion {
  readonly position: number;
  readonly text: string;
}

/** From `__esm({"a.ts"(){}})` to `__esm({"a.ts":(function(){})})`. */
function parentheses({ initializer }: ts.VariableDeclaration): readonly Insertion[] {
  if (initializer === undefined || !ts.isCallExpression(initializer)) return [];
  const {
    expression,
    arguments: [modules],
  } = initializer;
  if (!ts.isIdentifier(expression) || expression.text !== wrapper) return [];
  if (modules === undefined || !ts.isObjectLiteralExpression(modules)) return [];
  return modules.properties.filter(ts.isMethodDeclaration).flatMap(({ name, end }) => [
    { position: name.end, text: ':(function' },
    { position: end, text: ')' },
  ]);
}
