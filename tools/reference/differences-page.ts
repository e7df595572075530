import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listPackages } from '../workspace/packages.js';
import { repositoryRoot } from '../workspace/repository-root.js';

const intro = `# Differences from upstream

For operators and developers: everything in which this kubelet deliberately does not do what Kubernetes v1.36 does, by package. Whatever is
not on this page is meant to be the same, down to names, messages and times. A feature gate or a configuration field that works
differently is in [feature-gates.md](feature-gates.md) or [kubelet-configuration.md](kubelet-configuration.md).

Each list comes from the section "Differences from upstream" of a package's README. This page is generated from there by
\`node tools/bootstrap/run.mjs tools/reference/main.ts\`.
`;

const heading = '## Differences from upstream';
// The paragraphs that follow the section in every README without a heading of their own.
const nextParagraph = /^(To replace|Stability|The module|The suite)\b/;

const saysNone = /^None\b/;

export interface PackageDifferences {
  readonly name: string;
  readonly folder: string;
  /** Markdown; its links are relative to the folder. */
  readonly text: string;
}

/** The section of a README; undefined without one. */
export function differencesIn(readme: string): string | undefined {
  const lines = readme.split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('## ') || nextParagraph.test(line));
  const text = rest.slice(0, end < 0 ? undefined : end).join('\n');
  return text.trim();
}

/** Every package whose README names a difference, in the order of docs/packages.md. */
export function packageDifferences(): readonly PackageDifferences[] {
  return listPackages().flatMap(({ name, folder }) => {
    const file = path.join(repositoryRoot, folder, 'README.md');
    const text = existsSync(file) ? differencesIn(readFileSync(file, 'utf8')) : undefined;
    return text === undefined || saysNone.test(text) ? [] : [{ name, folder, text }];
  });
}

/** The text of docs/differences.md. */
export function differencesPage(packages: readonly PackageDifferences[] = packageDifferences()): string {
  const sections = packages.map(
    ({ name, folder, text }) => `## [${name}](../${folder})\n\n${linksFromDocs(text, folder)}\n`,
  );
  return [intro, ...sections].join('\n');
}

function linksFromDocs(text: string, folder: string): string {
  return text.replaceAll(/\]\((?![a-z]+:)([^)]+)\)/g, (_link, target: string) => {
    const [file = '', anchor] = target.split('#');
    const resolved = path.posix.relative('docs', path.posix.join(folder, file === '' ? 'README.md' : file));
    return `](${resolved}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
