import { createHash } from 'node:crypto';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { repositoryRoot } from '../../workspace/repository-root.js';

/** A CommonJS module as Node.js calls it, and one thing more: code that V8 has compiled before cannot import files itself. */
export type ProgramFunction = (
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  filename: string,
  dirname: string,
  importNative: (url: string) => Promise<unknown>,
) => void;

/** The function of a bundle; its file and its executable hold the same text. */
export function programText(bundle: string): string {
  // One byte a character is what the loader reads, and half the memory.
  const foreign = /[^\0-\x7f]/.exec(bundle)?.[0];
  if (foreign !== undefined)
    throw new Error(`the bundle has a character that is not ASCII: ${JSON.stringify(foreign)}`);
  return `(function (exports, require, module, __filename, __dirname, importNative) {${bundle}\n})`;
}

/** `<app>-<digest>`: no executable takes code that was compiled from another text. */
export function programName(app: string, text: string): string {
  const digest = createHash('sha256').update(process.version).update(text).digest('hex');
  return `${app}-${digest.slice(0, 16)}`;
}

/** The executable file: the loader, and the program behind it. */
export async function executableText(name: string, text: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(repositoryRoot, 'tools/build/program/loader.ts')],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifyWhitespace: true,
    banner: { js: '#!/usr/bin/env node' },
    define: { PROGRAM_NAME: JSON.stringify(name), PROGRAM_BYTES: String(text.length) },
    logLevel: 'warning',
  });
  // Base64 cannot end the comment.
  return `${outputFiles[0]?.text ?? ''}/*${gzipSync(text, { level: 9 }).toString('base64')}*/\n`;
}
