import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { podUrl } from './pod-answer.js';
import { describePods, isReady } from './pod-view.js';

const pod = (status: Pod['status']): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: '1' },
  spec: {
    initContainers: [{ name: 'page' }],
    containers: [{ name: 'web', ports: [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 8080 }] }],
  },
  ...(status !== undefined && { status }),
});
const ready = [{ type: 'Ready', status: 'True' }];

describe('the view of pods', () => {
  it('says what each container waits for, does, or ended with', () => {
    const image = { image: 'i', imageID: 'i', ready: false };
    const status: Pod['status'] = {
      phase: 'Pending',
      initContainerStatuses: [
        { ...image, name: 'page', state: { terminated: { exitCode: 3, reason: 'Error' } }, restartCount: 2 },
      ],
      containerStatuses: [
        { ...image, name: 'web', state: { waiting: { reason: 'PodInitializing' } }, restartCount: 0 },
      ],
    };
    expect(describePods([pod(status)])).toEqual([
      'pod default/web  Pending',
      '  init page  Error, exit code 3 (restarts: 2)',
      '  container web  PodInitializing',
    ]);
  });

  it('shows a pod without a status as waiting', () => {
    expect(describePods([pod(undefined)])).toEqual([
      'pod default/web  Pending',
      '  init page  waiting',
      '  container web  waiting',
    ]);
  });

  it('counts a pod as ready when it is, or when it has done its work', () => {
    expect(isReady(pod({ phase: 'Running', conditions: ready }))).toBe(true);
    expect(isReady(pod({ phase: 'Succeeded' }))).toBe(true);
    expect(isReady(pod({ phase: 'Running' }))).toBe(false);
  });

  it('asks the first port on TCP, in brackets for IPv6', () => {
    expect(podUrl(pod({ podIP: '10.1.2.3' }))).toBe('http://10.1.2.3:8080/');
    expect(podUrl(pod({ podIP: 'fd00::3' }))).toBe('http://[fd00::3]:8080/');
    expect(podUrl(pod({}))).toBeUndefined();
  });
});
