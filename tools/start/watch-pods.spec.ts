import { describe, expect, it, jest } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
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
      ...{ stopping: new AbortController().signal, say: (line) => said.push(line), describe: async () => [], ...given },
    });
    return [code, said];
  };

  it('ends with the reason once a manifest is refused and somebody waits for the pods', async () => {
    expect(await watch(['--exit-when-ready'], {})).toEqual([
      1,
      [refusal, 'not all pods can become ready: the kubelet rejected a manifest'],
    ]);
  });

  it('shows the pods once all are ready', async () => {
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const pod = { metadata: { name: 'web' }, spec: { containers: [] }, status } as Pod;
    const kubelet = { pods: async () => [pod], lastLines: () => '' } as unknown as WatchPodsOptions['kubelet'];
    const describe: WatchPodsOptions['describe'] = async (pods) =>
      pods.map(({ metadata }) => `this is ${metadata.name}`);
    expect(await watch(['--exit-when-ready'], { kubelet, describe })).toEqual([
      0,
      ['all pods are ready; none has a TCP port to query', 'this is web'],
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
