import { describe, expect, it } from '@jest/globals';
import { DeviceReads } from './device-reads.js';

const failing = (code: string): Promise<string> => Promise.reject(Object.assign(new Error(code), { code }));

describe('reads of the machine', () => {
  it('leave out what is not there, and report what cannot be read', async () => {
    const failed: unknown[] = [];
    const reads = new DeviceReads({ failed: (kind) => void failed.push(kind) });
    for (const code of ['ENOENT', 'ENODEV', 'EINVAL']) expect(await reads.or('/sys/x', failing(code), '')).toBe('');
    expect(failed).toEqual([]);
    expect(await reads.or('/sys/x', failing('EIO'), '')).toBe('');
    expect(failed).toEqual(['/sys/x EIO']);
    expect(await reads.or('/sys/x', Promise.resolve('1'), '')).toBe('1');
  });
});
