import { describe, expect, it } from '@jest/globals';
import type { SyncResult } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import { obstacleOf, sandboxObstacleOf } from './sandbox-obstacle.js';

describe('what keeps a pod from its sandbox', () => {
  it.each([
    [
      'unmounted volumes=[data log], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
      'VolumesNotMounted',
      'waiting for volumes [data log]: the events FailedMount and FailedAttachVolume say why',
    ],
    [
      'network is not ready: container runtime network not ready: cni plugin not initialized',
      'NetworkNotReady',
      'the network of the node is not ready: install or mend its network plugin (CNI)',
    ],
  ])('%s', (error, reason, message) => {
    expect(obstacleOf(new KubeletError(error, { code: 'unavailable' }))).toEqual({ reason, message });
  });

  it('is nothing else that a preparation may fail with', () => {
    expect(obstacleOf(new KubeletError('cgroup is read-only', { code: 'internal' }))).toBeUndefined();
  });

  it('is a failed creation of the sandbox, in words that stay the same', () => {
    const result = (text: string): readonly SyncResult[] => [
      { action: 'CreatePodSandbox', target: 'uid', error: { reason: 'CreatePodSandboxError', message: text } },
    ];
    const first = sandboxObstacleOf(result('failed to create sandbox 1'));
    expect(first).toEqual({
      reason: 'CreatePodSandboxError',
      message: 'the sandbox of the pod cannot be created: the event FailedCreatePodSandBox says why',
    });
    expect(sandboxObstacleOf(result('failed to create sandbox 2'))).toEqual(first);
    expect(sandboxObstacleOf([{ action: 'StartContainer', target: 'main' }])).toBeUndefined();
  });
});
