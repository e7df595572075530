import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../repository-root.js';
import { changedPlaces, placesInTables } from './changed-places.js';

describe('"Where to change what" in READMEs', () => {
  it('is read row by row', () => {
    const markdown = `# x

\`src/before.ts\`

## Where to change what

| to change | look at                                             |
| --------- | --------------------------------------------------- |
| a         | \`src/a.ts\` (\`formatA\`), \`src/b/\`              |
| b         | in \`libs/other\`: \`src/c.ts\`; \`apps/kubelet\`   |
| c         | \`src/d.ts\`                                        |

## Differences

| e | \`src/e.ts\` |
`;
    const [own, other] = ['libs/own/src', 'libs/other'];
    expect(changedPlaces(markdown, 'libs/own')).toEqual([
      ...[`${own}/a.ts`, `${own}/b/`, other, `${other}/src/c.ts`, 'apps/kubelet', `${own}/d.ts`],
    ]);
    expect(changedPlaces('# x\n', 'libs/own')).toEqual([]);
  });
});

describe('docs/map.md', () => {
  it('names what is there', () => {
    const places = placesInTables(readFileSync(path.join(repositoryRoot, 'docs/map.md'), 'utf8'), 'docs');
    expect(places.length).toBeGreaterThan(80);
    expect(places.filter((place) => !existsSync(path.join(repositoryRoot, place)))).toEqual([]);
  });
});
