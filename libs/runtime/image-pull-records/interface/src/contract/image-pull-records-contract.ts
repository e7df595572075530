import { describe, expect, it } from '@podwright/contract';
import type { TrackedCredential } from '@podwright/image-credentials-interface';
import type { ImagePullRecords } from '../image-pull-records.js';
import { accountCredential, nodeCredential, secretCredential } from './contract-credentials.js';

/** One instance, not started, with upstream's default policy: all pods may use images from before the kubelet. */
export interface ImagePullRecordsHarness {
  readonly records: ImagePullRecords;
  /**
   * Acts like a kill of this process, and starts the next on its files. `present`: the runtime's images, ref by name.
   */
  restart(present?: Readonly<Record<string, string>>): Promise<ImagePullRecords>;
  /** Advances the clock. */
  pass(ms: number): Promise<void>;
  /** Wall clock in milliseconds. */
  now(): number;
}

const image = 'registry.test/team/app:1';
const imageRef = 'sha256:1';

/** Every implementation of {@link ImagePullRecords} passes this suite; `create` gives a new instance per case. */
export function describeImagePullRecordsContract(name: string, create: () => Promise<ImagePullRecordsHarness>): void {
  describe(`${name} as ImagePullRecords`, () => {
    const started = async (): Promise<ImagePullRecordsHarness> => {
      const harness = await create();
      await harness.records.start();
      return harness;
    };
    const pulled = async (records: ImagePullRecords, credential?: TrackedCredential, as = image): Promise<void> => {
      await records.recordPullIntent(as);
      await records.recordPulled(as, imageRef, credential);
    };
    const must = (records: ImagePullRecords, ...credentials: TrackedCredential[]): Promise<boolean> =>
      records.mustAttemptPull(image, imageRef, async () => credentials);
    const unasked = (): Promise<never> => Promise.reject(new Error('nobody should ask'));

    it('lets every pod use what was there before, and what was pulled without a secret', async () => {
      const { records } = await started();
      expect(await records.mustAttemptPull(image, imageRef, unasked)).toBe(false);
      await pulled(records);
      expect(await records.mustAttemptPull(image, imageRef, unasked)).toBe(false);
    });

    it('says that an absent image must be pulled', async () => {
      const { records } = await started();
      expect(await records.mustAttemptPull(image, '', unasked)).toBe(true);
    });

    it.each<[string, boolean, readonly TrackedCredential[]]>([
      ['nothing', true, []],
      ['another secret', true, [secretCredential('other')]],
      ['the same secret', false, [secretCredential('one')]],
      ['the same secret after others', false, [secretCredential('x'), secretCredential('one')]],
      ['another secret of the same content', false, [secretCredential('copy', 'one')]],
      ['the same secret with new content', false, [secretCredential('one', 'renewed')]],
      ['a service account of that name', true, [accountCredential('one')]],
      ['a credential of the node', true, [nodeCredential]],
    ])('after a pull with a secret, a pod with %s must pull: %s', async (_what, expected, credentials) => {
      const { records } = await started();
      await pulled(records, secretCredential('one'));
      expect(await must(records, ...credentials)).toBe(expected);
    });

    it('learns a copy that it has met', async () => {
      const { records } = await started();
      await pulled(records, secretCredential('one'));
      await must(records, secretCredential('copy', 'one'));
      expect(await must(records, secretCredential('copy', 'renewed'))).toBe(false);
    });

    it('knows a service account again', async () => {
      const { records } = await started();
      await pulled(records, accountCredential('app'));
      expect(await must(records, accountCredential('app'))).toBe(false);
      expect(await must(records, accountCredential('other'))).toBe(true);
    });

    it('keeps what was pulled with several credentials, and opens to all what the node pulled', async () => {
      const { records } = await started();
      await pulled(records, secretCredential('one'));
      await pulled(records, accountCredential('app'));
      expect(await must(records, secretCredential('one'))).toBe(false);
      expect(await must(records, accountCredential('app'))).toBe(false);
      await pulled(records, nodeCredential);
      expect(await must(records)).toBe(false);
    });

    it('does not take one name of an image for another', async () => {
      const { records } = await started();
      await pulled(records, secretCredential('one'), 'mirror.test/app:1');
      expect(await must(records, secretCredential('one'))).toBe(true);
    });

    it('counts an image as pulled while a pull is under way, and no more when all of them have failed', async () => {
      const { records } = await started();
      await records.recordPullIntent(image);
      await records.recordPullIntent(image);
      expect(await must(records)).toBe(true);
      await records.recordPullFailed(image);
      expect(await must(records)).toBe(true);
      await records.recordPullFailed(image);
      expect(await must(records)).toBe(false);
    });

    it('rejects when the credentials cannot be looked up', async () => {
      const { records } = await started();
      await pulled(records, secretCredential('one'));
      const failing = (): Promise<never> => Promise.reject(new Error('vault is closed'));
      await expect(records.mustAttemptPull(image, imageRef, failing)).rejects.toThrow('vault is closed');
    });

    it('remembers over a sudden end', async () => {
      const { records, restart } = await started();
      await pulled(records, secretCredential('one'));
      const next = await restart();
      await next.start();
      expect(await must(next)).toBe(true);
      expect(await must(next, secretCredential('one'))).toBe(false);
    });

    it('trusts nobody with an image whose pull was under way at a sudden end', async () => {
      const { records, restart } = await started();
      await records.recordPullIntent(image);
      const next = await restart({ [image]: imageRef });
      await next.start();
      expect(await must(next, secretCredential('one'))).toBe(true);
      await pulled(next, secretCredential('one'));
      expect(await must(next, secretCredential('one'))).toBe(false);
    });

    it('forgets images that are gone, but not what was written since', async () => {
      const { records, pass, now } = await started();
      await pulled(records, secretCredential('one'));
      await records.prune(new Set([imageRef]), now() + 60_000);
      await records.prune(new Set(), now() - 60_000);
      expect(await must(records)).toBe(true);
      await pass(5_000);
      await records.prune(new Set(), now());
      expect(await must(records)).toBe(false);
    });

    it('stops more than once, also before its start', async () => {
      const { records } = await create();
      await records.stop();
      await records.stop();
    });
  });
}
