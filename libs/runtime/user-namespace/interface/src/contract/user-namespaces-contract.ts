import { afterEach, describe, expect, it } from '@podwright/contract';
import { NamespaceMode } from '@podwright/cri-client-interface';
import { hasCode } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import type { UserNamespaces } from '../user-namespaces.js';

/** One node, whose runtime supports user namespaces with the default handler, but not with the handler `old`. */
export interface UserNamespacesHarness {
  /** Acts like a restart of the kubelet: a new, started instance on the files of the one before. */
  restart(): Promise<UserNamespaces>;
  /** Number of ids per pod. */
  readonly idsPerPod: number;
  /** How many pods can have a range at the same time; only a few. */
  readonly places: number;
  /** Removes the pod's files from disk. */
  forget(podUid: string): Promise<void>;
  dispose(): Promise<void>;
}

const podOf = (uid: string, hostUsers?: boolean): Pod => ({
  metadata: { uid, name: uid, namespace: 'default' },
  spec: { containers: [{ name: 'main' }], ...(hostUsers === undefined ? {} : { hostUsers }) },
});

/** Every implementation of {@link UserNamespaces} passes this suite; `create` gives a node of its own per case. */
export function describeUserNamespacesContract(name: string, create: () => Promise<UserNamespacesHarness>): void {
  describe(`${name} as UserNamespaces`, () => {
    let harness: UserNamespacesHarness;
    const begin = async (): Promise<UserNamespaces> => (harness = await create()).restart();
    const firstIdOf = async (namespaces: UserNamespaces, uid: string): Promise<number> => {
      const { mode, uids, gids } = await namespaces.getOrCreate(podOf(uid, false), '');
      expect(mode).toBe(NamespaceMode.POD);
      expect(uids).toEqual([{ hostId: expect.any(Number), containerId: 0, length: harness.idsPerPod }]);
      expect(gids).toEqual(uids);
      return uids?.[0]?.hostId ?? 0;
    };
    const codeOf = async (answer: Promise<unknown>, code: 'failed-precondition' | 'resource-exhausted') =>
      answer.then(
        () => 'no error',
        (error: unknown) => (hasCode(error, code) ? code : error),
      );

    afterEach(() => harness.dispose());

    it.each([undefined, true])('leaves a pod with hostUsers %s to the users of the node', async (hostUsers) => {
      const namespaces = await begin();
      const answer = await namespaces.getOrCreate(podOf('a', hostUsers), 'old');
      expect(answer.mode).toBe(NamespaceMode.NODE);
      expect([answer.uids ?? [], answer.gids ?? []]).toEqual([[], []]);
      await namespaces.stop();
      await namespaces.stop();
    });

    it('gives each pod ids of its own, none of them below those of one pod, and the same again', async () => {
      const namespaces = await begin();
      const first = await firstIdOf(namespaces, 'a');
      const second = await firstIdOf(namespaces, 'b');
      expect(Math.min(first, second)).toBeGreaterThanOrEqual(harness.idsPerPod);
      expect(Math.abs(first - second)).toBeGreaterThanOrEqual(harness.idsPerPod);
      expect(await firstIdOf(namespaces, 'a')).toBe(first);
    });

    it('gives a pod one range although two ask at once', async () => {
      const namespaces = await begin();
      const ids = await Promise.all([1, 2, 3].map(() => firstIdOf(namespaces, 'a')));
      expect(new Set(ids).size).toBe(1);
    });

    it('keeps the ranges over a restart', async () => {
      const before = await begin();
      const first = await firstIdOf(before, 'a');
      const second = await firstIdOf(before, 'b');
      const after = await harness.restart();
      expect([await firstIdOf(after, 'b'), await firstIdOf(after, 'a')]).toEqual([second, first]);
      expect([first, second]).not.toContain(await firstIdOf(after, 'c'));
    });

    it('refuses when no range is free, until one is released', async () => {
      const namespaces = await begin();
      for (let index = 0; index < harness.places; index++) await firstIdOf(namespaces, `p${index}`);
      const late = (): Promise<unknown> => namespaces.getOrCreate(podOf('late', false), '');
      expect(await codeOf(late(), 'resource-exhausted')).toBe('resource-exhausted');
      const free = await firstIdOf(namespaces, 'p0');
      await namespaces.release('p0');
      await namespaces.release('p0');
      await namespaces.release('never-seen');
      expect(await firstIdOf(namespaces, 'late')).toBe(free);
    });

    it('forgets a released pod over a restart too', async () => {
      const namespaces = await begin();
      for (let index = 0; index < harness.places; index++) await firstIdOf(namespaces, `p${index}`);
      await namespaces.release('p0');
      await firstIdOf(await harness.restart(), 'late');
    });

    it('refuses a handler without user namespaces', async () => {
      const namespaces = await begin();
      const answer = namespaces.getOrCreate(podOf('a', false), 'old');
      expect(await codeOf(answer, 'failed-precondition')).toBe('failed-precondition');
    });

    it('releases the pods that nobody wants, and those without a directory', async () => {
      const namespaces = await begin();
      const kept = await firstIdOf(namespaces, 'kept');
      const orphan = await firstIdOf(namespaces, 'orphan');
      for (let index = 2; index < harness.places; index++) await firstIdOf(namespaces, `p${index}`);
      await namespaces.releaseOrphans(new Set(['kept', ...Array.from({ length: harness.places }, (_, i) => `p${i}`)]));
      expect(await firstIdOf(namespaces, 'new')).toBe(orphan);
      expect(await firstIdOf(namespaces, 'kept')).toBe(kept);
      await harness.forget('new');
      await namespaces.releaseOrphans(new Set(['kept', 'new']));
      expect(await firstIdOf(namespaces, 'newer')).toBe(orphan);
    });
  });
}
