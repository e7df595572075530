import { describe, expect, it } from '@jest/globals';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import { credentialOwner } from './credential-owner.js';

const container = (runAsUser?: number): Container => ({
  name: 'c',
  ...(runAsUser !== undefined && { securityContext: { runAsUser } }),
});
const pod = (spec: Partial<PodSpec>): Pod => ({ metadata: { name: 'web' }, spec: { containers: [], ...spec } });

describe('credentialOwner', () => {
  it.each<[string, Partial<PodSpec>, number, number | undefined]>([
    ['nobody is known', { containers: [container()] }, 0o644, undefined],
    ['the user of the pod', { containers: [container()], securityContext: { runAsUser: 7 } }, 0o600, 7],
    ['the user of the only container', { containers: [container(7)] }, 0o600, 7],
    ['root', { containers: [container(0)] }, 0o600, 0],
    ['two of the same user', { containers: [container(7), container(7)] }, 0o600, 7],
    ['two users', { containers: [container(7), container(8)] }, 0o644, undefined],
    ['one without a user', { containers: [container(7), container()] }, 0o644, undefined],
    [
      'an init container of another user',
      { initContainers: [container(8)], containers: [container(7)] },
      0o644,
      undefined,
    ],
    ['a container over the pod', { containers: [container(7)], securityContext: { runAsUser: 8 } }, 0o600, 7],
    [
      'an ephemeral container counts not',
      { containers: [container(7)], ephemeralContainers: [{ name: 'e' }] },
      0o600,
      7,
    ],
    ['an fsGroup alone', { containers: [container()], securityContext: { fsGroup: 9 } }, 0o600, undefined],
  ])('%s', (_what, spec, mode, ownerUid) => {
    expect(credentialOwner(pod(spec), 0o644)).toEqual({ mode, ...(ownerUid !== undefined && { ownerUid }) });
  });
});
