import { describe, expect, it } from '@jest/globals';
import { describeClusterTrustBundlesContract } from '@podwright/cluster-trust-bundle-interface/contract';
import { hasCode, KubeletError } from '@podwright/errors';
import type { KubeClient } from '@podwright/kube-client-interface';
import { TestCluster } from '@podwright/test-cluster';
import {
  createInformedClusterTrustBundles,
  type InformedClusterTrustBundles,
} from './informed-cluster-trust-bundles.js';
import { createStandaloneClusterTrustBundles } from './standalone-cluster-trust-bundles.js';

const resource = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  plural: 'clustertrustbundles',
  kind: 'ClusterTrustBundle',
  namespaced: false,
};
const pem = (text: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(text).toString('base64')}\n-----END CERTIFICATE-----\n`;

interface Bundle {
  readonly name: string;
  readonly signerName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly trustBundle: string;
}

class Bench {
  readonly cluster = new TestCluster();
  private readonly administrator = this.cluster.client();
  readonly questions: string[] = [];
  failure: Error | undefined;
  readonly client: Pick<KubeClient, 'getText' | 'inform'> = {
    getText: async (path, options) => {
      this.questions.push(path);
      if (this.failure !== undefined) throw this.failure;
      return this.cluster.client().getText(path, options);
    },
    inform: (type, options) => {
      this.questions.push(`inform ${type.plural}`);
      return this.cluster.client().inform(type, options);
    },
  };

  bundles(options: { enabled?: boolean; cacheEntries?: number } = { enabled: true }): InformedClusterTrustBundles {
    const { clock, random, logger } = this.cluster;
    return createInformedClusterTrustBundles({ client: this.client, clock, random, logger }, options);
  }

  async put({ name, signerName, labels = {}, trustBundle }: Bundle): Promise<void> {
    const spec = { ...(signerName !== undefined && { signerName }), trustBundle };
    const object = { metadata: { name, labels }, spec };
    await this.administrator.create(resource, object).catch(async (error: unknown) => {
      if (!hasCode(error, 'already-exists')) throw error;
      await this.administrator.update(resource, object);
    });
    await this.cluster.clock.advance(1);
  }
}

describeClusterTrustBundlesContract('StandaloneClusterTrustBundles', async () => ({
  bundles: createStandaloneClusterTrustBundles(),
}));

describeClusterTrustBundlesContract('InformedClusterTrustBundles without the gate', async () => ({
  bundles: new Bench().bundles({ enabled: false }),
}));

describeClusterTrustBundlesContract('InformedClusterTrustBundles', async () => {
  const bench = new Bench();
  return { bundles: bench.bundles(), put: (bundle) => bench.put(bundle) };
});

describe('InformedClusterTrustBundles', () => {
  const unsupported = 'ClusterTrustBundle projection is not supported in static kubelet mode';

  it('asks the API server for nothing until somebody asks it, and then once', async () => {
    const bench = new Bench();
    await bench.put({ name: 'one', trustBundle: pem('a') });
    const bundles = bench.bundles();
    await bundles.start();
    await bench.cluster.clock.advance(60_000);
    expect(bench.questions).toEqual([]);
    await Promise.all([bundles.byName('one', false), bundles.byName('one', false)]);
    await bundles.byName('two', true);
    expect(bench.questions).toEqual([
      '/apis/certificates.k8s.io/v1',
      '/apis/certificates.k8s.io/v1beta1',
      'inform clustertrustbundles',
    ]);
    await bundles.stop();
    await bench.cluster.stop();
    expect(bench.cluster.clock.pendingTimers).toBe(0);
  });

  it('refuses with upstream’s texts', async () => {
    const bench = new Bench();
    await expect(bench.bundles({ enabled: false }).byName('one', true)).rejects.toThrow(unsupported);
    const bundles = bench.bundles();
    bench.failure = new KubeletError('no answer', { code: 'unavailable' });
    await expect(bundles.byName('one', true)).rejects.toThrow(
      'failed to ensure informer manager for ClusterTrustBundles: failed to determine which informer manager to choose: no answer',
    );
    bench.failure = undefined;
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
    const bench = new Bench();
    bench.failure = new KubeletError('not found', { code: 'not-found' });
    await expect(bench.bundles().bySigner('x.io/y', {}, true)).rejects.toThrow(unsupported);
    expect(bench.questions.map((path) => path.split('/').at(-1))).toEqual(['v1', 'v1beta1', 'v1alpha1']);
  });

  it('waits ten seconds for the first list, and goes on with it after', async () => {
    const bench = new Bench();
    await bench.put({ name: 'one', trustBundle: pem('a') });
    let synced = false;
    const inform = bench.client.inform.bind(bench.client);
    const client: Pick<KubeClient, 'getText' | 'inform'> = {
      getText: bench.client.getText,
      inform: (type, options) => {
        const informer = inform(type, options);
        informer.hasSynced = () => synced;
        informer.synced = (signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
        return informer;
      },
    };
    const { clock, random, logger } = bench.cluster;
    const bundles = createInformedClusterTrustBundles({ client, clock, random, logger }, { enabled: true });
    const asked = bundles.byName('one', false).catch((error: Error) => error.message);
    await clock.advance(10_000);
    expect(await asked).toBe('ClusterTrustBundle informer has not yet synced');
    synced = true;
    expect(await bundles.byName('one', false)).toBe(pem('a'));
    await bundles.stop();
  });

  it('keeps the order of anchors for five minutes', async () => {
    const bench = new Bench();
    await bench.put({ name: 'one', trustBundle: 'abcdefghijklmnop'.split('').map(pem).join('') });
    const bundles = bench.bundles();
    const first = await bundles.byName('one', false);
    await bench.cluster.clock.advance(5 * 60_000 - 1);
    expect(await bundles.byName('one', false)).toBe(first);
    await bench.cluster.clock.advance(1);
    expect(await bundles.byName('one', false)).not.toBe(first);
    await bundles.stop();
  });

  it('names the option that is out of range', () => {
    expect(() => new Bench().bundles({ cacheEntries: 0 })).toThrow('cacheEntries');
  });
});
