import { describe, expect, it } from '@jest/globals';
import {
  describeClusterTrustBundlesContract,
  describeStandaloneClusterTrustBundlesContract,
} from '@podwright/cluster-trust-bundle-interface/contract';
import { KubeletError } from '@podwright/errors';
import type { KubeClient } from '@podwright/kube-client-interface';
import { BundleHarness, createContractHarness } from './fixtures/bundle-harness.js';
import { createInformedClusterTrustBundles } from './informed-cluster-trust-bundles.module.js';
import { createStandaloneClusterTrustBundles } from './standalone-cluster-trust-bundles.module.js';

const pem = (text: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(text).toString('base64')}\n-----END CERTIFICATE-----\n`;

describeStandaloneClusterTrustBundlesContract('StandaloneClusterTrustBundles', async () => ({
  bundles: createStandaloneClusterTrustBundles(),
}));

describeStandaloneClusterTrustBundlesContract('InformedClusterTrustBundles without the gate', async () => ({
  bundles: new BundleHarness().bundles({ enabled: false }),
}));

describeClusterTrustBundlesContract('InformedClusterTrustBundles', createContractHarness);

describe('InformedClusterTrustBundles', () => {
  const unsupported = 'ClusterTrustBundle projection is not supported in static kubelet mode';

  it('asks the API server for nothing until somebody asks it, and then once', async () => {
    const harness = new BundleHarness();
    await harness.put({ name: 'one', trustBundle: pem('a') });
    const bundles = harness.bundles();
    await bundles.start();
    await harness.cluster.clock.advance(60_000);
    expect(harness.questions).toEqual([]);
    await Promise.all([bundles.byName('one', false), bundles.byName('one', false)]);
    await bundles.byName('two', true);
    expect(harness.questions).toEqual([
      '/apis/certificates.k8s.io/v1',
      '/apis/certificates.k8s.io/v1beta1',
      'inform clustertrustbundles',
    ]);
    await bundles.stop();
    await harness.cluster.stop();
    expect(harness.cluster.clock.pendingTimers).toBe(0);
  });

  it('refuses with upstream’s texts', async () => {
    const harness = new BundleHarness();
    await expect(harness.bundles({ enabled: false }).byName('one', true)).rejects.toThrow(unsupported);
    const bundles = harness.bundles();
    harness.failure = new KubeletError('no answer', { code: 'unavailable' });
    await expect(bundles.byName('one', true)).rejects.toThrow(
      'failed to ensure informer manager for ClusterTrustBundles: failed to determine which informer manager to choose: no answer',
    );
    harness.failure = undefined;
    await expect(bundles.byName('one', false)).rejects.toThrow(
      'while getting ClusterTrustBundle: clustertrustbundle.certificates.k8s.io "one" not found',
    );
    const long = { matchLabels: { a: 'x'.repeat(100 * 1024) } };
    await expect(bundles.bySigner('x.io/y', long, true)).rejects.toThrow(
      'label selector length (102402) is larger than 102400',
    );
    await bundles.stop();
  });

  it('says that an API server without the resource has none', async () => {
    const harness = new BundleHarness();
    harness.failure = new KubeletError('not found', { code: 'not-found' });
    await expect(harness.bundles().bySigner('x.io/y', {}, true)).rejects.toThrow(unsupported);
    expect(harness.questions.map((path) => path.split('/').at(-1))).toEqual(['v1', 'v1beta1', 'v1alpha1']);
  });

  it('waits ten seconds for the first list, and goes on with it after', async () => {
    const harness = new BundleHarness();
    await harness.put({ name: 'one', trustBundle: pem('a') });
    let synced = false;
    const inform = harness.client.inform.bind(harness.client);
    const client: Pick<KubeClient, 'getText' | 'inform'> = {
      getText: harness.client.getText,
      inform: (type, options) => {
        const informer = inform(type, options);
        informer.hasSynced = () => synced;
        informer.synced = (signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
        return informer;
      },
    };
    const { clock, random, logger } = harness.cluster;
    const bundles = createInformedClusterTrustBundles({ client, clock, random, logger }, { enabled: true });
    const asked = bundles.byName('one', false).catch((error: Error) => error.message);
    await clock.advance(10_000);
    expect(await asked).toBe('ClusterTrustBundle informer has not yet synced');
    synced = true;
    expect(await bundles.byName('one', false)).toBe(pem('a'));
    await bundles.stop();
  });

  it('keeps the order of anchors for five minutes', async () => {
    const harness = new BundleHarness();
    await harness.put({ name: 'one', trustBundle: 'abcdefghijklmnop'.split('').map(pem).join('') });
    const bundles = harness.bundles();
    const first = await bundles.byName('one', false);
    await harness.cluster.clock.advance(5 * 60_000 - 1);
    expect(await bundles.byName('one', false)).toBe(first);
    await harness.cluster.clock.advance(1);
    expect(await bundles.byName('one', false)).not.toBe(first);
    await bundles.stop();
  });

  it('names the option that is out of range', () => {
    expect(() => new BundleHarness().bundles({ cacheEntries: 0 })).toThrow('cacheEntries');
  });
});
