import { describe, expect, it } from '@jest/globals';
import { HeldCalls } from './held-calls.js';

const mostBytes = 2 ** 20;

/** Each call takes 1 ms and ends at its instant. */
function answer(held: HeldCalls, method: string, key: string, endMs: number, json = '{}'): void {
  const begun = { seam: 'runtime', method, key, at: endMs - 1 } as const;
  held.answered(begun, endMs, `{"method":${JSON.stringify(method)},"at":${endMs}`, json);
}

const methodsOf = (held: HeldCalls): readonly string[] =>
  held.lines().map((line) => {
    const { method, at, snapshot } = JSON.parse(line) as { method: string; at: number; snapshot: boolean };
    expect(snapshot).toBe(true);
    return `${method}@${at}`;
  });

const statusOf = (containerId: string): string => JSON.stringify({ containerId });

describe('the calls that a snapshot has', () => {
  it('are the last answers to questions and the changes that stand', () => {
    const held = new HeldCalls(mostBytes, () => true);
    answer(held, 'createContainer', 's/c/0', 1, '{"containerId":"c1"}');
    answer(held, 'startContainer', 'c1', 2);
    answer(held, 'containerStatus', statusOf('c1'), 3);
    answer(held, 'containerStatus', statusOf('c1'), 4);
    answer(held, 'execSync', 'c1/hash', 5);
    expect(methodsOf(held)).toEqual(['createContainer@1', 'startContainer@2', 'containerStatus@4']);
  });

  it('have nothing of a container that was removed but its removal, until a list has come without it', () => {
    const held = new HeldCalls(mostBytes, () => true);
    answer(held, 'createContainer', 's/c/0', 1, '{"containerId":"c1"}');
    answer(held, 'containerStatus', statusOf('c1'), 2);
    answer(held, 'containerStatus', statusOf('c2'), 3);
    answer(held, 'removeContainer', 'c1', 5);
    answer(held, 'listPodSandbox', '{}', 7);
    answer(held, 'listContainers', '{"filter":{"podSandboxId":"s"}}', 8);
    expect(methodsOf(held)).toContain('removeContainer@5');
    answer(held, 'listContainers', '{}', 9);
    expect(methodsOf(held)).toEqual([
      'containerStatus@3',
      ...['listPodSandbox@7', 'listContainers@8', 'listContainers@9'],
    ]);
  });

  it('have nothing of a container that the runtime does not know any more', () => {
    const held = new HeldCalls(mostBytes, () => true);
    answer(held, 'startContainer', 'c1', 1);
    answer(held, 'containerStatus', statusOf('c1'), 2);
    held.gone({ seam: 'runtime', method: 'containerStatus', key: statusOf('c1') });
    expect(held.lines()).toEqual([]);
    expect(held.bytes).toBe(0);
  });

  it('have nothing of a pod that nobody wants and that has no sandbox any more', () => {
    const wanted = new Set(['u1', 'u2']);
    const held = new HeldCalls(mostBytes, (podUid) => wanted.has(podUid));
    for (const [nth, podUid] of [...wanted, 'u3'].entries()) {
      const key = JSON.stringify({ filter: { labelSelector: { 'io.kubernetes.pod.uid': podUid } } });
      answer(held, 'listContainers', key, nth + 1);
    }
    wanted.delete('u2');
    answer(held, 'listPodSandbox', '{}', 4, '{"items":[{"metadata":{"uid":"u2"}}]}');
    expect(methodsOf(held)).toEqual(['listContainers@1', 'listContainers@2', 'listPodSandbox@4']);
    answer(held, 'listPodSandbox', '{}', 5, '{"items":[]}');
    expect(methodsOf(held)).toEqual(['listContainers@1', 'listPodSandbox@5']);
  });

  it('are forgotten from the one that was not used for longest, when they are too many', () => {
    const held = new HeldCalls(2_000, () => true);
    for (let nth = 0; nth < 20; nth++) answer(held, 'containerStatus', statusOf(`c${nth}`), nth);
    expect(held.bytes).toBeLessThanOrEqual(2_000);
    expect(methodsOf(held).at(-1)).toBe('containerStatus@19');
    expect(methodsOf(held)).not.toContain('containerStatus@0');
  });
});
