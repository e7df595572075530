import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../repository-root.js';
import { anchorsOf, pageLinks } from './page-links.js';

const absolute = (file: string): string => path.join(repositoryRoot, file);
const read = (file: string): string => readFileSync(absolute(file), 'utf8');

function pages(): readonly string[] {
  const folders = ['docs', 'libs', 'apps', 'tools', 'examples'];
  const files = folders.flatMap((folder) =>
    readdirSync(absolute(folder), { encoding: 'utf8', recursive: true }).map((file) => path.join(folder, file)),
  );
  const written = files.filter((file) => file.endsWith('.md') && !/(^|\/)(node_modules|dist|CHANGELOG\.md)/.test(file));
  return [...readdirSync(repositoryRoot).filter((file) => file.endsWith('.md')), ...written];
}

describe('links between pages', () => {
  it('are found outside of code, with their anchors', () => {
    const markdown =
      '# A b\n[x](../c.md#d-e) [y](#a-b) [z](https://example.com) `[no](no.md)`\n```\n[no](no.md)\n```\n[r]: e.md';
    const [other, own, reference] = pageLinks(markdown, 'docs/page.md');
    expect(other).toEqual({ file: 'c.md', anchor: 'd-e' });
    expect(own).toEqual({ file: 'docs/page.md', anchor: 'a-b' });
    expect(reference).toEqual({ file: 'docs/e.md', anchor: '' });
    expect(anchorsOf(markdown)).toEqual(['a-b']);
  });

  it('lead to files and headings that exist', () => {
    const links = pages().flatMap((page) => pageLinks(read(page), page).map((link) => ({ page, ...link })));
    expect(links.length).toBeGreaterThan(100);
    const dead = links.filter(
      ({ file, anchor }) => !existsSync(absolute(file)) || (anchor !== '' && !anchorsOf(read(file)).includes(anchor)),
    );
    expect(dead).toEqual([]);
  });
});

describe('paths in pages', () => {
  it('exist, also in prose', () => {
    const pattern = /`((?:apps|libs|tools|docs|examples)\/[\w./@-]+)`/g; // none with <placeholders> or stars
    const named = pages().flatMap((page) =>
      [...read(page).matchAll(pattern)].map(([, place = '']) => ({ page, place })),
    );
    expect(named.length).toBeGreaterThan(150);
    expect(named.filter(({ place }) => !existsSync(absolute(place)))).toEqual([]);
  });
});

describe('README.md', () => {
  it('stays short: whatever needs more has a page in docs', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(90);
  });

  it('shows the assembly file of the example as it is', () => {
    const file = read('examples/custom-pleg/assembly.yaml').replace(/^#.*\n/, '');
    expect(read('README.md')).toContain(`\`\`\`yaml\n${file}\`\`\``);
  });
});
