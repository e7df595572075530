import { describe, expect, it } from '@jest/globals';
import type { SyncResult } from '@podwright/container-runtime-interface';
import type { MountedVolume } from '@podwright/volume-interface';
import { sandboxObstacleOf, volumesObstacle, withObstacle } from './sandbox-obstacle.js';

describe('what keeps a pod from its sandbox', () => {
  it('is volumes that containers use and that are not mounted', () => {
    const pod = {
      metadata: { name: 'p' },
      spec: {
        volumes: [{ name: 'data' }, { name: 'log' }, { name: 'unused' }],
        containers: [
          {
            name: 'c',
            volumeMounts: [
              { name: 'data', mountPath: '/d' },
              { name: 'log', mountPath: '/l' },
            ],
          },
        ],
      },
    };
    expect(volumesObstacle(pod, [{ name: 'log' } as MountedVolume])).toEqual({
      reason: 'VolumesNotMounted',
      message: 'waiting for volumes [data]: the events FailedMount and FailedAttachVolume say why',
    });
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

  it('shows in the condition, but not once the sandbox stands', () => {
    const type = 'PodReadyToStartContainers';
    const shown = (status: string): unknown =>
      withObstacle({ conditions: [{ type, status }] }, { reason: 'R', message: 'm' }).conditions;
    expect(shown('False')).toEqual([{ type, status: 'False', reason: 'R', message: 'm' }]);
    expect(shown('True')).toEqual([{ type, status: 'True' }]);
  });
});
