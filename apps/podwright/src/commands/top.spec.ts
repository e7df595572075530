import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { golden } from '../fixtures/golden.js';
import { donePod, vmNode, webPod } from '../fixtures/objects.js';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

const usage = (name: string, nanoCores: number, mebibytes: number): object => ({
  name,
  cpu: { usageNanoCores: nanoCores },
  memory: { workingSetBytes: mebibytes * 1024 * 1024 + 1 },
});
const summary = {
  node: { nodeName: 'vm', ...usage('vm', 190_000_000, 1024) },
  pods: [
    {
      podRef: { name: 'web', namespace: 'default', uid: 'uid-web' },
      containers: [usage('grpc', 900_001, 3), usage('app', 12_000_000, 20)],
    },
    { podRef: { name: 'big', namespace: 'other', uid: 'uid-big' }, containers: [usage('a', 1_000_000, 100)] },
    { podRef: { name: 'done', namespace: 'default', uid: 'uid-done' } },
  ],
};

describe('podwright top', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    const bigPod = { ...webPod, metadata: { ...webPod.metadata, name: 'big', namespace: 'other', uid: 'uid-big' } };
    for (const object of [webPod, donePod, bigPod, vmNode]) api.put(object);
    api.answers.set('/stats/summary', (_, response) => response.end(JSON.stringify(summary)));
  });
  afterEach(() => api.stop());

  it.each([
    ['top-pods', 'top pods'],
    ['top-pods-all', 'top po -A --sort-by=memory --sum'],
    ['top-containers', 'top pod web --containers --no-headers'],
    ['top-node', 'top node'],
  ])('prints %s as kubectl does', async (name, line) => {
    const { code, out, err } = await shell.run(line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(golden(name, out));
  });

  it('leaves the shares out when the server has no Node object', async () => {
    api.remove(vmNode);
    expect((await shell.run('top node --no-headers')).out).toBe('vm    190m   <unknown>   1024Mi   <unknown>   \n');
  });

  it.each([
    ['top', 'error: You must specify what to show: pods or node'],
    ['top pod done', 'error: metrics not available yet'],
    ['top pod nope', 'Error from server (NotFound): pods "nope" not found'],
    ['top node other', 'Error from server (NotFound): nodes "other" not found'],
  ])('refuses %s', async (line, message) => {
    const { code, out, err } = await shell.run(line);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });
});
