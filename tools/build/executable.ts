import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
  mkdirSync(compiledFolder, { recursive: true });
  // Shields the bundle from the repository's package.json, which says "module".
  write(path.join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  // `import()` cannot load anything in code that was compiled before; `require()` loads Node's own modules.
  const options = { target: 'node20', supported: { 'dynamic-import': false }, write: false } as const;
  const { outputFiles: [bundle] = [] } = await bundleApp(app, file, options);
  if (bundle === undefined) throw new Error(`${app} has no bundle`);
  const text = programText(bundle.text);
  const name = programName(app, text);
  await compile(app, name, text);
  write(file, await executableText(name, text), 0o755);
  return { file, bytes: statSync(file).size };
}

async function compile(app: string, name: string, text: string): Promise<void> {
  const compiled = path.join(compiledFolder, name);
  if (existsSync(`${compiled}.code`)) return;
  write(`${compiled}.js`, text);
  const code = `${compiled}.code.${process.pid}`;
  const compiler = path.join(repositoryRoot, 'tools/build/program/compile-program.mjs');
  await succeed(process.execPath, [compiler, `${compiled}.js`, code, '--help'], folder);
  renameSync(code, `${compiled}.code`);
  const ofApp = new RegExp(`^${app}-[0-9a-f]+\\.(js|code)$`);
  for (const old of readdirSync(compiledFolder)) {
    if (ofApp.test(old) && !old.startsWith(name)) rmSync(path.join(compiledFolder, old), { force: true });
  }
}

/** Renamed into place: programs may be running from the old file or starting right now. */
function write(file: string, text: string, mode = 0o644): void {
  const part = `${file}.${process.pid}`;
  writeFileSync(part, text);
  chmodSync(part, mode);
  renameSync(part, file);
}
