import { describe, expect, it } from '@jest/globals';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { withImageVolumeDigests } from './image-volume-digests.js';

const pod: Pod = {
  metadata: { uid: 'u' },
  spec: {
    containers: [{ name: 'a', image: 'i' }],
    volumes: [
      { name: 'art', image: { reference: 'registry/art:1' } },
      { name: 'plain', emptyDir: {} },
    ],
  },
};
const mounts = [
  { name: 'plain', mountPath: '/plain' },
  { name: 'art', mountPath: '/art/' },
];
const shown = (volumeMounts: object[] = mounts): PodStatus =>
  ({ phase: 'Running', containerStatuses: [{ name: 'a', volumeMounts }] }) as unknown as PodStatus;

const running = {
  containers: [
    {
      ...{ name: 'a', createdAt: 1n },
      cri: {
        mounts: [
          { containerPath: '/plain' },
          { containerPath: '/other', image: { image: 'sha256:other' } },
          { containerPath: '/art', image: { image: 'sha256:art' } },
        ],
      },
    },
  ],
} as unknown as RuntimePodStatus;

async function mountsOf(
  status: PodStatus,
  runtime = running,
  id: string | undefined = 'sha256:full',
): Promise<unknown> {
  const asked: string[] = [];
  const result = await withImageVolumeDigests(status, pod, runtime, async (image) => {
    asked.push(image);
    return id;
  });
  return { asked, volumeMounts: result.containerStatuses?.[0]?.volumeMounts };
}

describe('the digests of image volumes', () => {
  const digest = { volumeStatus: { image: { imageRef: 'sha256:full' } } };

  it('are ids of the images that the runtime has mounted at their paths', async () => {
    expect(await mountsOf(shown())).toEqual({
      asked: ['sha256:art'],
      volumeMounts: [mounts[0], { ...mounts[1], ...digest }],
    });
  });

  it('stay as they were when the image cannot be found', async () => {
    const before = [{ ...mounts[1], volumeStatus: { image: { imageRef: 'sha256:before' } } }];
    const result = await withImageVolumeDigests(shown(before), pod, running, async () => undefined);
    expect(result.containerStatuses?.[0]?.volumeMounts).toEqual(before);
  });

  it('are not there before the container is', async () => {
    const none = { containers: [] } as unknown as RuntimePodStatus;
    expect(await mountsOf(shown(), none)).toEqual({ asked: [], volumeMounts: mounts });
  });
});
