import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Manifest } from '../../workspace/packages.js';

const folders = ['apps', 'libs', 'tools', 'examples'];
const skipped = new Set(['node_modules', 'dist']);
const isModule = (file: string): boolean => /\.[cm]?[jt]sx?$/.test(file);
// Also in `export ... from`, in types (`import('...')`) and in calls of require.
const specifiers = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'"\n]+)['"]/g;
/** A path in the repository: of a program that is run, of a fixture that is read. */
const paths = /['"`]((?:apps|libs|tools|examples)\/[\w./-]+\.\w+)['"`]/g;

/** Which modules of the repository lead to which, by imports and by paths in their text. */
export class ImportGraph {
  /** By file: the files that import it. */
  private readonly importers = new Map<string, Set<string>>();
  private readonly exports = new Map<string, string>();

  private constructor(
    private readonly root: string,
    /** Every file below the folders with code, relative to the repository. */
    readonly files: readonly string[],
  ) {}

  static read(root: string): ImportGraph {
    const graph = new ImportGraph(
      root,
      folders.flatMap((folder) => filesBelow(root, folder)),
    );
    for (const file of graph.files) if (path.basename(file) === 'package.json') graph.addPackage(file);
    for (const file of graph.files) if (isModule(file)) graph.addModule(file);
    return graph;
  }

  /** The files, and all that lead to one of them. */
  leadingTo(files: Iterable<string>): ReadonlySet<string> {
    const reached = new Set(files);
    for (const file of reached) for (const importer of this.importers.get(file) ?? []) reached.add(importer);
    return reached;
  }

  isImported(file: string): boolean {
    return this.importers.has(file);
  }

  private addPackage(file: string): void {
    const { name, exports = {} } = JSON.parse(readFileSync(path.join(this.root, file), 'utf8')) as Partial<Manifest>;
    for (const [entry, target] of Object.entries(exports)) {
      const source = typeof target === 'string' ? target : target['podwright-source'];
      if (name !== undefined && source !== undefined)
        this.exports.set(path.posix.join(name, entry), path.posix.join(path.posix.dirname(file), source));
    }
  }

  private addModule(file: string): void {
    const text = readFileSync(path.join(this.root, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(specifiers)) this.add(file, this.resolve(file, specifier));
    for (const [, named = ''] of text.matchAll(paths)) this.add(file, this.existing(named));
  }

  private add(importer: string, imported: string | undefined): void {
    if (imported === undefined || imported === importer) return;
    let all = this.importers.get(imported);
    if (all === undefined) this.importers.set(imported, (all = new Set()));
    all.add(importer);
  }

  private resolve(file: string, specifier: string): string | undefined {
    if (!specifier.startsWith('.')) return this.exports.get(specifier);
    const target = path.posix.join(path.posix.dirname(file), specifier);
    const stem = target.replace(/\.([cm]?)js$/, '.$1ts');
    // A file that is gone now is imported still by who has to change.
    return [stem, target, `${stem}x`, `${target}.ts`, `${target}/index.ts`].find((each) => this.existing(each)) ?? stem;
  }

  private existing(file: string): string | undefined {
    const found = statSync(path.join(this.root, file), { throwIfNoEntry: false });
    return found?.isFile() === true ? file : undefined;
  }
}

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesBelow(root, file);
    return entry.isFile() ? [file] : [];
  });
}
