import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { metricSheet } from './metric-sheet.js';
import { metricsPage } from './metrics-page.js';

const root = path.resolve(__dirname, '../..');

/** All sources of a package but its specs. */
function sourcesOf(name: string): string {
  const [, folder = '', kind = 'default'] = /^@podwright\/(.*?)(?:-(interface))?$/.exec(name) ?? [];
  const wings = readdirSync(path.join(root, 'libs'));
  const src = wings
    .map((wing) => path.join(root, 'libs', wing, folder, kind, 'src'))
    .find((dir) => listed(dir).length > 0);
  return listed(src ?? '')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(path.join(src ?? '', file), 'utf8'))
    .join('\n');
}

function listed(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { recursive: true }).map(String);
  } catch {
    return [];
  }
}

describe('docs/metrics.md', () => {
  it('is what tools/reference/main.ts makes', () => {
    expect(readFileSync(path.join(root, 'docs/metrics.md'), 'utf8')).toBe(metricsPage(metricSheet()));
  });

  it('says of each metric who feeds it, or why it is not there', () => {
    const rows = metricSheet();
    expect(rows.length).toBeGreaterThan(170);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    const undecided = rows.filter(({ by, missing }) => (by === undefined) === (missing === undefined));
    expect(undecided.map(({ name }) => name)).toEqual([]);
  });

  it('names every metric that upstream does not have', () => {
    const sources = ['apps', 'libs']
      .flatMap((folder) => listed(path.join(root, folder)).map((file) => path.join(root, folder, file)))
      .filter((file) => /\/src\/.*\.ts$/.test(file) && !file.endsWith('.spec.ts'));
    const own = sources.flatMap((file) => readFileSync(file, 'utf8').match(/\bpodwright_[a-z_]+/g) ?? []);
    expect(own.length).toBeGreaterThan(0);
    const page = metricsPage([]);
    expect([...new Set(own)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  // What a simulation assembles is compared there with what it registers.
  const notSimulated = metricSheet().filter((row) => row.notSimulated === true);
  it.each(notSimulated.map(({ name, by = '' }) => [name, by]))('%s is in the sources of %s', (name, by) => {
    const last = name.replace(/^kubelet_/, '').replace(/^certificate_manager_(client|server)_/, '');
    expect(sourcesOf(by)).toContain(last);
  });
});
