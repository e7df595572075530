import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  Application,
  Comment,
  CommentTag,
  Converter,
  Logger,
  LogLevel,
  MinimalSourceFile,
  TSConfigReader,
  type Context,
  type DeclarationReflection,
  type DocumentationEntryPoint,
  type NormalizedPath,
  type Reflection,
} from 'typedoc';
import { listPackages, type PackageType, type WorkspacePackage } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';

export interface ApiPages {
  /** Import paths with a page, such as `@podwright/pleg-interface/contract`. */
  readonly entries: readonly string[];
  /** What the generator reported: a link that leads nowhere, a comment for a parameter that does not exist. */
  readonly faults: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly source: string;
  readonly pkg: WorkspacePackage;
}

const headings: Readonly<Partial<Record<PackageType, string>>> = {
  interface: 'Interfaces',
  impl: 'Implementations',
  assembly: 'Assembly',
  foundation: 'Foundation',
  testing: 'Testing',
};

const documents = ['docs/**/*.md', '{apps,tools}/*/README.md', 'examples/README.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/**
 * Makes pages of every published entry point, from the sources and their comments, and of the documents they link to,
 * and writes them to `destination`.
 */
export async function makeApiPages(destination: string): Promise<ApiPages> {
  const faults = new FaultLog();
  const entries = publishedEntries();
  const app = await Application.bootstrap(
    {
      name: 'Podwright',
      entryPoints: entries.map(({ source }) => source),
      tsconfig: writeCompilerOptions(entries),
      readme: 'README.md',
      projectDocuments: documents,
      // The type check of the repository reports faults in types.
      skipErrorChecking: true,
      // Without a repository's address there is nothing to link source lines to.
      disableSources: true,
      excludeInternal: true,
      excludePrivate: true,
      excludeExternals: true,
      navigation: { includeCategories: true },
      categorizeByGroup: false,
      categoryOrder: ['Tasks', 'Pages', 'Programs', ...Object.values(headings), '*'],
      highlightLanguages: ['bash', 'console', 'html', 'ini', 'javascript', 'json', 'systemd', 'typescript', 'yaml'],
      ignoredHighlightLanguages: ['mermaid', 'text', 'promql', 'sh', 'ts'],
    },
    [new TSConfigReader()],
  );
  app.logger = faults;
  linkFoldersToReadme(app);
  const points = (app.getEntryPoints() ?? []).map((point) => named(point, entries));
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => arrange(app, context, entries));
  const project = app.converter.convert(points);
  app.validate(project);
  await app.generateDocs(project, destination);
  return { entries: entries.map(({ name }) => name), faults: faults.lines };
}

function publishedEntries(): Entry[] {
  return listPackages()
    .filter(({ type }) => type !== undefined && type in headings)
    .flatMap((pkg) =>
      Object.entries(pkg.manifest.exports ?? {}).flatMap(([entry, conditions]) =>
        typeof conditions === 'string'
          ? []
          : [
              {
                name: pkg.name + entry.slice(1),
                source: path.join(repositoryRoot, pkg.folder, conditions['podwright-source'] ?? ''),
                pkg,
              },
            ],
      ),
    );
}

/** A program of the entry points alone: specs and tools would double its time. */
function writeCompilerOptions(entries: readonly Entry[]): string {
  const file = path.join(repositoryRoot, '.cache/docs/tsconfig.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(
    file,
    JSON.stringify({
      extends: path.join(repositoryRoot, 'tsconfig.base.json'),
      compilerOptions: { noEmit: true, typeRoots: [path.join(repositoryRoot, 'node_modules/@types')] },
      files: entries.map(({ source }) => source),
    }),
  );
  return file;
}

function named(point: DocumentationEntryPoint, entries: readonly Entry[]): DocumentationEntryPoint {
  const entry = entries.find(({ source }) => source === point.sourceFile.fileName);
  if (entry === undefined) throw new Error(`${point.sourceFile.fileName} is not an entry point of a package`);
  return { ...point, displayName: entry.name };
}

/** Gives each page its name and its place in the menu, and lets links to a package's README lead to its page. */
function arrange(app: Application, { project }: Context, entries: readonly Entry[]): void {
  for (const module of project.children ?? []) {
    const entry = entries.find(({ name }) => name === module.name);
    const heading = entry?.pkg.type === undefined ? undefined : headings[entry.pkg.type];
    if (entry === undefined || heading === undefined) throw new Error(`${module.name} is not an entry point`);
    setCategory(module, heading);
    if (entry.name === entry.pkg.name) showReadme(app, module, readmeOf(entry));
  }
  for (const document of project.documents ?? []) {
    const file = path.relative(repositoryRoot, app.files.getReflectionPath(document) ?? '');
    const text = document.content.map((part) => part.text).join('');
    document.name = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file;
    setCategory(document, headingOfDocument(file));
  }
}

/** On the page of the package; links to the README lead there. The page has the README's title already. */
function showReadme(app: Application, module: DeclarationReflection, readme: NormalizedPath): void {
  const text = readFileSync(readme, 'utf8').replace(/^# .*\n/, '');
  module.readme = app.converter.parseRawComment(new MinimalSourceFile(text, readme), app.files).content;
  app.files.registerReflectionPath(readme, module);
}

function headingOfDocument(file: string): string {
  if (file.startsWith('docs/tasks/')) return 'Tasks';
  if (file.startsWith('docs/decisions/')) return 'Decisions';
  return file.startsWith('apps/') ? 'Programs' : 'Pages';
}

function setCategory(page: Reflection, heading: string): void {
  page.comment ??= new Comment();
  page.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: heading }]));
}

const readmeOf = ({ pkg }: Entry): NormalizedPath =>
  path.join(repositoryRoot, pkg.folder, 'README.md') as NormalizedPath;

/** Our pages link to folders. Repository browsers show those with a README; here that, or the one above, is the page. */
function linkFoldersToReadme(app: Application): void {
  const register = app.files.register.bind(app.files);
  app.files.register = (source, target) => {
    const [file = '', anchor] = target.split('#');
    const folder = path.resolve(path.dirname(source), file);
    if (file === '' || !existsSync(folder) || !statSync(folder).isDirectory()) return register(source, target);
    const up = existsSync(path.join(folder, 'README.md')) ? '' : '..';
    const readme = path.posix.join(file, up, 'README.md');
    return register(source, (anchor === undefined ? readme : `${readme}#${anchor}`) as NormalizedPath);
  };
}

/** Keeps warnings and errors as plain lines. */
class FaultLog extends Logger {
  readonly lines: string[] = [];

  override log(message: string, level: LogLevel): void {
    super.log(message, level);
    if (level >= LogLevel.Warn) this.lines.push(message.replaceAll(`${repositoryRoot}/`, ''));
  }
}
