// Compiles one package to dist/ (ES modules and types). Other workspace packages are seen as npm consumers see them,
// by their built types: `--customConditions null` takes the `podwright-source` condition back.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { runCompiler } from './compiler.mjs';

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('usage: build-package.mjs PACKAGE_FOLDER');
// A file that was renamed must not stay behind in the published package.
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
process.exit(runCompiler(['-p', path.join(root, 'tsconfig.json'), '--customConditions', 'null']));
