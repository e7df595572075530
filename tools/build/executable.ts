import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { repositoryRoot } from '../workspace/repository-root.js';
import { succeed } from '../workspace/run-node.js';
import { bundleApp } from './bundle-app.js';
import { executableText, programName, programText } from './program/program-text.js';

/** An executable file in `dist`. */
export interface Executable {
  readonly file: string;
  readonly bytes: number;
}

const folder = path.join(repositoryRoot, 'dist');
/** Programs as text and as compiled code, which their executables find beside them. */
const compiledFolder = path.join(folder, 'compiled');

/** Path of the executable of an app. */
export function executableFile(app: string): string {
  return path.join(folder, app);
}

/**
 * Bundles `apps/<app>` and its dependencies into one executable file for any Node.js. CommonJS, because Node treats a
 * file without a suffix as CommonJS wherever an operator copies it.
 */
export async function buildExecutable(app: string): Promise<Executable> {
  const file = executableFile(app);
  // Shields the bundle from the repository's package.json, which says "module".
  await writeFileAtomically(path.join(folder, 'package.json'), '{ "type": "commonjs" }\n', { mode: 0o644 });
  // `import()` cannot load anything in code that was compiled before; `require()` loads Node's own modules.
  const options = { target: 'node20', supported: { 'dynamic-import': false }, write: false } as const;
  const { outputFiles: [bundle] = [] } = await bundleApp(app, file, options);
  if (bundle === undefined) throw new Error(`${app} has no bundle`);
  const text = programText(bundle.text);
  const name = programName(app, text);
  await compile(app, name, text);
  await writeFileAtomically(file, await executableText(name, text), { mode: 0o755 });
  return { file, bytes: (await stat(file)).size };
}

async function compile(app: string, name: string, text: string): Promise<void> {
  const compiled = path.join(compiledFolder, name);
  if (['js', 'code'].every((suffix) => existsSync(`${compiled}.${suffix}`))) return;
  await writeFileAtomically(`${compiled}.js`, text, { mode: 0o644 });
  const code = `${compiled}.code.${process.pid}`;
  const compiler = path.join(repositoryRoot, 'tools/build/program/compile-program.mjs');
  await succeed(process.execPath, [compiler, `${compiled}.js`, code, '--help'], folder);
  await rename(code, `${compiled}.code`);
  const ofApp = new RegExp(`^${app}-[0-9a-f]+\\.(js|code)$`);
  for (const old of await readdir(compiledFolder)) {
    if (ofApp.test(old) && !old.startsWith(name)) await rm(path.join(compiledFolder, old), { force: true });
  }
}
