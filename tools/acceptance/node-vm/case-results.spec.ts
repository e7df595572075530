import { describe, expect, it } from '@jest/globals';
import { CaseResults } from './case-results.js';

const PATIENCE_MS = 5_000;

describe('results of the guest', () => {
  it('are had by who waits and by who comes later', async () => {
    const results = new CaseResults();
    const early = results.passed('one', PATIENCE_MS);
    results.take({ type: 'end', name: 'one', seconds: 1 });
    await expect(early).resolves.toBeUndefined();
    await expect(results.passed('one', PATIENCE_MS)).resolves.toBeUndefined();
  });

  it('fail with what the guest says and its logs', async () => {
    const results = new CaseResults();
    results.take({ type: 'end', name: 'one', seconds: 1, error: 'memory.max is max', log: 'the last line' });
    await expect(results.passed('one', PATIENCE_MS)).rejects.toThrow(/memory\.max is max[^]*the last line/);
  });

  it('fail when the machine ends without them, with what it did report', async () => {
    const results = new CaseResults();
    results.take({ type: 'begin', name: 'one' });
    const waiting = results.passed('one', PATIENCE_MS);
    results.finish();
    await expect(waiting).rejects.toThrow(/ended without this case[^]*"begin"/);
    await expect(results.passed('two', PATIENCE_MS)).rejects.toThrow('ended without this case');
  });

  it('are not waited for without a bound', async () => {
    await expect(new CaseResults().passed('one', 1)).rejects.toThrow('no result within');
  });
});
