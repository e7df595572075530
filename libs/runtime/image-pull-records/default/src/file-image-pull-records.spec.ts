import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accountCredential, nodeCredential, secretCredential } from '@podwright/image-pull-records-interface/contract';
import { RecordsHarness } from './fixtures/records-harness.js';

const image = 'registry.test/app:1';
const ref = 'sha256:abc';
const nameOf = (key: string): string => `sha256-${createHash('sha256').update(key).digest('hex')}`;
const unasked = (): Promise<never> => Promise.reject(new Error('nobody should ask'));
const errors = ({ logger }: RecordsHarness): readonly string[] =>
  logger.entries
    .filter(({ severity }) => severity === 'error')
    .map(({ message, fields }) => `${message}: ${String(fields?.['reason'] ?? '')}`);

describe('FileImagePullRecords', () => {
  let harness: RecordsHarness;
  beforeEach(async () => {
    harness = await RecordsHarness.make();
    await harness.records.start();
  });
  afterEach(() => harness.close());

  const pull = async (credential?: Parameters<typeof harness.records.recordPulled>[2], as = image): Promise<void> => {
    await harness.records.recordPullIntent(as);
    await harness.records.recordPulled(as, ref, credential);
  };

  it('writes upstream’s files: names, modes, content', async () => {
    expect([await harness.mode('pulling'), await harness.mode('pulled')]).toEqual(['700', '700']);
    await harness.records.recordPullIntent(image);
    expect(await harness.files('pulling')).toEqual([nameOf(image)]);
    expect(await harness.mode('pulling', nameOf(image))).toBe('600');
    expect(await harness.read('pulling')).toEqual([
      `{"kind":"ImagePullIntent","apiVersion":"kubelet.config.k8s.io/v1beta1","image":"${image}"}\n`,
    ]);
    await harness.records.recordPulled(image, ref, secretCredential('one'));
    expect([await harness.files('pulling'), await harness.files('pulled')]).toEqual([[], [nameOf(ref)]]);
    expect(await harness.mode('pulled', nameOf(ref))).toBe('600');
    const time = new Date(harness.clock.now()).toISOString().replace('.000Z', 'Z');
    const secret = '{"uid":"uid-of-one","namespace":"prod","name":"one","credentialHash":"hash-of-one"}';
    expect(await harness.read('pulled')).toEqual([
      `{"kind":"ImagePulledRecord","apiVersion":"kubelet.config.k8s.io/v1beta1","lastUpdatedTime":"${time}","imageRef":"${ref}","credentialMapping":{"registry.test/app":{"kubernetesSecrets":[${secret}]}}}\n`,
    ]);
  });

  it('merges by upstream’s rules, in order', async () => {
    for (const name of ['b', 'a']) await pull(secretCredential(name));
    await pull(accountCredential('y'));
    await pull(accountCredential('x'));
    await pull(secretCredential('a', 'renewed'));
    const mapping = async (): Promise<unknown> =>
      (JSON.parse((await harness.read('pulled'))[0] ?? '') as { credentialMapping: unknown }).credentialMapping;
    expect(await mapping()).toEqual({
      'registry.test/app': {
        kubernetesSecrets: [
          { uid: 'uid-of-a', namespace: 'prod', name: 'a', credentialHash: 'hash-of-renewed' },
          { uid: 'uid-of-b', namespace: 'prod', name: 'b', credentialHash: 'hash-of-b' },
        ],
        kubernetesServiceAccounts: ['x', 'y'].map((name) => ({ uid: `uid-of-${name}`, namespace: 'prod', name })),
      },
    });
    await pull(nodeCredential);
    await pull(secretCredential('late'));
    expect(await mapping()).toEqual({ 'registry.test/app': { nodePodsAccessible: true } });
  });

  it('does not write a record that says nothing new', async () => {
    await pull(secretCredential('one'));
    const [before] = await harness.read('pulled');
    await harness.clock.advance(60_000);
    await pull(secretCredential('one'));
    expect(await harness.read('pulled')).toEqual([before]);
  });

  it('adds no more than 100 secrets that it only met', async () => {
    for (let index = 0; index < 99; index += 1) await pull(secretCredential(`s${index}`, 'same'));
    const meet = (name: string, content: string): Promise<boolean> =>
      harness.records.mustAttemptPull(image, ref, async () => [secretCredential(name, content)]);
    expect(await meet('met', 'same')).toBe(false); // the 100th
    expect(await meet('too late', 'same')).toBe(false); // usable, not added
    expect(await meet('too late', 'renewed')).toBe(true);
    expect(await meet('met', 'renewed')).toBe(true); // upstream's rule for a full record
  });

  it('writes records of v1alpha1 anew, and reads them', async () => {
    const old = (kind: string, more: object): string =>
      JSON.stringify({ kind, apiVersion: 'kubelet.config.k8s.io/v1alpha1', ...more });
    await harness.write('pulling', nameOf('busybox'), old('ImagePullIntent', { image: 'busybox' }));
    const record = {
      lastUpdatedTime: '2024-10-21T12:26:40Z',
      imageRef: ref,
      credentialMapping: { 'registry.test/app': { nodePodsAccessible: true } },
    };
    await harness.write('pulled', nameOf(ref), old('ImagePulledRecord', record));
    await harness.restart().start();
    expect(await harness.records.mustAttemptPull(image, ref, unasked)).toBe(false);
    expect([...(await harness.read('pulling')), ...(await harness.read('pulled'))]).toEqual([
      '{"kind":"ImagePullIntent","apiVersion":"kubelet.config.k8s.io/v1beta1","image":"busybox"}\n',
      `${JSON.stringify({ kind: 'ImagePulledRecord', apiVersion: 'kubelet.config.k8s.io/v1beta1', ...record })}\n`,
    ]);
  });

  it('names torn and foreign files, leaves them, and goes on; their images must be pulled', async () => {
    await pull(secretCredential('one'));
    const torn = harness.path('pulled', nameOf('sha256:torn'));
    await writeFile(torn, '{"kind":"ImagePulledRecord","apiV');
    await harness.write('pulled', `${nameOf('x')}.tmp`, 'half');
    await harness.write('pulled', 'notes', 'mine');
    await harness.write('pulling', nameOf('y'), '{"kind":"Pod","apiVersion":"v1"}');
    await harness.restart().start();
    expect(errors(harness)).toEqual([
      expect.stringContaining(
        `file "${harness.path('pulling', nameOf('y'))}" holds no ImagePullIntent: it is no ImagePullIntent of kubelet.config.k8s.io`,
      ),
      expect.stringContaining(`file "${torn}" holds no ImagePulledRecord: `),
    ]);
    const { records } = harness;
    expect(await records.mustAttemptPull(image, ref, async () => [secretCredential('one')])).toBe(false);
    expect(await records.mustAttemptPull('registry.test/torn:1', 'sha256:torn', unasked)).toBe(true);
    await records.recordPullIntent('registry.test/torn:1');
    await records.recordPulled('registry.test/torn:1', 'sha256:torn', undefined);
    expect(await records.mustAttemptPull('registry.test/torn:1', 'sha256:torn', unasked)).toBe(false);
    // What was left of a write has gone.
    expect(await harness.files('pulled')).toEqual([nameOf(ref), nameOf('sha256:torn'), 'notes'].sort());
  });

  it('makes records of intents whose images are there, and leaves the others', async () => {
    await harness.records.recordPullIntent(image);
    await harness.records.recordPullIntent('registry.test/other:1');
    harness.present = { [image]: ref };
    await harness.restart().start();
    expect(await harness.files('pulling')).toEqual([nameOf('registry.test/other:1')]);
    expect(JSON.parse((await harness.read('pulled'))[0] ?? '')).not.toHaveProperty('credentialMapping');
    expect(await harness.records.mustAttemptPull('registry.test/other:1', 'sha256:other', unasked)).toBe(true);
  });

  it('starts without a runtime', async () => {
    await harness.records.recordPullIntent(image);
    harness.listing = new Error('no runtime');
    await harness.restart().start();
    expect(errors(harness)).toEqual([expect.stringContaining('records could not be made of image pulls')]);
    expect(await harness.files('pulling')).toEqual([nameOf(image)]);
  });

  it('leaves the intent when the record cannot be written, and refuses a pull without an intent', async () => {
    await harness.records.recordPullIntent(image);
    await rm(harness.path('pulled'), { recursive: true });
    await writeFile(harness.path('pulled'), 'a file in the way');
    await harness.records.recordPulled(image, ref, undefined);
    expect(errors(harness)).toContain('failed to write image pulled record: ');
    expect(await harness.files('pulling')).toEqual([nameOf(image)]);
    await rm(harness.path('pulling'), { recursive: true });
    await writeFile(harness.path('pulling'), 'a file in the way');
    await expect(harness.records.recordPullIntent('other')).rejects.toThrow('failed to record image pull intent: ');
  });

  it('lets the next pull of the image remove an intent that could not be removed, or whose record could not be written', async () => {
    const file = harness.path('pulling', nameOf(image));
    const pulled = harness.path('pulled');
    const blocked = async (at: string, work: () => Promise<void>): Promise<void> => {
      await rename(at, `${at}.kept`);
      await (at === file ? mkdir(path.join(at, 'full'), { recursive: true }) : writeFile(at, 'a file in the way'));
      await work();
      await rm(at, { recursive: true });
      await rename(`${at}.kept`, at);
    };
    await harness.records.recordPullIntent(image);
    await blocked(file, () => harness.records.recordPullFailed(image));
    await harness.records.recordPullIntent(image);
    await blocked(pulled, () => harness.records.recordPulled(image, ref, undefined));
    expect(errors(harness).map((line) => line.replace(/:.*/, ''))).toEqual([
      'failed to remove image pull intent',
      'failed to write image pulled record',
    ]);
    expect(await harness.files('pulling')).toEqual([nameOf(image)]);
    await pull(undefined);
    expect(await harness.files('pulling')).toEqual([]);
  });

  it('keeps a record of the second in which the collection began', async () => {
    await pull(undefined);
    await harness.records.prune(new Set(), harness.clock.now() + 999);
    expect((await harness.files('pulled')).length).toBe(1);
    await harness.records.prune(new Set(), harness.clock.now() + 1000);
    expect(await harness.files('pulled')).toEqual([]);
  });

  it('counts checks and sizes', async () => {
    await pull(secretCredential('one'));
    await harness.records.recordPullIntent('registry.test/other:1');
    await harness.records.mustAttemptPull('preloaded:1', 'sha256:preloaded', unasked);
    await harness.records.mustAttemptPull(image, ref, async () => []);
    await harness.records.mustAttemptPull(image, ref, async () => [secretCredential('one')]);
    await harness.records.mustAttemptPull(image, ref, unasked).catch(() => undefined);
    const lines = (await harness.metrics.render())
      .split('\n')
      .filter((line) => line.startsWith('kubelet_imagemanager'));
    expect(lines).toEqual([
      'kubelet_imagemanager_image_mustpull_checks_total{result="credentialPolicyAllowed"} 1',
      'kubelet_imagemanager_image_mustpull_checks_total{result="credentialRecordFound"} 1',
      'kubelet_imagemanager_image_mustpull_checks_total{result="error"} 1',
      'kubelet_imagemanager_image_mustpull_checks_total{result="mustAuthenticate"} 1',
      'kubelet_imagemanager_inmemory_pulledrecords_usage_percent 0',
      'kubelet_imagemanager_inmemory_pullintents_usage_percent 0',
      'kubelet_imagemanager_ondisk_pulledrecords 1',
      'kubelet_imagemanager_ondisk_pullintents 1',
    ]);
  });
});

describe('verification policy', () => {
  let harness: RecordsHarness;
  afterEach(() => harness.close());

  it.each([
    // policy, allowlist, image, whether a pod without credentials must pull: preloaded, pulled with a secret
    ['NeverVerify', [], 'a.test/x/y:1', false, false],
    ['NeverVerifyPreloadedImages', [], 'a.test/x/y:1', false, true],
    ['AlwaysVerify', [], 'a.test/x/y:1', true, true],
    ['NeverVerifyAllowlistedImages', [], 'a.test/x/y:1', true, true],
    ['NeverVerifyAllowlistedImages', ['a.test/x/y'], 'a.test/x/y:1', false, false],
    ['NeverVerifyAllowlistedImages', ['a.test/x/y'], `a.test/x/y@sha256:${'0'.repeat(64)}`, false, false],
    ['NeverVerifyAllowlistedImages', ['a.test/x/*'], 'a.test/x/y:1', false, false],
    ['NeverVerifyAllowlistedImages', ['a.test/x'], 'a.test/x/y:1', true, true],
    ['NeverVerifyAllowlistedImages', ['a.test/*'], 'a.test.evil/x:1', true, true],
    ['NeverVerifyAllowlistedImages', ['busybox'], 'docker.io/library/busybox:1', true, true],
  ] as const)('%s with %j for %s', async (policy, allowlist, name, preloaded, pulled) => {
    harness = await RecordsHarness.make({ verificationPolicy: policy, allowlist });
    await harness.records.start();
    const must = (): Promise<boolean> => harness.records.mustAttemptPull(name, ref, async () => []);
    expect(await must()).toBe(preloaded);
    await harness.records.recordPullIntent(name);
    await harness.records.recordPulled(name, ref, secretCredential('one'));
    expect(await must()).toBe(pulled);
  });

  it.each([
    [' a', 'leading/trailing spaces are not allowed'],
    ['', 'too short'],
    ['a*b', "only patterns ending with '/*' are allowed"],
    ['/*', 'at least registry hostname is required'],
    ['a:1', 'neither tag nor digest is accepted'],
    ['UPPER', 'failed to parse as an image name'],
  ])('refuses the pattern %j', async (pattern, why) => {
    const options = { verificationPolicy: 'NeverVerifyAllowlistedImages', allowlist: [pattern] } as const;
    const made = RecordsHarness.make(options);
    await expect(made).rejects.toThrow(why);
    harness = await RecordsHarness.make();
  });
});
