import { expect, it } from '@jest/globals';
import type { KubeClient } from '@podwright/kube-client-interface';
import { createMemoryLogger } from '@podwright/logging';
import { createSeededRandom } from '@podwright/time';
import { NodeInfo } from './node-info.js';

const { signal } = new AbortController();

function nodeInfo(): NodeInfo {
  let calls = 0;
  const fail = (): Promise<never> => Promise.reject(new Error(`answer ${++calls}`));
  const client = { get: fail } as unknown as KubeClient;
  const deps = { clock: { sleep: async () => undefined }, random: createSeededRandom(1), logger: createMemoryLogger() };
  return new NodeInfo({ ...deps, client }, 'n1');
}

it('names the last failure of the CSINode at the start, which Ready shows, and all later', async () => {
  await expect(nodeInfo().initialize(signal)).rejects.toThrow(
    'error updating CSINode annotation: timed out waiting for the condition; caused by: answer 4',
  );
  await expect(nodeInfo().uninstall('a.csi', signal)).rejects.toThrow(
    'error updating CSINode: timed out waiting for the condition; caused by: [answer 1, answer 2, answer 3, answer 4]',
  );
});
