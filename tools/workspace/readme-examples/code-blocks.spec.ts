import { describe, expect, it } from '@jest/globals';
import { codeBlocks } from './code-blocks.js';

describe('codeBlocks', () => {
  it('finds ts blocks with their lines and leaves other languages alone', () => {
    const markdown = ['# x', '```ts', 'const a = 1;', '', '```', '```typescript', 'fragment', '```', '```yaml', '```'];
    expect(codeBlocks(markdown.join('\n'))).toEqual([{ line: 2, code: 'const a = 1;\n' }]);
  });
});
