import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findArm64Emulator } from '@podwright/lab';
import { nodePins, type NodeArchitecture } from '../node/node-pins.js';
import { nodeProgram } from '../node/node-program.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { succeed } from '../workspace/run-node.js';
import { bundleApp } from './bundle-app.js';
import { compileModulesEagerly } from './eager-modules.js';
import type { Executable } from './executable.js';

/** The Node.js inside; docs/decisions/0015-single-executable.md says why this one. */
export const nodeInside = nodePins[24];

/** Path of the single executable of an app. */
export function singleExecutableFile(app: string, architecture: NodeArchitecture): string {
  return path.join(repositoryRoot, 'dist/executables', `linux-${architecture}`, app);
}

/** Bundles `apps/<app>` and its dependencies with a Node.js into one file, which needs only the C and C++ libraries. */
export async function buildSingleExecutable(
  app: string,
  architecture: NodeArchitecture,
  log: (line: string) => void,
): Promise<Executable> {
  const file = singleExecutableFile(app, architecture);
  await mkdir(path.dirname(file), { recursive: true });
  const work = await mkdtemp(path.join(path.dirname(file), `.${app}-`));
  try {
    const node = await nodeProgram(nodeInside, architecture, log);
    // `import()` cannot load anything in a script with a code cache; `require()` loads Node's own modules.
    const bundle = path.join(work, app);
    await bundleApp(app, bundle, { target: 'node24', supported: { 'dynamic-import': false } });
    await writeFile(bundle, compileModulesEagerly(await readFile(bundle, 'utf8')));
    const blob = path.join(work, 'blob');
    await writeFile(path.join(work, 'config.json'), JSON.stringify(blobConfig(app, blob)));
    // The blob has compiled code, so that the Node.js that runs it must make it.
    const [program = node, ...args] = [...(await emulator(architecture, log)), node];
    await succeed(program, [...args, '--experimental-sea-config', 'config.json'], work);
    const [building, copy] = [path.join(work, 'building'), path.join(work, 'copy')];
    await copyFile(node, building);
    await succeed(process.execPath, [postject, building, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', sentinelFuse], work);
    // postject writes the file at once, and the kernel then maps 18 MiB more of it into each process than of a copied file.
    await copyFile(building, copy);
    await rename(copy, file);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return { file, bytes: (await stat(file)).size };
}

// Where Node.js says whether there is a blob inside.
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const postject = path.join(repositoryRoot, 'node_modules/postject/dist/cli.js');

function blobConfig(app: string, output: string): Record<string, unknown> {
  return {
    main: app,
    output,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    // The one warning is about `USE_MAIN_CONTEXT_DEFAULT_LOADER` of node:vm, which loads the modules of an assembly file.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  };
}

/** The command before a program for Linux on this architecture; none where it runs by itself. */
async function emulator(architecture: NodeArchitecture, log: (line: string) => void): Promise<readonly string[]> {
  if (process.platform === 'linux' && process.arch === architecture) return [];
  if (process.platform === 'linux' && architecture === 'arm64') return findArm64Emulator(log);
  throw new Error(
    `a single executable for linux ${architecture} cannot be built on ${process.platform} ${process.arch}: its Node.js must run here`,
  );
}
