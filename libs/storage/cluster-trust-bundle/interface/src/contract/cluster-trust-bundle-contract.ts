import { describe, expect, it } from '@podwright/contract';
import { hasCode } from '@podwright/errors';
import type { LabelSelector } from '@podwright/kube-types';
import type { ClusterTrustBundles } from '../cluster-trust-bundle.js';

/** A bundle that an administrator writes. */
export interface BundleToPut {
  readonly name: string;
  readonly signerName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly trustBundle: string;
}

/** One fresh instance, and the means to control its dependencies. */
export interface ClusterTrustBundlesHarness {
  readonly bundles: ClusterTrustBundles;
  /** Writes a bundle to the API server; resolves when the kubelet can have seen it. */
  readonly put: (bundle: BundleToPut) => Promise<void>;
}

/** PEM without a real certificate in it: these cases do not parse it. */
function pem(text: string): string {
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(text).toString('base64')}\n-----END CERTIFICATE-----\n`;
}

const everything: LabelSelector = {};

/** Every implementation of {@link ClusterTrustBundles} with an API server passes this suite; `create` gives a new instance per case. */
export function describeClusterTrustBundlesContract(
  name: string,
  create: () => Promise<ClusterTrustBundlesHarness>,
): void {
  describe(`${name} as ClusterTrustBundles`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { bundles } = await create();
      await bundles.stop();
      await bundles.stop();
    });

    it('rejects for a bundle that is not there unless that is allowed', async () => {
      const { bundles } = await create();
      await bundles.start();
      const byName: unknown = await bundles.byName('missing', false).catch((error: unknown) => error);
      expect(hasCode(byName, 'not-found')).toBe(true);
      const bySigner: unknown = await bundles.bySigner('x.io/y', everything, false).catch((error: unknown) => error);
      expect(hasCode(bySigner, 'not-found')).toBe(true);
      expect(await bundles.byName('missing', true)).toBe('');
      expect(await bundles.bySigner('x.io/y', everything, true)).toBe('');
      await bundles.stop();
    });

    it('gives each anchor once, without what stands around it, and follows changes', async () => {
      const { bundles, put } = await create();
      await bundles.start();
      await put({ name: 'one', trustBundle: `# comment\n${pem('a')}\n${pem('b')}${pem('a')}` });
      const text = await bundles.byName('one', false);
      expect([pem('a') + pem('b'), pem('b') + pem('a')]).toContain(text);
      expect(await bundles.byName('one', false)).toBe(text);
      await put({ name: 'one', trustBundle: pem('c') });
      expect(await bundles.byName('one', false)).toBe(pem('c'));
      await bundles.stop();
    });

    it('joins the bundles of a signer that match the selector; no selector matches none', async () => {
      const { bundles, put } = await create();
      await bundles.start();
      const signerName = 'x.io/y';
      await put({ name: 'x.io:y:live', signerName, labels: { stage: 'live' }, trustBundle: pem('a') });
      await put({ name: 'x.io:y:next', signerName, labels: { stage: 'next' }, trustBundle: pem('b') });
      await put({ name: 'x.io:z:live', signerName: 'x.io/z', labels: { stage: 'live' }, trustBundle: pem('c') });
      expect(await bundles.bySigner(signerName, { matchLabels: { stage: 'live' } }, false)).toBe(pem('a'));
      const all = await bundles.bySigner(signerName, everything, false);
      expect([pem('a') + pem('b'), pem('b') + pem('a')]).toContain(all);
      await expect(bundles.bySigner(signerName, undefined, false)).rejects.toThrow(
        'combination of signerName and labelSelector matched zero ClusterTrustBundles',
      );
      await bundles.stop();
    });
  });
}
