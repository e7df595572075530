import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listPackages } from '../packages.js';
import { repositoryRoot } from '../repository-root.js';
import { changedPlaces } from './changed-places.js';

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

  it('names what is there', () => {
    const readmes = listPackages().map(({ folder }) => ({
      folder,
      file: path.join(repositoryRoot, folder, 'README.md'),
    }));
    readmes.push({ folder: '.', file: path.join(repositoryRoot, 'README.md') });
    const named = readmes
      .filter(({ file }) => existsSync(file))
      .flatMap(({ folder, file }) =>
        changedPlaces(readFileSync(file, 'utf8'), folder).map((place) => ({ readme: `${folder}/README.md`, place })),
      );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ place }) => !existsSync(path.join(repositoryRoot, place)))).toEqual([]);
  });
});
