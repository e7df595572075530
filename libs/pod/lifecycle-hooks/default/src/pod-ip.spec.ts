import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { podIpNow } from './pod-ip.js';

const gone = (): Promise<never> => Promise.reject(new KubeletError('runtime is gone', { code: 'unavailable' }));
const listing =
  (...items: readonly object[]) =>
  async () =>
    ({ items }) as never;

describe('the address of a pod for its hook', () => {
  it.each([
    ['pod', 'rpc error: code = Unavailable desc = runtime is gone', gone, 'unavailable'],
    ['pod', 'pod sandboxes not found', listing(), 'not-found'],
    ['pod status', 'rpc error: code = Unavailable desc = runtime is gone', listing({ id: 's' }), 'unavailable'],
  ])('unable to get %s: %s', async (what, cause, listPodSandbox, code) => {
    const pod = { metadata: { name: 'web', namespace: 'default', uid: 'u1' }, spec: { containers: [] } };
    const asked = podIpNow({ listPodSandbox, podSandboxStatus: gone }, pod, new AbortController().signal);
    const message = `unable to get ${what}, event handlers may be invalid: ${cause}`;
    await expect(asked).rejects.toMatchObject({ code, message });
  });
});
