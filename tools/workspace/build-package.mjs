// Compiles one package to dist/ (ES modules and types). It sees other workspace packages as npm users do, through their
// built types: `--customConditions null` removes the `podwright-source` condition.
import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../bootstrap/install.mjs';
import { runCompiler } from './compiler.mjs';

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('usage: build-package.mjs PACKAGE_FOLDER');
// A renamed file must not stay in the published package.
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const code = runCompiler(['-p', path.join(root, 'tsconfig.json'), '--customConditions', 'null', '--singleThreaded']);
// The licence asks that each copy comes with its text.
if (code === 0) copyFileSync(path.join(repositoryRoot, 'LICENSE'), path.join(root, 'dist/LICENSE'));
process.exit(code);
