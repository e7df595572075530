import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { mergeResponses } from './merge-responses.js';

describe('answers for several resources', () => {
  const answer = { envs: {}, mounts: [], devices: [], annotations: {}, cdiDevices: [] };

  it('are merged, the first value of a key wins', () => {
    const logger = createMemoryLogger();
    const merged = mergeResponses(
      [
        {
          ...answer,
          envs: { A: '1', B: '1' },
          mounts: [{ hostPath: '/a', containerPath: '/x', readOnly: true }],
          cdiDevices: [{ name: 'c' }],
        },
        {
          ...answer,
          envs: { A: '2', B: '1', C: '3' },
          mounts: [{ hostPath: '/b', containerPath: '/x', readOnly: false }],
          annotations: { k: 'v' },
          cdiDevices: [{ name: 'c' }, { name: 'd' }],
        },
      ],
      logger,
    );
    expect(merged).toEqual({
      envs: [
        { name: 'A', value: '1' },
        { name: 'B', value: '1' },
        { name: 'C', value: '3' },
      ],
      mounts: [{ hostPath: '/a', containerPath: '/x', readOnly: true }],
      devices: [],
      annotations: { k: 'v' },
      cdiDevices: ['c', 'd'],
    });
    expect(logger.messages('error')).toEqual([
      'Environment variable has conflicting setting',
      'Container mount has conflicting mapping host mounts',
    ]);
  });
});
