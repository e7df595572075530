import { describe, expect, it } from '@jest/globals';
import type { RuntimeContainerState, RuntimePod } from '@podwright/container-runtime-interface';
import { diffPods, sameRecords } from './diff-pods.js';

function pod(states: Record<string, RuntimeContainerState>, sandboxes: Record<string, boolean> = {}): RuntimePod {
  return {
    uid: 'p',
    name: 'web',
    namespace: 'default',
    containers: Object.entries(states).map(([id, state]) => ({
      id,
      name: id,
      podSandboxId: 's',
      state,
      createdAt: 0n,
      image: '',
      imageRef: '',
      imageId: '',
      hash: '0',
    })),
    sandboxes: Object.entries(sandboxes).map(([id, ready]) => ({ id, ready, attempt: 0, createdAt: 0n })),
  };
}

const texts = (old: RuntimePod | undefined, now: RuntimePod | undefined): string[] =>
  diffPods(old, now).map(({ type, containerId }) => `${type} ${containerId}`);

describe('diffPods', () => {
  it.each<[RuntimeContainerState | 'gone', RuntimeContainerState | 'gone', string[]]>([
    ['gone', 'running', ['ContainerStarted c']],
    ['gone', 'exited', ['ContainerDied c']],
    ['gone', 'created', ['ContainerChanged c']],
    ['created', 'unknown', ['ContainerChanged c']],
    ['created', 'gone', ['ContainerRemoved c']],
    ['created', 'running', ['ContainerStarted c']],
    ['running', 'running', []],
    ['running', 'exited', ['ContainerDied c']],
    ['running', 'unknown', ['ContainerChanged c']],
    ['running', 'gone', ['ContainerDied c', 'ContainerRemoved c']],
    ['unknown', 'gone', ['ContainerDied c', 'ContainerRemoved c']],
    ['exited', 'gone', ['ContainerRemoved c']],
    ['exited', 'running', ['ContainerStarted c']],
  ])('%s to %s', (before, after, expected) => {
    expect(texts(pod(before === 'gone' ? {} : { c: before }), pod(after === 'gone' ? {} : { c: after }))).toEqual(
      expected,
    );
  });

  it('tells sandboxes like containers, and a whole pod that comes or goes', () => {
    const running = pod({ c: 'running' }, { s: true });
    expect(texts(undefined, running)).toEqual(['ContainerStarted c', 'ContainerStarted s']);
    expect(texts(running, pod({ c: 'running' }, { s: false }))).toEqual(['ContainerDied s']);
    expect(texts(running, undefined)).toEqual([
      'ContainerDied c',
      'ContainerRemoved c',
      'ContainerDied s',
      'ContainerRemoved s',
    ]);
  });
});

describe('sameRecords', () => {
  it('sees states, ids and numbers of records', () => {
    const running = pod({ c: 'running' }, { s: true });
    expect(sameRecords(running, pod({ c: 'running' }, { s: true }))).toBe(true);
    expect(sameRecords(running, pod({ c: 'exited' }, { s: true }))).toBe(false);
    expect(sameRecords(running, pod({ d: 'running' }, { s: true }))).toBe(false);
    expect(sameRecords(running, pod({ c: 'running' }, { s: false }))).toBe(false);
    expect(sameRecords(running, pod({ c: 'running' }))).toBe(false);
  });
});
