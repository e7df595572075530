import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { Pod, Volume, VolumeProjection } from '@podwright/kube-types';
import type { ApiDataVolumeDeps } from './api-data-volume-plugins.js';
import { objects } from './fixtures/sources.js';
import { VolumeHarness } from './fixtures/volume-harness.js';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'prod', uid: 'u1', labels: { a: '1' } },
  spec: { serviceAccountName: 'app', containers: [{ name: 'c' }] },
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const projected = (...sources: VolumeProjection[]): Partial<Volume> => ({ projected: { defaultMode: 0o644, sources } });

let podDir = '';
beforeEach(async () => {
  podDir = join(await mkdtemp(join(tmpdir(), 'projected-')), 'u1');
});
afterEach(() => rm(join(podDir, '..'), { recursive: true }));

describe('projected volumes', () => {
  function create(more: Partial<ApiDataVolumeDeps> = {}, of = pod): { harness: VolumeHarness; asked: unknown[] } {
    const asked: unknown[] = [];
    const harness = new VolumeHarness(podDir, of, {
      ...objects({ key: { data: { a: base64('secret') } } }, { conf: { data: { a: 'config', b: 'more' } } }),
      tokens: {
        get: async (...request) => {
          asked.push(request.slice(0, 3));
          return { token: 'a token', expirationTimestamp: '2026-01-01T01:00:00Z' };
        },
        deletePod: (uid) => void asked.push(`deletePod ${uid}`),
      },
      trustBundles: {
        byName: async (...question) => {
          asked.push(question);
          return 'anchors';
        },
        bySigner: async (...question) => {
          asked.push(question);
          return 'anchors of signer';
        },
      },
      ...more,
    });
    return { harness, asked };
  }

  it('join their sources, later ones over earlier ones', async () => {
    const { harness, asked } = create();
    const files = await harness.mount(
      projected(
        { secret: { name: 'key' } },
        { configMap: { name: 'conf', items: [{ key: 'a', path: 'a', mode: 0o400 }] } },
        { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        { serviceAccountToken: { path: 'token', expirationSeconds: 3607, audience: 'vault' } },
        { clusterTrustBundle: { path: 'ca/name.pem', name: 'one', optional: true } },
        { clusterTrustBundle: { path: 'ca/signer.pem', signerName: 'x.io/y', labelSelector: {} } },
        {},
      ),
    );
    expect(files).toEqual({
      a: 'config 400',
      labels: 'a="1" 644',
      token: 'a token 644',
      'ca/name.pem': 'anchors 644',
      'ca/signer.pem': 'anchors of signer 644',
    });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'u1' };
    expect(asked).toEqual([
      ['prod', 'app', { audiences: ['vault'], expirationSeconds: 3607, boundObjectRef }],
      ['one', true],
      ['x.io/y', {}, false],
    ]);
    expect(harness.calls).toEqual(['setUp wrapped_v Memory']);
  });

  it('asks for a token without audience as upstream does', async () => {
    const { harness, asked } = create();
    await harness.mount(projected({ serviceAccountToken: { path: 'token' } }));
    expect(asked).toEqual([
      ['prod', 'app', { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'u1' } }],
    ]);
  });

  it('hold key and certificate as one file and as two, and both as they are after a renewal', async () => {
    let serial = 1;
    const bundles: unknown[] = [];
    const { harness } = create({
      certificates: {
        credentialBundle: ({ metadata }, volume, index) => {
          bundles.push([metadata.uid, volume, index]);
          return { privateKey: `key ${serial}\n`, certificateChain: `chain ${serial}\n` };
        },
      },
    });
    const certificate = { signerName: 'x.io/y', keyType: 'ED25519' };
    const source = projected(
      { downwardAPI: { items: [] } },
      { podCertificate: { ...certificate, credentialBundlePath: 'all.pem', keyPath: 'tls/key' } },
      { podCertificate: { ...certificate, certificateChainPath: 'tls/chain' } },
    );
    const files = (at: number): object => ({
      'all.pem': `key ${at}\nchain ${at}\n 644`,
      'tls/key': `key ${at}\n 644`,
      'tls/chain': `chain ${at}\n 644`,
    });
    expect(await harness.mount(source)).toEqual(files(1));
    serial = 2;
    expect(await harness.mount(source)).toEqual(files(2));
    expect(bundles.slice(0, 2)).toEqual([
      ['u1', 'v', 1],
      ['u1', 'v', 2],
    ]);
  });

  const noSecret = { secret: { name: 'no' } };
  it.each<[string, VolumeProjection[], string]>([
    ['one failure', [{ secret: { name: 'key' } }, noSecret], 'secret "no" not found'],
    [
      'several, each once',
      [noSecret, { configMap: { name: 'no' } }, noSecret],
      '[secret "no" not found, configmap "no" not found]',
    ],
    [
      'those of one source among others',
      [
        noSecret,
        {
          downwardAPI: {
            items: ['a', 'b'].map((path) => ({ path, fieldRef: { fieldPath: `x.${path}` } })),
          },
        },
      ],
      '[secret "no" not found, unsupported fieldPath: x.a, unsupported fieldPath: x.b]',
    ],
    [
      'missing key',
      [{ secret: { name: 'key', items: [{ key: 'z', path: 'z' }] } }],
      'references non-existent secret key: z',
    ],
    [
      'bundle without a question',
      [{ clusterTrustBundle: { path: 'x' } }],
      'ClusterTrustBundle projection requires either name or signerName to be set',
    ],
    [
      'pod certificate',
      [{ podCertificate: { signerName: 'x.io/y', keyType: 'ED25519', credentialBundlePath: 'x' } }],
      'there is none',
    ],
  ])('write nothing when a source fails: %s', async (_what, sources, message) => {
    const { harness } = create();
    await expect(harness.mount(projected(...sources))).rejects.toThrow(message);
    expect(harness.calls).toEqual([]);
  });

  it('forgive what is optional', async () => {
    const { harness } = create();
    const optional = true;
    const items = [{ key: 'z', path: 'z' }];
    expect(
      await harness.mount(
        projected({ secret: { name: 'no', optional } }, { configMap: { name: 'conf', items, optional } }),
      ),
    ).toEqual({});
  });

  it('are refused without an API server, whatever they hold', async () => {
    const { harness } = create({ hasApiServer: false });
    await expect(harness.mount(projected({ downwardAPI: { items: [] } }))).rejects.toThrow(
      'cannot setup projected volume v because kube client is not configured',
    );
    await expect(harness.mount({ projected: { sources: [] } })).rejects.toThrow(
      'no defaultMode used, not even the default value for it',
    );
  });

  it('are torn down with the tokens of their pod', async () => {
    const { harness, asked } = create();
    const volume = { name: 'v', ...projected() };
    await harness.mount(projected());
    await harness.pluginOf(volume).tearDown(podDir, 'v');
    expect([harness.calls.at(-1), asked]).toEqual(['tearDown wrapped_v', ['deletePod u1']]);
  });

  it('keep their files while no token can be had', async () => {
    const source = projected({ serviceAccountToken: { path: 'token' } });
    let isBroken = false;
    const { harness } = create({
      tokens: {
        get: async () => {
          if (isBroken) throw new KubeletError('failed to fetch token: no answer', { code: 'unavailable' });
          return { token: 'a token', expirationTimestamp: '' };
        },
        deletePod: () => undefined,
      },
    });
    await harness.mount(source);
    isBroken = true;
    await expect(harness.mount(source)).rejects.toThrow(/^failed to fetch token: no answer$/);
    expect(harness.calls).toEqual(['setUp wrapped_v Memory']);
  });

  const isRoot = process.getuid?.() === 0;
  (isRoot ? it : it.skip).each([
    ['the user of the pod', { runAsUser: 4321 }, 4321, 0, '600'],
    ['the fsGroup', { fsGroup: 4321 }, 0, 4321, '640'],
    ['both', { runAsUser: 4322, fsGroup: 4321 }, 4322, 4321, '640'],
  ])('give tokens to %s alone (root)', async (_what, securityContext, uid, gid, mode) => {
    const { harness } = create({}, { ...pod, spec: { ...pod.spec, securityContext } });
    await harness.mount(projected({ serviceAccountToken: { path: 'token' } }));
    const facts = await stat(join(podDir, 'volumes/kubernetes.io~projected/v/token'));
    expect([facts.uid, facts.gid, (facts.mode & 0o777).toString(8)]).toEqual([uid, gid, mode]);
  });
});
