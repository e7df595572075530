import { describe, expect, it, jest } from '@jest/globals';
import { parseOptions } from './options.js';
import { watchPods, type WatchPodsOptions } from './watch-pods.js';

const refusal = 'static pod manifest is not used: /pods/web.yaml: spec.containers is empty';
const log = `E0102 03:04:05.000000       7 pod-config] "${refusal}"`;

describe('the watch of npm start', () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);

  const watch = async (args: readonly string[], given: Partial<WatchPodsOptions>): Promise<[number, string[]]> => {
    const said: string[] = [];
    const kubelet = { pods: async () => [], lastLines: () => log } as unknown as WatchPodsOptions['kubelet'];
    const code = await watchPods({
      ...{ kubelet, options: parseOptions(args), expectedPods: 1, reachable: false, unreachedRegistryHint: undefined },
      ...{ stopping: new AbortController().signal, say: (line) => said.push(line), ...given },
    });
    return [code, said];
  };

  it('ends with the reason once a manifest is refused and somebody waits for the pods', async () => {
    expect(await watch(['--exit-when-ready'], {})).toEqual([
      1,
      [refusal, 'not all pods can become ready: the kubelet rejected a manifest'],
    ]);
  });

  it('goes on after a refusal for those who edit their manifests, and tells it once', async () => {
    const ending = new AbortController();
    let looks = 0;
    const kubelet = {
      pods: async () => ((looks += 1) === 3 ? (ending.abort(), []) : []),
      lastLines: () => log,
    } as unknown as WatchPodsOptions['kubelet'];
    expect(await watch([], { kubelet, stopping: ending.signal })).toEqual([0, [refusal]]);
    expect(looks).toBe(3);
  });
});
