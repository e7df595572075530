import { afterEach, describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import { eventually } from '@podwright/time';
import type { PodSourceReader } from '../pod-source-reader.js';

export interface PodSourceHarness {
  readonly source: PodSourceReader;
  /**
   * Makes these the pods that the source reads, in this order. They have no namespace and no defaults. The source may
   * need {@link look} to see them.
   */
  publish(pods: readonly Pod[]): Promise<void>;
  /** From now on the source cannot be read. */
  breakDown(): Promise<void>;
  /** Whether the source has noticed {@link breakDown}. */
  hasNoticed(): boolean;
  /** Undoes {@link breakDown}. */
  mend(): Promise<void>;
  /** Lets the time pass after which the source looks for changes. */
  look(): Promise<void>;
  /** Timers that the source has set. */
  pendingTimers(): number;
}

/** The image tells pods apart, because a source may give them other names. */
function pod(image: string, changes: Partial<Pod['spec']> = {}): Pod {
  return { metadata: { name: image }, spec: { containers: [{ name: 'main', image }], ...changes } };
}

const imagesOf = (pods: readonly Pod[] = []): string =>
  pods
    .map(({ spec }) => spec.containers[0]?.image ?? '')
    .sort()
    .join(' ');

/** Every {@link PodSourceReader} passes this suite; `create` gives a new one per case, not opened. */
export function describePodSourceContract(name: string, create: () => Promise<PodSourceHarness>): void {
  describe(`${name} as a PodSourceReader`, () => {
    const opened: PodSourceReader[] = [];
    afterEach(async () => {
      for (const source of opened.splice(0)) await source.close();
    });

    async function setUp(pods: readonly Pod[]) {
      const harness = await create();
      const { source, look, publish } = harness;
      await publish(pods);
      opened.push(source);
      const sets: (readonly Pod[])[] = [];
      const has = (images: string): Promise<void> =>
        eventually(async () => {
          await look();
          return sets.length > 0 && imagesOf(sets.at(-1)) === images;
        });
      const notices = (): Promise<void> =>
        eventually(async () => {
          await look();
          return harness.hasNoticed();
        });
      return { ...harness, sets, has, notices, open: () => source.open((set) => void sets.push(set)) };
    }

    it('delivers first all pods that are there', async () => {
      const { sets, has, open } = await setUp([pod('a'), pod('b'), pod('c')]);
      await open();
      await has('a b c');
      expect(sets.map(imagesOf)).toEqual(['a b c']);
    });

    it('delivers an empty set when there are none', async () => {
      const { has, open } = await setUp([]);
      await open();
      await has('');
    });

    it('delivers all pods after each change, and leaves earlier sets alone', async () => {
      const { publish, has, open, sets } = await setUp([pod('a'), pod('b')]);
      await open();
      await has('a b');
      await publish([pod('a'), pod('b'), pod('c')]);
      await has('a b c');
      await publish([pod('c')]);
      await has('c');
      expect(imagesOf(sets[0])).toBe('a b');
    });

    it('delivers a pod with what has changed in it', async () => {
      const { publish, has, open, sets } = await setUp([pod('a')]);
      await open();
      await has('a');
      await publish([{ ...pod('a'), metadata: { name: 'a', labels: { changed: 'yes' } } }]);
      await has('a');
      await eventually(() => sets.at(-1)?.[0]?.metadata.labels?.['changed'] === 'yes');
    });

    it('delivers pods with their defaults', async () => {
      const { has, open, sets } = await setUp([pod('a')]);
      await open();
      await has('a');
      expect(sets[0]?.[0]).toMatchObject({
        metadata: { namespace: 'default', uid: expect.stringMatching(/./) },
        spec: { restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst' },
      });
    });

    it('delivers nothing while it cannot be read, so that pods keep running', async () => {
      const { breakDown, notices, mend, publish, has, open, sets } = await setUp([pod('a')]);
      await open();
      await has('a');
      const before = sets.length;
      await breakDown();
      await notices();
      expect(sets.length).toBe(before);
      await mend();
      await publish([pod('a'), pod('b')]);
      await has('a b');
      expect(sets.slice(before).map(imagesOf)).not.toContain('');
    });

    it('delivers nothing before it could be read', async () => {
      const { breakDown, notices, mend, has, open, sets } = await setUp([pod('a')]);
      await breakDown();
      await open();
      await notices();
      expect(sets).toEqual([]);
      await mend();
      await has('a');
    });

    it('is closed for good, and leaves no timer', async () => {
      const { source, publish, look, has, open, sets, pendingTimers } = await setUp([pod('a')]);
      await open();
      await has('a');
      const before = sets.length;
      await source.close();
      await source.close();
      expect(pendingTimers()).toBe(0);
      await publish([]);
      await look();
      expect(sets.length).toBe(before);
    });

    it('can be closed before it was opened', async () => {
      const { source, pendingTimers } = await setUp([]);
      await source.close();
      expect(pendingTimers()).toBe(0);
    });
  });
}
