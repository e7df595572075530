import path from 'node:path';
import { build, type BuildOptions, type BuildResult } from 'esbuild';
import { repositoryRoot } from '../workspace/repository-root.js';

/**
 * Bundles `apps/<app>` and its dependencies into one CommonJS file. Identifiers are kept, because stack traces show
 * them; `keepNames` would keep those that esbuild numbers, too, at the cost of a call for each closure that is made.
 */
export async function bundleApp(app: string, outfile: string, more: BuildOptions): Promise<BuildResult> {
  return build({
    entryPoints: [path.join(repositoryRoot, 'apps', app, 'src/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['podwright-source'],
    // Its ES module asks for its own URL, which a bundle does not have.
    alias: { yargs: path.join(repositoryRoot, 'node_modules/yargs/index.cjs') },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    ...more,
  });
}
