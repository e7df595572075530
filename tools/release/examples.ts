import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeBlocks } from '../workspace/readme-examples/code-blocks.js';
import { pagesWithExamples } from '../workspace/readme-examples/check.js';
import { repositoryRoot } from '../workspace/repository-root.js';
import { closureOf, type LockedPackages } from './lock-tree.js';

/** A page with `ts` blocks, and what it tells the reader to install. */
export interface ExamplePage {
  /** Relative to the repository. */
  readonly page: string;
  readonly installs: readonly string[];
  /** Names without suffix of the files that hold its blocks. */
  readonly files: readonly string[];
  /** Whether it has a contract suite, which needs jest. */
  readonly suite: boolean;
}

/** Why the examples of a page are compiled, but not run. */
export const notRun: Readonly<Record<string, string>> = {
  'apps/hollow-kubelet/README.md': 'needs an API server',
  'libs/assembly/kubelet-assembly/README.md': 'starts a kubelet, and shows an assembly that is refused',
  'libs/node/iptables/default/README.md': 'changes the firewall of the machine',
  'libs/runtime/evented-pleg/interface/README.md': 'its suite is for the pleg of the reader',
  'libs/testing/test-device-plugin/README.md': 'waits for a kubelet',
};

/** Writes each `ts` block of the pages to a file of its own in `folder`. */
export function writeExamples(folder: string): readonly ExamplePage[] {
  const pages = pagesWithExamples();
  const stale = Object.keys(notRun).filter((page) => !pages.includes(page));
  if (stale.length > 0) throw new Error(`notRun names ${stale.join(', ')}, which does not exist`);
  mkdirSync(folder, { recursive: true });
  return pages.flatMap((page) => {
    const absolute = path.join(repositoryRoot, page);
    if (!existsSync(absolute)) return [];
    const text = readFileSync(absolute, 'utf8');
    const blocks = codeBlocks(text);
    const files = blocks.map(({ line }) => `${page.replaceAll('/', '-').replace(/\.md$/, '')}-${line}`);
    blocks.forEach(({ line, code }, index) =>
      writeFileSync(path.join(folder, `${files[index]}.ts`), `${'\n'.repeat(line)}${code}\nexport {};\n`),
    );
    const suite = blocks.some(({ code }) => /from '@podwright\/(contract|[\w-]+\/contract)'/.test(code));
    return [{ page, installs: installedBy(text), files, suite }];
  });
}

/** Our packages that the page's `npm install` lines name. */
function installedBy(markdown: string): readonly string[] {
  const lines = [...markdown.matchAll(/^\s*npm install (.+)$/gm)].map(([, names = '']) => names);
  return [...new Set(lines.flatMap((line) => line.split(/\s+/)).filter((name) => /^@podwright\/[\w-]+$/.test(name)))];
}

/**
 * Makes `folder` what `npm install` of `names` makes of an empty one: its `node_modules` has these packages and what
 * they need, and no other. Links to the packages that are installed in `consumer` stand for copies.
 */
export function installAlone(folder: string, names: readonly string[], consumer: string): void {
  const { packages } = JSON.parse(readFileSync(path.join(consumer, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: LockedPackages;
  };
  const roots = names.map((name) => `node_modules/${name}`);
  mkdirSync(folder, { recursive: true });
  // What lies within a package comes with it.
  const locations = closureOf(packages, roots).filter((location) => location.lastIndexOf('node_modules/') === 0);
  for (const location of locations) {
    mkdirSync(path.join(folder, path.dirname(location)), { recursive: true });
    symlinkSync(path.join(consumer, location), path.join(folder, location));
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
}

/** Copies a compiled example to `folder`. It gets a machine of its own: system folders below `folder`. */
export function placeExample(source: string, folder: string): string {
  for (const name of ['etc', 'run', 'var/lib', 'var/log']) mkdirSync(path.join(folder, name), { recursive: true });
  const code = readFileSync(source, 'utf8').replaceAll(/(['"`])(\/(?:etc|run|var)\/)/g, `$1${folder}$2`);
  const file = path.join(folder, path.basename(source));
  writeFileSync(file, code);
  return file;
}
