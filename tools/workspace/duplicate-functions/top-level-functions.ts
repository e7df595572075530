import ts from 'typescript';

/** A top-level function as its tokens, without types and with its own names numbered. */
export interface TopLevelFunction {
  readonly name: string;
  readonly line: number;
  readonly isExported: boolean;
  readonly tokens: readonly string[];
}

type Functional = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction;

/** Finds `function name` and `const name = (...) =>` in a source text. */
export function topLevelFunctions(text: string): readonly TopLevelFunction[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest);
  const found: TopLevelFunction[] = [];
  const add = (name: string, statement: ts.Statement, fn: Functional): void => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
    const { line } = source.getLineAndCharacterOfPosition(statement.getStart(source));
    found.push({ name, line: line + 1, isExported, tokens: tokensOf(fn) });
  };
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined && statement.body !== undefined) {
      add(statement.name.text, statement, statement);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer === undefined || !ts.isIdentifier(name)) continue;
        if (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) {
          add(name.text, statement, initializer);
        }
      }
    }
  }
  return found;
}

function tokensOf(fn: Functional): readonly string[] {
  const own = namesOf(fn);
  const tokens: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node)) tokens.push(own.get(node.text) ?? node.text);
    else if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node)) tokens.push(JSON.stringify(node.text));
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
      tokens.push(`unary ${node.operator}`);
    // Nodes that only group statements or wrap a type are skipped, so that `=> x` equals `{ return x; }`.
    else if (!ts.isBlock(node) && !ts.isReturnStatement(node) && !ts.isAsExpression(node)) tokens.push(`${node.kind}`);
    ts.forEachChild(node, visit);
  };
  fn.parameters.forEach(visit);
  if (fn.body !== undefined) visit(fn.body);
  return tokens;
}

/** Names that the function declares, numbered in order of declaration. */
function namesOf(fn: Functional): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const collect = (node: ts.Node): void => {
    const declares = ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node);
    if (declares && ts.isIdentifier(node.name) && !names.has(node.name.text)) {
      names.set(node.name.text, `$${names.size}`);
    }
    ts.forEachChild(node, collect);
  };
  fn.parameters.forEach(collect);
  if (fn.body !== undefined) collect(fn.body);
  return names;
}
