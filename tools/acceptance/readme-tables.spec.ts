import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const files = readdirSync(__dirname, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.ts'));
const readme = readFileSync(path.join(__dirname, 'README.md'), 'utf8');
const rows = new Set([...readme.matchAll(/^\| `(\S+)`/gm)].map(([, name = '']) => name));

describe('the tables of tools/acceptance/README.md', () => {
  it('have every spec', () => {
    const suffix = '.integration.spec.ts';
    const specs = files.filter((file) => file.endsWith(suffix)).map((file) => path.basename(file, suffix));
    expect(specs.length).toBeGreaterThan(30);
    expect(specs.filter((name) => !rows.has(name))).toEqual([]);
  });

  it('have every variable', () => {
    const sources = files.map((file) => readFileSync(path.join(__dirname, file), 'utf8')).join('\n');
    const variables = new Set(
      [...sources.matchAll(/process\.env\['(PODWRIGHT_\w+|KUBEBUILDER_\w+)'\]/g)].map(([, name = '']) => name),
    );
    expect(variables.size).toBeGreaterThan(8);
    expect([...variables].filter((name) => !rows.has(name))).toEqual([]);
  });
});
