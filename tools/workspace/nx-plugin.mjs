// Defines how a package is built, checked, linted, tested and packed. Nx calls createNodes with every package.json of
// the workspace; the result depends only on that manifest and the folder's files.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const name = 'podwright-packages';

export const createNodes = [
  '{apps/*,libs/**,tools,tools/lab}/package.json',
  (manifestFiles, _options, context) =>
    manifestFiles
      .filter((file) => !/(^|\/)(node_modules|dist|fixtures)\//.test(file))
      .map((file) => [file, describePackage(file, context.workspaceRoot)]),
];

/** @param {string} file path of a manifest, relative to the workspace @param {string} workspaceRoot */
function describePackage(file, workspaceRoot) {
  const root = path.posix.dirname(file);
  const manifest = JSON.parse(readFileSync(path.join(workspaceRoot, file), 'utf8'));
  const type = manifest.podwright?.type ?? (root === 'tools' ? 'tool' : undefined);
  if (type === undefined) {
    throw new Error(`${file}: add "podwright": { "type": "interface|impl|foundation|testing|assembly|app" }`);
  }
  const project = {
    root,
    name: manifest.name,
    // Apps too: Nx lets nothing import an "application", but the tools run the kubelet in their own process. The tags
    // define the rules.
    projectType: 'library',
    tags: [`type:${type}`],
    targets: root.startsWith('tools') ? toolTargets(root) : packageTargets(root, workspaceRoot),
  };
  return { projects: { [root]: project } };
}

function packageTargets(root, workspaceRoot) {
  const has = (folder) => existsSync(path.join(workspaceRoot, root, folder));
  // Codecs from .proto files and bundled pages are not committed, so they must be generated before the compiler runs.
  const generated = has('proto') || has('pages') ? [{ projects: ['@podwright/tools'], target: 'generate' }] : [];
  const ofPages = has('pages')
    ? [{ externalDependencies: ['preact', '@preact/signals', 'uplot', 'esbuild'] }, '{workspaceRoot}/tools/build/*.ts']
    : [];
  return {
    build: {
      ...command(`node tools/workspace/build-package.mjs ${root}`),
      dependsOn: ['^build', ...generated],
      cache: true,
      inputs: ['production', '^production', 'compiler', ...ofPages],
      outputs: ['{projectRoot}/dist'],
    },
    typecheck: {
      // Type-checks from the sources of all packages, specs included, so nothing must be built first.
      ...command(`node tools/workspace/typecheck-package.mjs ${root}`),
      dependsOn: generated,
      cache: true,
      inputs: ['default', '^production', 'compiler', ...ofPages],
    },
    ...checkTargets(root, generated),
    pack: {
      ...command(`node tools/workspace/pack-package.mjs ${root}`),
      dependsOn: ['build', '^pack'],
    },
  };
}

function toolTargets(root) {
  return {
    generate: command('node tools/bootstrap/run.mjs tools/codegen/main.ts'),
    ...checkTargets(root, [{ projects: ['@podwright/tools'], target: 'generate' }]),
  };
}

function checkTargets(root, dependsOn) {
  return {
    lint: {
      ...command(`node node_modules/oxlint/bin/oxlint -c oxlint.config.mjs ${root}`),
      cache: true,
      inputs: [
        'default',
        '^production',
        ...['.oxlintrc.json', 'oxlint.config.mjs', 'tools/workspace/lint/*.mjs'].map(
          (file) => `{workspaceRoot}/${file}`,
        ),
      ],
    },
    test: {
      ...command(`node node_modules/jest/bin/jest.js --passWithNoTests ${root}/`),
      dependsOn,
      cache: true,
      inputs: ['default', '^production', '{workspaceRoot}/jest.config.mjs'],
    },
  };
}

function command(line) {
  return { executor: 'nx:run-commands', options: { command: line, cwd: '{workspaceRoot}' } };
}
