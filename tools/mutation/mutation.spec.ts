import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../workspace/repository-root.js';
import { forgetSurvivors } from './earlier-results.js';
import { readReport } from './mutant-results.js';
import { mutatedPackages } from './mutated-packages.js';
import { parseOptions } from './options.js';
import { renderScores, renderSurvivors, scoreOf } from './score-table.js';
import { mutateGlobs } from './stryker-run.js';

const names = mutatedPackages.map(({ name }) => name);

describe('the packages', () => {
  it.each(mutatedPackages)('$name and its files exist', ({ folder, files }) => {
    const missing = files.filter((file) => !existsSync(path.join(repositoryRoot, folder, 'src', file)));
    expect(missing).toEqual([]);
    expect(mutateGlobs(path.join(repositoryRoot, folder), files).length).toBeGreaterThan(files.length);
  });

  it('of the table in the README have a score of 85 % or more', () => {
    const readme = readFileSync(path.join(repositoryRoot, 'tools/mutation/README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| ([a-z0-9-]+) +\| +([\d.]+) % \|/gm)];
    expect(rows.map(([, name = '', score]) => [names.includes(name), Number(score) >= 85])).toEqual(
      rows.map(() => [true, true]),
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('the options', () => {
  it('choose all packages, or those named', () => {
    expect(parseOptions([], names)).toEqual({ packages: names, below: 85, force: false });
    const chosen = ['--package', 'probe', '--package', 'status', '--below', '90.5', '--force'];
    expect(parseOptions(chosen, names)).toEqual({ packages: ['probe', 'status'], below: 90.5, force: true });
  });

  it.each([
    [['--package', 'no-such'], /--package: there is no no-such; the packages are container-runtime/],
    [['--below', '101'], /--below: "101" is no percentage; give a number from 0 to 100/],
    [['--below='], /--below: "" is no percentage/],
    [['probe'], /probe/],
  ])('%j is refused', (args, message) => {
    expect(() => parseOptions(args, names)).toThrow(message);
  });
});

describe('the results', () => {
  const source = 'const a =\n  b < c;\nconst text = "x";\n';
  const mutant = (status: string, line: number, from: number, to: number, replacement: string) => ({
    ...{ status, replacement },
    location: { start: { line, column: from }, end: { line, column: to } },
  });
  const mutants = [
    mutant('Survived', 2, 3, 8, 'b <=\n c'),
    mutant('NoCoverage', 3, 14, 17, '""'),
    ...['Killed', 'Killed', 'Timeout'].map((status) => mutant(status, 2, 3, 8, 'true')),
    mutant('Ignored', 2, 3, 8, 'false'),
    mutant('RuntimeError', 2, 3, 8, 'b > c'),
  ];
  const report = { files: { 'src/decide.ts': { source, mutants } } };

  it('count what a case can notice, and name each survivor', () => {
    const results = readReport(JSON.stringify(report));
    const score = scoreOf('decider', results);
    expect(score).toEqual({ name: 'decider', score: 60, killed: 3, survived: 2, explained: 1 });
    expect(renderSurvivors(results).split('\n')).toEqual([
      '  src/decide.ts:2:3  b < c  ->  b <= c',
      '  src/decide.ts:3:14  "x"  ->  ""',
    ]);
    expect(renderScores([score]).split('\n').at(-1)).toBe('| decider | 60.0 % |      3 |        2 |         1 |');
    expect(scoreOf('empty', []).score).toBe(0);
  });

  it('of earlier runs are forgotten, except of those that a case noticed', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'podwright-mutation-'));
    const file = path.join(folder, 'earlier.json');
    try {
      await forgetSurvivors(file);
      expect(existsSync(file)).toBe(false);
      writeFileSync(file, JSON.stringify({ ...report, schemaVersion: '1' }));
      await forgetSurvivors(file);
      const kept = JSON.parse(readFileSync(file, 'utf8')) as typeof report;
      expect(kept.files['src/decide.ts'].mutants.map(({ status }) => status)).toEqual(['Killed', 'Killed', 'Timeout']);
      expect(kept).toMatchObject({ schemaVersion: '1' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
