export interface CodeBlock {
  /** Line of the fence, counted from 1. */
  readonly line: number;
  readonly code: string;
}

/** Blocks fenced with exactly three backticks and `ts`. Use `typescript` for a fragment that does not compile alone. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { line: number; code: string[] } | undefined;
  markdown.split('\n').forEach((text, index) => {
    if (open === undefined) {
      if (/^```ts\s*$/.test(text)) open = { line: index + 1, code: [] };
    } else if (/^```\s*$/.test(text)) {
      blocks.push({ line: open.line, code: open.code.join('\n') });
      open = undefined;
    } else open.code.push(text);
  });
  return blocks;
}
