// Packs one built package into dist/packages/, as `npm publish` would.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../bootstrap/install.mjs';

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('usage: pack-package.mjs PACKAGE_FOLDER');
const destination = path.join(repositoryRoot, 'dist/packages');
mkdirSync(destination, { recursive: true });
const { status, error } = spawnSync(
  'npm',
  ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination],
  {
    cwd: path.resolve(root),
    stdio: 'inherit',
  },
);
if (error) throw error;
process.exit(status ?? 1);
