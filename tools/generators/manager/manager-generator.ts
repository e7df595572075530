import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generateFiles } from '@nx/devkit';
import type { GeneratorCallback, Tree } from '@nx/devkit';
import { format, type FormatConfig } from 'oxfmt';
import { repositoryRoot } from '../../workspace/repository-root.js';
import { managerNames } from './names.js';

export interface ManagerGeneratorOptions {
  /** `WING/NAME`, such as `runtime/log-rotation`. */
  readonly manager: string;
  readonly skipInstall?: boolean;
}

/** Writes the interface and default packages of a manager. Throws when either folder already has files. */
export async function managerGenerator(tree: Tree, options: ManagerGeneratorOptions): Promise<GeneratorCallback> {
  const names = managerNames(options.manager);
  const folder = `libs/${names.wing}/${names.kebab}`;
  for (const part of ['interface', 'default']) {
    if (tree.exists(`${folder}/${part}/package.json`)) {
      throw new Error(`${folder}/${part} exists already: choose another name, or change that package`);
    }
  }
  const templates = path.join(repositoryRoot, 'tools/generators/manager/files');
  generateFiles(tree, templates, folder, names);
  await formatFiles(tree);
  return () => {
    console.log(`\nNext: write ${folder}/interface/src/${names.kebab}.ts and its contract, then make them pass with`);
    console.log(`  npx jest ${folder}`);
    console.log(`and record the public surface with  npm run api-report`);
    if (options.skipInstall !== true) linkPackages(tree.root);
  };
}

/** Longer names wrap lines differently. */
async function formatFiles(tree: Tree): Promise<void> {
  const settings = JSON.parse(readFileSync(path.join(repositoryRoot, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  for (const { path: file, content } of tree.listChanges()) {
    if (content !== null) tree.write(file, (await format(file, content.toString(), settings)).code);
  }
}

/** Runs npm to link the new packages into node_modules and to add them to the lock file. */
function linkPackages(root: string): void {
  const npm = spawnSync('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (npm.status !== 0) console.error('npm install failed; run it yourself to link the new packages');
}
