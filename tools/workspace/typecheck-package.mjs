// Type-checks one package with its specs, from sources. The package's own tsconfig excludes specs, because they are not
// published, so a config that includes them is written to the cache and used.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../bootstrap/install.mjs';
import { runCompiler } from './compiler.mjs';

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('usage: typecheck-package.mjs PACKAGE_FOLDER');
const folder = path.resolve(root);
const config = path.join(
  repositoryRoot,
  'node_modules/.cache/podwright/typecheck',
  `${root.replaceAll('/', '-')}.json`,
);
mkdirSync(path.dirname(config), { recursive: true });
writeFileSync(
  config,
  JSON.stringify({
    extends: path.join(folder, 'tsconfig.json'),
    // The program includes sources of other packages, so the root must cover them all.
    compilerOptions: {
      noEmit: true,
      rootDir: repositoryRoot,
      typeRoots: [path.join(repositoryRoot, 'node_modules/@types')],
    },
    include: [path.join(folder, 'src')],
    exclude: [],
  }),
);
const pages = path.join(folder, 'pages/tsconfig.json');
const code = runCompiler(['-p', config]);
process.exit(code === 0 && existsSync(pages) ? runCompiler(['-p', pages]) : code);
