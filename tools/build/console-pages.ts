import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { repositoryRoot } from '../workspace/repository-root.js';

const folder = 'libs/node/console/default/pages';
export const consolePagesOutput = 'libs/node/console/default/src/generated/console-pages.ts';
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
};

export interface ConsolePage {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** The console's pages: `index.html`, and what it loads as `assets/NAME-HASH.EXT`. */
export async function buildConsolePages(): Promise<readonly ConsolePage[]> {
  const assets = (await bundlePages()).files.map(({ name, content }) =>
    pageOf(`assets/${nameWithHash(name, content)}`, content),
  );
  return [pageOf('index.html', indexPage(assets)), ...assets];
}

/**
 * The pages as a module. So they are a part of the tarball, of a bundle and of a single executable without a loader. Each
 * text is in a function, so the engine makes it only when it is asked for.
 */
export async function generateConsolePages(): Promise<string> {
  return [
    '// Generated from ../../pages by tools/build/console-pages.ts. Do not edit.',
    '',
    '/** A file of the pages. `brotliBase64` makes the text anew at each call. */',
    'export interface BuiltPage {',
    '  readonly type: string;',
    '  readonly hash: string;',
    '  readonly brotliBase64: () => string;',
    '}',
    '',
    'export const builtPages: Readonly<Record<string, BuiltPage>> = {',
    ...(await buildConsolePages()).map(moduleEntry),
    '};',
    '',
  ].join('\n');
}

export const compressPage = ({ content }: ConsolePage): Buffer =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

/** Locations, as in the lock file, of the packages of others whose code is in the pages. */
export async function packagesInPages(): Promise<readonly string[]> {
  return (await bundlePages()).packages;
}

interface Bundle {
  readonly files: readonly Pick<ConsolePage, 'name' | 'content'>[];
  readonly packages: readonly string[];
}

async function bundlePages(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: { console: `${folder}/main.tsx` },
    outdir: 'console',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs).flatMap((input) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []);
  const packages = [...new Set(inputs)].sort();
  const licences = Buffer.from(`/*!\n${packages.map(licenceOf).join('\n')}*/\n`);
  const files = outputFiles.map(({ path: file, contents }) => {
    const isScript = file.endsWith('.js');
    return { name: path.basename(file), content: isScript ? Buffer.concat([licences, contents]) : contents };
  });
  return { files, packages };
}

/** The licences ask that each copy comes with their text. */
function licenceOf(location: string): string {
  const text = readFileSync(path.join(repositoryRoot, location, 'LICENSE'), 'utf8');
  return `${location.replace('node_modules/', '')}:\n${text.trim().replaceAll('*/', '')}\n`;
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex').slice(0, 10);

function nameWithHash(name: string, content: Uint8Array): string {
  const { name: stem, ext } = path.parse(name);
  return `${stem}-${hashOf(content)}${ext}`;
}

function pageOf(name: string, content: Uint8Array): ConsolePage {
  const type = contentTypes[path.extname(name)];
  if (type === undefined) throw new Error(`${name} has no content type in tools/build/console-pages.ts`);
  return { name, type, content };
}

function indexPage(assets: readonly ConsolePage[]): Buffer {
  const template = readFileSync(path.join(repositoryRoot, folder, 'index.html'), 'utf8');
  const page = template.replace(/\{\{(\w+)\}\}/g, (_, extension: string) => {
    const asset = assets.find(({ name }) => name.endsWith(`.${extension}`));
    if (asset === undefined) throw new Error(`${folder}/index.html asks for a .${extension} file; the build has none`);
    return asset.name;
  });
  return Buffer.from(page);
}

function moduleEntry(page: ConsolePage): string {
  const { name, type, content } = page;
  const fields = `type: ${JSON.stringify(type)}, hash: '${hashOf(content)}'`;
  return `  ${JSON.stringify(name)}: { ${fields}, brotliBase64: () => '${compressPage(page).toString('base64')}' },`;
}
