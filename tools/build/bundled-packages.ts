import path from 'node:path';
import { bundleApp } from './bundle-app.js';
import { consolePagesOutput, packagesInPages } from './console-pages.js';

/** Locations, as in the lock file, of the packages whose code is in the executable of an app. */
export async function bundledPackages(app: string): Promise<readonly string[]> {
  const { metafile } = await bundleApp(app, app, { write: false, metafile: true, logLevel: 'silent' });
  const inputs = Object.keys(metafile?.inputs ?? {});
  if (inputs.length === 0) throw new Error(`the bundle of ${app} has no inputs`);
  // Their code is in it as text.
  const inPages = inputs.includes(consolePagesOutput) ? await packagesInPages() : [];
  return [...new Set([...inputs.map(locationOf), ...inPages])].sort();
}

/** The package that a source file belongs to. */
export function locationOf(input: string): string {
  const parts = input.split(path.sep).join('/');
  const installed = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(parts)?.[0];
  if (installed !== undefined) return installed;
  const folder = /^(.+?)\/(?:src|dist)\//.exec(parts)?.[1];
  if (folder === undefined) throw new Error(`${input} belongs to no package`);
  return folder;
}
