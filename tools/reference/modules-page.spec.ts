import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { modulesPage } from './modules-page.js';

const root = path.resolve(__dirname, '../..');
const modulesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.module.ts') && !/node_modules|dist|fixtures/.test(file))
    .map((file) => readFileSync(path.join(root, folder, file), 'utf8'));

describe('docs/modules.md', () => {
  it('is what tools/reference/main.ts makes', () => {
    expect(readFileSync(path.join(root, 'docs/modules.md'), 'utf8')).toBe(modulesPage());
  });

  it('has every module that a package of ours exports', () => {
    const sources = ['apps', 'libs'].flatMap(modulesIn).join('\n');
    const names = new Set([...sources.matchAll(/^ +name: '([^']+)',$/gm)].map(([, name = '']) => name));
    expect(names.size).toBeGreaterThan(60);
    const page = modulesPage();
    expect([...names].filter((name) => !page.includes(`## ${name}\n`))).toEqual([]);
  });
});
