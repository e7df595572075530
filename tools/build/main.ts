import path from 'node:path';
import { listPackages } from '../workspace/packages.js';
import { buildDebianPackages } from './deb/debian-packages.js';
import { buildExecutable, type Executable } from './executable.js';
import { parseBuildOptions, type BuildOptions } from './options.js';
import { buildPackages } from './packages.js';
import { buildSingleExecutable } from './single-executable.js';

// `npm run build`: see usage.txt.
const programs = listPackages()
  .filter(({ type }) => type === 'app')
  .map(({ folder }) => path.basename(folder));
const { executable, deb, architectures, packages, apps } = readOptions();

try {
  await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function build(): Promise<void> {
  if (packages) {
    const result = await buildPackages();
    if (result.code !== 0) throw new Error(result.output);
  }
  if (executable) {
    for (const app of apps) {
      for (const architecture of architectures) print(await buildSingleExecutable(app, architecture, console.log));
    }
  } else if (deb) (await buildDebianPackages(architectures, console.log)).forEach(print);
  else (await Promise.all(apps.map(buildExecutable))).forEach(print);
}

function print({ file, bytes }: Executable): void {
  console.log(`${file} (${(bytes / 1024).toFixed(0)} KiB)`);
}

function readOptions(): BuildOptions {
  try {
    return parseBuildOptions(process.argv.slice(2), programs);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
