import { describe, expect, it } from '@jest/globals';
import { NamespaceMode } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { PodSpec } from '@podwright/kube-types';
import { podWith } from '../fixtures/records.js';
import { podNamespaces } from './namespaces.js';
import type { Namespaces, NamespaceSources } from './namespaces.js';

const { POD, CONTAINER, NODE } = NamespaceMode;
const own = { mode: POD, uids: [{ hostId: 65_536, containerId: 0, length: 65_536 }], gids: [] };
const asked: string[] = [];
const sources: NamespaceSources = {
  runtimeClasses: {
    handlerOf: (name = '') => {
      if (name === 'unknown') throw new KubeletError('no such class', { code: 'not-found' });
      return name === 'sandboxed' ? 'runsc' : '';
    },
  },
  userNamespaces: {
    getOrCreate: async ({ spec }, handler) => {
      asked.push(handler);
      return spec.hostUsers === false ? own : { mode: NODE };
    },
  },
};

describe('namespaces of a pod', () => {
  const usual: Namespaces = { network: POD, ipc: POD, pid: CONTAINER, usernsOptions: { mode: NODE } };
  it.each<[Partial<PodSpec>, Namespaces]>([
    [{}, {}],
    [{ hostNetwork: true }, { network: NODE }],
    [{ hostIPC: true }, { ipc: NODE }],
    [{ hostPID: true }, { pid: NODE }],
    [{ shareProcessNamespace: true }, { pid: POD }],
    [{ hostPID: true, shareProcessNamespace: true }, { pid: NODE }],
    [{ hostNetwork: false, hostIPC: false, hostPID: false, shareProcessNamespace: false, hostUsers: true }, {}],
    [{ hostUsers: false }, { usernsOptions: own }],
  ])('of %j', async (spec, expected) => {
    expect(await podNamespaces(podWith(spec), sources)).toEqual({ ...usual, ...expected });
  });

  it('asks for users of the handler that the pod runs with', async () => {
    asked.splice(0);
    for (const runtimeClassName of [undefined, '', 'sandboxed']) {
      await podNamespaces(podWith(runtimeClassName === undefined ? {} : { runtimeClassName }), sources);
    }
    expect(asked).toEqual(['', '', 'runsc']);
  });

  it('are none for an unknown class', async () => {
    await expect(podNamespaces(podWith({ runtimeClassName: 'unknown' }), sources)).rejects.toThrow('no such class');
  });
});
