import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { PodManager } from '../pod-manager.js';

export interface PodManagerHarness {
  readonly podManager: PodManager;
}

function pod(name: string, uid: string, annotations: Readonly<Record<string, string>> = {}): Pod {
  return { metadata: { name, namespace: 'default', uid, annotations }, spec: { containers: [] } };
}
const staticPod = (uid: string): Pod =>
  pod('web-node1', uid, { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': uid });
const mirrorPod = (uid: string, hash: string): Pod =>
  pod('web-node1', uid, { 'kubernetes.io/config.source': 'api', 'kubernetes.io/config.mirror': hash });

/** Every implementation of {@link PodManager} passes this suite; `create` gives a new, empty instance per case. */
export function describePodManagerContract(name: string, create: () => PodManagerHarness): void {
  describe(`${name} as a PodManager`, () => {
    it('finds a pod by UID and by full name until it is removed', () => {
      const { podManager } = create();
      const first = pod('a', 'uid-a');
      podManager.addPod(first);
      expect(podManager.getPods()).toEqual([first]);
      expect(podManager.getPodByUid('uid-a')).toBe(first);
      expect(podManager.getPodByFullName('a_default')).toBe(first);
      podManager.removePod(first);
      expect(podManager.getPods()).toEqual([]);
      expect(podManager.getPodByUid('uid-a')).toBeUndefined();
      expect(podManager.getPodByFullName('a_default')).toBeUndefined();
    });

    it('replaces by UID, on add as on update', () => {
      const { podManager } = create();
      const [first, second, third] = [pod('a', 'uid-a'), pod('a', 'uid-a'), pod('a', 'uid-a')] as const;
      podManager.addPod(first);
      podManager.addPod(second);
      expect(podManager.getPods()).toHaveLength(1);
      expect(podManager.getPods()[0]).toBe(second);
      podManager.updatePod(third);
      expect(podManager.getPodByUid('uid-a')).toBe(third);
      expect(podManager.getPodByFullName('a_default')).toBe(third);
    });

    it('keeps mirror pods apart and pairs them by full name, in either order of arrival', () => {
      for (const mirrorFirst of [true, false]) {
        const { podManager } = create();
        const [own, mirror] = [staticPod('uid-s'), mirrorPod('uid-m', 'uid-s')];
        for (const one of mirrorFirst ? [mirror, own] : [own, mirror]) podManager.addPod(one);
        expect(podManager.getPods()).toEqual([own]);
        expect(podManager.getMirrorPods()).toEqual([mirror]);
        expect(podManager.getMirrorPodOf(own)).toBe(mirror);
        expect(podManager.getPodOfMirror(mirror)).toBe(own);
        expect(podManager.getPodByUid('uid-m')).toBeUndefined();
        expect(podManager.getPodByFullName('web-node1_default')).toBe(own);
        expect(podManager.translatePodUid('uid-m')).toBe('uid-s');
      }
    });

    it('returns a UID as it is when it belongs to no mirror pod, or to one without its static pod', () => {
      const { podManager } = create();
      podManager.addPod(mirrorPod('uid-m', 'uid-s'));
      expect(podManager.translatePodUid('uid-m')).toBe('uid-m');
      expect(podManager.translatePodUid('other')).toBe('other');
    });

    it('removes the mirror pod alone', () => {
      const { podManager } = create();
      const [own, mirror] = [staticPod('uid-s'), mirrorPod('uid-m', 'uid-s')];
      podManager.addPod(own);
      podManager.addPod(mirror);
      podManager.removePod(mirror);
      expect(podManager.getPods()).toEqual([own]);
      expect(podManager.getMirrorPods()).toEqual([]);
      expect(podManager.getMirrorPodOf(own)).toBeUndefined();
      expect(podManager.translatePodUid('uid-m')).toBe('uid-m');
    });

    it('keeps the successor of a full name when the predecessor is removed late', () => {
      const { podManager } = create();
      const [old, successor] = [staticPod('uid-1'), staticPod('uid-2')];
      podManager.addPod(old);
      podManager.addPod(successor);
      podManager.removePod(old);
      expect(podManager.getPodByFullName('web-node1_default')).toBe(successor);
      expect(podManager.getPods()).toEqual([successor]);
    });

    it('pairs a mirror pod with the static pod that took the name over', () => {
      const { podManager } = create();
      podManager.addPod(staticPod('uid-1'));
      podManager.addPod(mirrorPod('uid-m', 'uid-1'));
      podManager.removePod(staticPod('uid-1'));
      podManager.addPod(staticPod('uid-2'));
      expect(podManager.translatePodUid('uid-m')).toBe('uid-2');
    });

    it('sets the whole set', () => {
      const { podManager } = create();
      podManager.addPod(pod('gone', 'uid-gone'));
      podManager.setPods([pod('a', 'uid-a'), mirrorPod('uid-m', 'uid-s')]);
      expect(podManager.getPods().map(({ metadata }) => metadata.uid)).toEqual(['uid-a']);
      expect(podManager.getMirrorPods().map(({ metadata }) => metadata.uid)).toEqual(['uid-m']);
      expect(podManager.getPodByFullName('gone_default')).toBeUndefined();
    });

    it('hands out lists that later changes do not touch', () => {
      const { podManager } = create();
      podManager.addPod(pod('a', 'uid-a'));
      const before = podManager.getPods();
      podManager.addPod(pod('b', 'uid-b'));
      expect(before).toHaveLength(1);
      expect(podManager.getPods()).toHaveLength(2);
    });
  });
}
