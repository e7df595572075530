import { transformAsync, types as t, type NodePath, type PluginObj } from '@babel/core';

export interface ProbedCode {
  readonly code: string;
  /** How many counters the code needs in `globalThis.fuzzProbes`. */
  readonly probes: number;
  /** Short texts and numbers in the code: what it compares its input with. */
  readonly words: readonly string[];
}

const mostWords = 3000;
const word = /^[!-~][ -~]{1,39}$/;

/** Adds a counter to each branch of the code, which tells the fuzzer which inputs reach something new. */
export async function addProbes(code: string, fileName: string): Promise<ProbedCode> {
  let probes = 0;
  const words = new Set<string>();
  const probe = (): t.Expression =>
    t.updateExpression('++', t.memberExpression(t.identifier('fuzzProbes'), t.numericLiteral(probes++), true));
  const counted = (expression: t.Expression): t.Expression => t.sequenceExpression([probe(), expression]);
  const block = (statement: t.Statement | null | undefined): t.BlockStatement =>
    t.blockStatement([t.expressionStatement(probe()), ...(statement ? [statement] : [])]);
  const plugin: PluginObj = {
    visitor: {
      Function({ node }) {
        if (t.isBlockStatement(node.body)) node.body.body.unshift(t.expressionStatement(probe()));
        else node.body = counted(node.body);
      },
      IfStatement({ node }) {
        node.consequent = block(node.consequent);
        node.alternate = block(node.alternate);
      },
      ConditionalExpression({ node }) {
        node.consequent = counted(node.consequent);
        node.alternate = counted(node.alternate);
      },
      LogicalExpression({ node }) {
        node.right = counted(node.right);
      },
      SwitchCase({ node }) {
        node.consequent.unshift(t.expressionStatement(probe()));
      },
      Loop({ node }: NodePath<t.Loop>) {
        node.body = block(node.body);
      },
      CatchClause({ node }) {
        node.body.body.unshift(t.expressionStatement(probe()));
      },
      StringLiteral({ node }) {
        if (word.test(node.value) && words.size < mostWords) words.add(node.value);
      },
    },
  };
  const result = await transformAsync(code, {
    filename: fileName,
    plugins: [plugin],
    babelrc: false,
    configFile: false,
    compact: false,
    retainLines: true,
    sourceType: 'script',
  });
  return { code: `const fuzzProbes = globalThis.fuzzProbes;${result?.code ?? ''}`, probes, words: [...words] };
}
