import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { uncertainProgress, volumeFailure, type VolumeSpec } from '@podwright/volume-interface';
import { VolumeCapability_AccessMode_Mode as modes } from '@podwright/volume-csi-interface';
import { CsiHarness, never, withObjects } from '../fixtures/csi-harness.js';
import { attachmentNameOf } from './attachment.js';
import { sha256Hex } from './csi-source.js';

const folder = 'pods/uid-1/volumes/kubernetes.io~csi/pv-1';
const failed = (code: KubeletError['code']): KubeletError => new KubeletError(`it is ${code}`, { code });

describe('a published CSI volume', () => {
  let csi: CsiHarness;
  beforeEach(async () => {
    csi = await CsiHarness.create();
  });
  const setUp = (spec: VolumeSpec, options = {}): Promise<void> => csi.plugin().newMounter(spec).setUp(never, options);
  const failureOf = (spec: VolumeSpec, options = {}): Promise<unknown> =>
    setUp(spec, options).then(
      () => 'success',
      (error: unknown) => error,
    );
  const request = (): Readonly<Record<string, unknown>> => csi.driver.requestOf('nodePublishVolume');

  it('is one of a PersistentVolume: staged elsewhere, published below the pod', async () => {
    const name = attachmentNameOf({ handle: 'vol-1', driver: csi.driver.driver, nodeName: 'node-1' });
    csi.csiDriver = { fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent'] };
    withObjects(csi, {
      [`volumeattachments ${name}`]: { status: { attached: true, attachmentMetadata: { lun: '3' } } },
      'secrets s/login': { data: { user: Buffer.from('me').toString('base64') } },
    });
    const spec = csi.claimed(
      { fsType: 'ext4', volumeAttributes: { pool: 'a' }, nodePublishSecretRef: { namespace: 's', name: 'login' } },
      { accessModes: ['ReadWriteOncePod'], mountOptions: ['noatime'] },
    );
    const mounter = csi.plugin().newMounter(spec);
    await mounter.setUp(never);
    const target = join(csi.rootDir, folder, 'mount');
    expect(mounter).toMatchObject({ hostPath: target, readOnly: false, managed: true, selinuxRelabel: false });
    expect(request()).toEqual({
      volumeId: 'vol-1',
      targetPath: target,
      stagingTargetPath: join(
        csi.rootDir,
        'plugins/kubernetes.io/csi/disks.example.com',
        sha256Hex('vol-1'),
        'globalmount',
      ),
      publishContext: { lun: '3' },
      secrets: { user: 'me' },
      volumeContext: { pool: 'a' },
      readonly: false,
      volumeCapability: {
        mount: { fsType: 'ext4', mountFlags: ['noatime'], volumeMountGroup: '' },
        accessMode: { mode: modes.SINGLE_NODE_WRITER },
      },
    });
    expect(await readFile(join(csi.rootDir, folder, 'vol_data.json'), 'utf8')).toBe(
      `{"attachmentID":"${name}","driverName":"disks.example.com","nodeName":"node-1","specVolID":"pv-1",` +
        '"volumeHandle":"vol-1","volumeLifecycleMode":"Persistent"}\n',
    );
    expect((await stat(join(csi.rootDir, folder))).mode & 0o777).toBe(0o750);
  });

  it('is one of the pod itself: neither staged nor attached, with a secret of the pod and a handle of its own', async () => {
    csi.csiDriver = { volumeLifecycleModes: ['Ephemeral'], fsGroupPolicy: 'File', podInfoOnMount: true };
    withObjects(csi, { 'secrets ns/login': { data: {} } });
    await setUp(csi.inline({ readOnly: true, nodePublishSecretRef: { name: 'login' }, volumeAttributes: { a: 'b' } }));
    expect(request()).toMatchObject({
      volumeId: `csi-${sha256Hex('uid-1data')}`,
      stagingTargetPath: '',
      publishContext: {},
      readonly: true,
      volumeContext: {
        a: 'b',
        'csi.storage.k8s.io/pod.name': 'web',
        'csi.storage.k8s.io/pod.namespace': 'ns',
        'csi.storage.k8s.io/pod.uid': 'uid-1',
        'csi.storage.k8s.io/serviceAccount.name': 'sa',
        'csi.storage.k8s.io/ephemeral': 'true',
      },
    });
    expect(csi.asked).toEqual(['secrets ns/login']);
  });

  it.each([
    [false, 'volumeContext', 'secrets'],
    [true, 'secrets', 'volumeContext'],
  ])('gets service account tokens (in secrets: %s)', async (serviceAccountTokenInSecrets, where, elsewhere) => {
    const tokenRequests = [{ audience: 'vault', expirationSeconds: 600 }, { audience: '' }];
    csi.csiDriver = { attachRequired: false, fsGroupPolicy: 'None', tokenRequests, serviceAccountTokenInSecrets };
    csi.csiDriver = { ...csi.csiDriver, volumeLifecycleModes: ['Persistent'] };
    await setUp(csi.claimed());
    const key = 'csi.storage.k8s.io/serviceAccount.tokens';
    const entry = (token: string): string => `{"token":"${token}","expirationTimestamp":"2030-01-01T00:00:00Z"}`;
    expect(request()[where]).toEqual({ [key]: `{"":${entry('for ')},"vault":${entry('for vault')}}` });
    expect(request()[elsewhere]).toEqual({});
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'uid-1' };
    expect(csi.tokenRequests).toEqual([
      {
        namespace: 'ns',
        account: 'sa',
        request: { audiences: ['vault'], expirationSeconds: 600, boundObjectRef },
      },
      { namespace: 'ns', account: 'sa', request: { audiences: [], boundObjectRef } },
    ]);
  });

  it.each([
    ['mounts with a label where the driver can', true, 'l:1', ['context="l:1"']],
    ['and without where none is wanted', true, undefined, []],
    ['or where the driver cannot', false, 'l:1', []],
  ])('%s', async (_what, seLinuxMount, seLinuxLabel, mountFlags) => {
    csi.csiDriver = { ...usual, seLinuxMount };
    await setUp(csi.claimed(), { seLinuxLabel });
    expect(request()).toMatchObject({ volumeCapability: { mount: { mountFlags } } });
    const data = await readFile(join(csi.rootDir, folder, 'vol_data.json'), 'utf8');
    expect(data.includes('"seLinuxMountContext":"l:1"')).toBe(mountFlags.length > 0);
  });

  it('has its files labelled by the runtime where the mount keeps labels', async () => {
    csi.csiDriver = usual;
    const mounter = csi.plugin().newMounter(csi.claimed());
    csi.driver.after = () => {
      csi.mounts.table.forEach((entry, index) => {
        csi.mounts.table[index] = { ...entry, superOptions: ['rw', 'seclabel'] };
      });
    };
    await mounter.setUp(never);
    expect(mounter.selinuxRelabel).toBe(true);
  });

  describe('with fsGroup', () => {
    const securityContext = { fsGroup: 2_000 };
    const groupOf = async (): Promise<number> => (await stat(join(csi.rootDir, folder, 'mount'))).gid;

    it.each([
      ['None', 'ext4', ['ReadWriteOnce'], false],
      ['File', '', ['ReadWriteMany'], true],
      ['ReadWriteOnceWithFSType', 'ext4', ['ReadWriteOnce'], true],
      ['ReadWriteOnceWithFSType', 'ext4', ['ReadWriteMany', 'ReadWriteOncePod'], true],
      ['ReadWriteOnceWithFSType', 'ext4', ['ReadOnlyMany'], false],
      ['ReadWriteOnceWithFSType', '', ['ReadWriteOnce'], false],
    ])(
      'and policy %s, file system %j, modes %j: changes owners %s',
      async (fsGroupPolicy, fsType, accessModes, own) => {
        csi.csiDriver = { ...usual, fsGroupPolicy };
        await setUp(csi.claimed({ fsType }, { accessModes }, csi.pod({ securityContext })));
        expect((await groupOf()) === 2_000).toBe(own);
      },
    );

    it('leaves owners to a driver that can set them, and changes none of a volume that is read-only', async () => {
      csi.csiDriver = { ...usual };
      csi.driver.capabilities.add('VOLUME_MOUNT_GROUP');
      await setUp(csi.claimed({}, {}, csi.pod({ securityContext })));
      expect(request()).toMatchObject({ volumeCapability: { mount: { volumeMountGroup: '2000' } } });
      expect(await groupOf()).not.toBe(2_000);
      csi.driver.capabilities.delete('VOLUME_MOUNT_GROUP');
      const volume = { name: 'data', persistentVolumeClaim: { claimName: 'c', readOnly: true } };
      await setUp({ ...csi.claimed({}, {}, csi.pod({ securityContext })), volume });
      expect(request()).toMatchObject({ readonly: true, volumeCapability: { mount: { volumeMountGroup: '' } } });
      expect(await groupOf()).not.toBe(2_000);
    });

    it('measures the change of owners, as upstream never as that of a former in-tree volume', async () => {
      csi.csiDriver = usual;
      await setUp({ ...csi.claimed({}, {}, csi.pod({ securityContext })), migrated: true });
      expect(await csi.metrics.render()).toMatch(
        /_count\{migrated="false",operation_name="volume_apply_access_control",status="success",volume_plugin="kubernetes.io\/csi:/,
      );
    });

    it('is uncertain when the owners cannot be changed', async () => {
      csi.csiDriver = usual;
      const stop = new AbortController();
      csi.driver.after = () => stop.abort(new Error('stopped'));
      const spec = csi.claimed({}, {}, csi.pod({ securityContext }));
      const error = await csi
        .plugin()
        .newMounter(spec)
        .setUp(stop.signal)
        .catch((thrown: unknown) => thrown);
      expect([volumeFailure(error), (error as Error).message]).toEqual([
        'uncertain',
        'applyFSGroup failed for vol vol-1: stopped',
      ]);
    });
  });

  it.each<[string, (csi: CsiHarness) => void, string]>([
    [
      'there is no driver',
      (it) => void (it.registered = false),
      'kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: ' +
        'driver name disks.example.com not found in the list of registered CSI drivers',
    ],
    [
      'CSIDriver objects are unknown',
      (it) => void (it.csiDriver = 'unknown'),
      'kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: not synced',
    ],
    [
      'the driver has only inline volumes',
      (it) => void (it.csiDriver = { volumeLifecycleModes: ['Ephemeral'] }),
      'kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode "Persistent" not ' +
        'supported by driver disks.example.com (only supports ["Ephemeral"])',
    ],
    [
      'its CSIDriver has no policy',
      (it) => void (it.csiDriver = { volumeLifecycleModes: ['Persistent'] }),
      'kubernetes.io/csi: mounter.SetupAt failed to check fsGroup policy: kubernetes.io/csi: ' +
        'expected valid fsGroupPolicy, received nil value or empty string',
    ],
    [
      'it does not answer',
      (it) => void (it.driver.before = () => Promise.reject(uncertainProgress(failed('unavailable')))),
      'kubernetes.io/csi: mounter.SetUpAt failed to check for STAGE_UNSTAGE_VOLUME capability: it is unavailable',
    ],
    [
      'a secret is missing',
      () => undefined,
      'fetching NodePublishSecretRef s/login failed: kubernetes.io/csi: failed to find the secret login in the ' +
        'namespace s with error: secrets "login" not found',
    ],
  ])('is not begun when %s', async (_what, prepare, message) => {
    csi.csiDriver = usual;
    prepare(csi);
    const error = await failureOf(csi.claimed({ nodePublishSecretRef: { namespace: 's', name: 'login' } }));
    expect([volumeFailure(error), (error as Error).message]).toEqual(['transient', message]);
    expect(await csi.tree('pods')).toEqual(['uid-1']);
  });

  it('is not begun where its folder or its data file cannot be made', async () => {
    csi.csiDriver = { attachRequired: false, volumeLifecycleModes: ['Persistent'], fsGroupPolicy: 'File' };
    const path = join(csi.rootDir, folder);
    await mkdir(join(path, 'vol_data.json'), { recursive: true });
    expect(await failureOf(csi.claimed())).toMatchObject({
      message: `kubernetes.io/csi: failed to save volume data file ${path}/vol_data.json: open ${path}/vol_data.json: is a directory`,
    });
    await rm(path, { recursive: true });
    await writeFile(path, '');
    expect(await failureOf(csi.claimed())).toMatchObject({
      message: `kubernetes.io/csi: mounter.SetUpAt failed to create dir "${path}":  mkdir ${path}: not a directory`,
    });
  });

  it('needs a CSIDriver object for an inline volume, none for one of a PersistentVolume', async () => {
    csi.csiDriver = undefined;
    const name = attachmentNameOf({ handle: 'vol-1', driver: csi.driver.driver, nodeName: 'node-1' });
    withObjects(csi, { [`volumeattachments ${name}`]: {} });
    await setUp(csi.claimed());
    expect(await failureOf(csi.inline())).toMatchObject({
      message: expect.stringContaining(
        'volume mode "Ephemeral" not supported by driver disks.example.com (no CSIDriver',
      ),
    });
  });

  it.each<[string, KubeletError, object, boolean]>([
    ['final', failed('invalid-argument'), {}, false],
    ['final', failed('invalid-argument'), { remount: true }, true],
    ['final', failed('invalid-argument'), { reconstructed: true }, true],
    ['uncertain', uncertainProgress(failed('deadline-exceeded')), {}, true],
  ])('after a %s error (%s) with %j keeps its data file: %s', async (kind, error, options, keeps) => {
    csi.csiDriver = usual;
    csi.driver.before = (call) => {
      if (call === 'nodePublishVolume') throw error;
    };
    const thrown = await failureOf(csi.claimed(), options);
    expect([volumeFailure(thrown), (thrown as Error).message]).toEqual([kind, error.message]);
    expect(await csi.tree(`pods/uid-1/volumes/kubernetes.io~csi`)).toEqual(keeps ? ['pv-1', 'pv-1/vol_data.json'] : []);
  });

  it('counts as mounted when the driver has done so in spite of its answer', async () => {
    csi.csiDriver = usual;
    csi.driver.after = (call) => {
      if (call === 'nodePublishVolume') throw failed('internal');
    };
    const error = await failureOf(csi.claimed());
    expect([volumeFailure(error), (error as Error).message]).toEqual(['uncertain', 'it is internal']);
    expect(await csi.tree(folder)).toEqual(['mount', 'vol_data.json']);
  });

  it('keeps what the driver has put into the target, and says so', async () => {
    csi.csiDriver = usual;
    await mkdir(join(csi.rootDir, folder, 'mount'), { recursive: true });
    await writeFile(join(csi.rootDir, folder, 'mount', 'file'), '');
    csi.driver.before = (call) => {
      if (call === 'nodePublishVolume') throw failed('internal');
    };
    expect(await failureOf(csi.claimed())).toMatchObject({ message: 'it is internal' });
    expect(csi.logger.entries.map(({ message }) => message).join()).toContain(
      `kubernetes.io/csi: mounter.SetUpAt failed to remove mount dir after error`,
    );
    expect(await csi.tree(folder)).toEqual(['mount', 'mount/file', 'vol_data.json']);
  });

  it('marks its calls as those of a former in-tree volume', async () => {
    csi.csiDriver = usual;
    const seen: unknown[] = [];
    const { nodePublishVolume } = csi.driver;
    csi.driver.nodePublishVolume = (sent, operation) => {
      seen.push(operation.migrated, operation.deadlineMs - csi.clock.now());
      return nodePublishVolume(sent, operation);
    };
    await setUp({ ...csi.claimed(), migrated: true });
    expect(seen).toEqual([true, 120_000]);
  });
});

const usual = { attachRequired: false, fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent'] };
