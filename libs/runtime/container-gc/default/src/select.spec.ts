import { describe, expect, it } from '@jest/globals';
import { ContainerState, PodSandboxState } from '@podwright/cri-client-interface';
import type { Container, PodSandbox } from '@podwright/cri-client-interface';
import { selectDeadContainers } from './dead-containers.js';
import type { DeadContainerPolicy } from './dead-containers.js';
import { selectDeadSandboxes } from './dead-sandboxes.js';

const nowMs = 1_000_000;

/** `pod/name/age in seconds`, with the whole text as id. */
function containers(state: ContainerState, ...texts: string[]): Container[] {
  return texts.map((id) => {
    const [pod = '', name = '', age = ''] = id.split('/');
    const createdAt = BigInt(nowMs - Number(age) * 1000) * 1_000_000n;
    return {
      id,
      state,
      createdAt,
      metadata: { name, attempt: 0 },
      labels: { 'io.kubernetes.pod.uid': pod },
    } as unknown as Container;
  });
}

function selected(list: Container[], policy: Partial<DeadContainerPolicy>, removedPods: string[] = []): string[] {
  const view = { nowMs, isRemoved: (uid: string) => removedPods.includes(uid) };
  const all = { minAgeMs: 0, maxPerPodContainer: 1, maxContainers: -1, ...policy };
  return selectDeadContainers(list, all, view)
    .map(({ id }) => id)
    .sort();
}

const exited = ContainerState.CONTAINER_EXITED;

describe('selectDeadContainers', () => {
  it('keeps the newest of each container and never touches a running one', () => {
    const list = [
      ...containers(exited, 'p/a/1', 'p/a/2', 'p/a/3', 'p/b/1', 'q/a/1', 'q/a/2'),
      ...containers(ContainerState.CONTAINER_RUNNING, 'q/a/0', 'p/c/9'),
    ];
    expect(selected(list, {})).toEqual(['p/a/2', 'p/a/3', 'q/a/2']);
    expect(selected(list, { maxPerPodContainer: 0 })).toHaveLength(6);
    expect(selected(list, { maxPerPodContainer: -1 })).toEqual([]);
  });

  it('takes all of a removed pod, created and unknown ones too', () => {
    const list = [
      ...containers(exited, 'p/a/1', 'q/a/1'),
      ...containers(ContainerState.CONTAINER_CREATED, 'p/b/1'),
      ...containers(ContainerState.CONTAINER_UNKNOWN, 'p/c/1'),
    ];
    expect(selected(list, {}, ['p'])).toEqual(['p/a/1', 'p/b/1', 'p/c/1']);
  });

  it('keeps the newest that has ended beside the newest that never started', () => {
    const list = [
      ...containers(exited, 'p/a/7', 'p/a/9'),
      ...containers(ContainerState.CONTAINER_CREATED, 'p/a/1', 'p/a/2'),
    ];
    expect(selected(list, {})).toEqual(['p/a/2', 'p/a/9']);
  });

  it('leaves the young alone', () => {
    expect(selected(containers(exited, 'p/a/1', 'p/a/5', 'p/a/9'), { minAgeMs: 5000, maxPerPodContainer: 0 })).toEqual([
      'p/a/5',
      'p/a/9',
    ]);
  });

  it('shares the limit of the node, then takes the oldest', () => {
    const list = containers(exited, 'p/a/1', 'p/a/2', 'p/a/3', 'q/a/1', 'q/a/2', 'r/a/8');
    expect(selected(list, { maxPerPodContainer: -1, maxContainers: 4 })).toEqual(['p/a/2', 'p/a/3', 'q/a/2']);
    expect(selected(list, { maxPerPodContainer: -1, maxContainers: 2 })).toEqual(['p/a/2', 'p/a/3', 'q/a/2', 'r/a/8']);
    expect(selected(list, { maxPerPodContainer: -1, maxContainers: 6 })).toEqual([]);
  });
});

describe('selectDeadSandboxes', () => {
  const sandbox = (id: string, uid: string, createdAt: bigint, ready = false): PodSandbox =>
    ({
      id,
      createdAt,
      state: ready ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY,
      metadata: { uid, name: uid, namespace: 'default', attempt: 0 },
    }) as PodSandbox;
  const select = (list: PodSandbox[], inUse: string[], removed: string[]): string[] =>
    selectDeadSandboxes(list, new Set(inUse), (uid) => removed.includes(uid)).map(({ id }) => id);

  it('keeps the newest of a wanted pod, and all that are ready or in use', () => {
    const list = [
      sandbox('new', 'p', 3n),
      sandbox('old', 'p', 2n),
      sandbox('older', 'p', 1n),
      sandbox('live', 'q', 1n, true),
    ];
    expect(select(list, [], [])).toEqual(['old', 'older']);
    expect(select(list, ['old'], [])).toEqual(['older']);
    expect(select(list, [], ['p', 'q'])).toEqual(['new', 'old', 'older']);
  });
});
