import { describe, expect, it } from '@jest/globals';
import { countReport } from './jest-tier.js';
import { closingLine, summaryTable, tierOfChecks } from './results.js';

const checks = tierOfChecks(
  'static',
  [
    { name: 'types', outcome: 'passed', detail: 'not shown' },
    { name: 'lint', outcome: 'failed', detail: 'one fault\n' },
    { name: 'release', outcome: 'skipped', detail: 'no history' },
  ],
  1.25,
);

describe('the summary', () => {
  it('shows what failed or was skipped, and nothing of what passed', () => {
    expect(checks.reports).toEqual(['FAILED  lint\none fault', 'skipped release: no history']);
  });

  it('ends in a table and one line that programs read', () => {
    const unit = { tier: 'unit', passed: 1200, failed: 0, skipped: 3, seconds: 61.04, reports: [] };
    expect(summaryTable([checks, unit]).split('\n')).toEqual([
      'tier    passed  failed  skipped  seconds',
      '------  ------  ------  -------  -------',
      'static       1       1        1      1.3',
      'unit      1200       0        3     61.0',
    ]);
    expect(closingLine([checks, unit])).toBe('1201 passed, 1 failed, 4 skipped');
  });
});

describe('counting a jest report', () => {
  it('counts a file that does not load as one failure and gives the reason of skipped tests once', () => {
    const skipped = (title: string) => ({ status: 'pending' as const, ancestorTitles: ['needs cgroup v2'], title });
    const result = countReport('integration', {
      numPassedTests: 4,
      numFailedTests: 0,
      numPendingTests: 2,
      numTodoTests: 0,
      numRuntimeErrorTestSuites: 1,
      testResults: [
        { name: '/r/broken.spec.ts', status: 'failed', message: 'cannot load', assertionResults: [] },
        { name: '/r/good.spec.ts', status: 'passed', message: '', assertionResults: [skipped('a'), skipped('b')] },
      ],
    });
    expect(result).toMatchObject({ passed: 4, failed: 1, skipped: 2 });
    expect(result.reports[0]).toContain('cannot load');
    expect(result.reports[1]).toMatch(/^skipped .*good\.spec\.ts: needs cgroup v2 \(2\)$/);
  });

  it('gives the title of a skipped test whose neighbours ran: the reason stands there', () => {
    const test = (title: string, status: 'passed' | 'pending') => ({ status, ancestorTitles: ['emptyDir'], title });
    const assertionResults = [test('on a disk', 'passed'), test('in memory (needs root)', 'pending')];
    const { reports } = countReport('unit', {
      ...{ numPassedTests: 1, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, numRuntimeErrorTestSuites: 0 },
      testResults: [{ name: '/r/volumes.spec.ts', status: 'passed', message: '', assertionResults }],
    });
    expect(reports).toEqual([expect.stringMatching(/volumes\.spec\.ts: emptyDir > in memory \(needs root\) \(1\)$/)]);
  });
});
