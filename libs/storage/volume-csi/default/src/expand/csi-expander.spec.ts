import { beforeEach, describe, expect, it } from '@jest/globals';
import { hasCode, KubeletError } from '@podwright/errors';
import { VolumeCapability_AccessMode_Mode as modes } from '@podwright/volume-csi-interface';
import { uncertainProgress, volumeFailure, type NodeExpandRequest } from '@podwright/volume-interface';
import { CsiHarness, never, withObjects } from '../fixtures/csi-harness.js';

const failed = (code: KubeletError['code']): KubeletError => new KubeletError(`it is ${code}`, { code });

describe('expanding CSI volumes', () => {
  let csi: CsiHarness;
  beforeEach(async () => {
    csi = await CsiHarness.create();
    csi.driver.capabilities.add('EXPAND_VOLUME');
    withObjects(csi, { 'secrets s/login': { data: { user: Buffer.from('me').toString('base64') } } });
  });
  const requestFor = (mode: NodeExpandRequest['mode']): NodeExpandRequest => ({
    spec: csi.claimed(
      { fsType: 'ext4', nodeExpandSecretRef: { namespace: 's', name: 'login' } },
      { mountOptions: ['noatime'], accessModes: ['ReadWriteMany'] },
    ),
    mode,
    devicePath: '/dev/x',
    deviceMountPath: '/staged',
    volumePath: mode === 'Block' ? '/dev/x' : '/published',
    oldBytes: 1,
    newBytes: 2 ** 40,
  });
  const expand = (mode: NodeExpandRequest['mode'] = 'Filesystem'): Promise<void> => {
    const { expandable } = csi.plugin();
    if (expandable === undefined) throw new Error('it is not expandable');
    return expandable.nodeExpand(requestFor(mode), never);
  };
  const failureOf = (): Promise<unknown> =>
    expand().then(
      () => 'success',
      (error: unknown) => error,
    );

  it.each([
    ['Filesystem', '/published', { mount: { fsType: 'ext4', mountFlags: ['noatime'], volumeMountGroup: '' } }],
    ['Block', '/dev/x', { block: {} }],
  ] as const)('%s: asks the driver, with its secret', async (mode, volumePath, access) => {
    await expand(mode);
    expect(csi.driver.requestOf('nodeExpandVolume')).toEqual({
      volumeId: 'vol-1',
      volumePath,
      stagingTargetPath: '/staged',
      capacityRange: { requiredBytes: 2n ** 40n, limitBytes: 0n },
      volumeCapability: { ...access, accessMode: { mode: modes.MULTI_NODE_MULTI_WRITER } },
      secrets: { user: 'me' },
    });
    expect(csi.plugin().expandable?.requiresFsResize()).toBe(true);
  });

  it('is not needed with a driver that cannot', async () => {
    csi.driver.capabilities.delete('EXPAND_VOLUME');
    expect(await failureOf()).toMatchObject({
      code: 'unimplemented',
      message: 'NodeExpand is not supported by the CSI driver disks.example.com',
    });
  });

  it.each<[KubeletError['code'], KubeletError['code']]>([
    ['failed-precondition', 'failed-precondition'],
    ['invalid-argument', 'invalid-argument'],
    ['out-of-range', 'out-of-range'],
    ['not-found', 'not-found'],
    ['internal', 'internal'],
    ['unimplemented', 'internal'],
  ])('%s of the driver is %s', async (code, expected) => {
    csi.driver.before = (call) => {
      if (call === 'nodeExpandVolume') throw failed(code);
    };
    const error = await failureOf();
    const colon = ['invalid-argument', 'out-of-range', 'not-found'].includes(code) ? '' : ': ';
    expect(error).toMatchObject({ message: `Expander.NodeExpand failed to expand the volume ${colon}it is ${code}` });
    expect([volumeFailure(error), hasCode(error, expected)]).toEqual(['final', true]);
    expect(hasCode(error, 'unimplemented')).toBe(false);
  });

  it('names its secret when that cannot be read', async () => {
    csi.objects.clear();
    expect(await failureOf()).toMatchObject({
      message:
        'expander.NodeExpand failed to get NodeExpandSecretRef s/login: kubernetes.io/csi: failed to find the secret ' +
        'login in the namespace s with error: secrets "login" not found',
    });
  });

  it.each<[string, (it: CsiHarness) => void]>([
    ['the driver is missing', (it) => void (it.registered = false)],
    ['the secret is missing', (it) => it.objects.clear()],
    ['the driver does not answer', (it) => void (it.driver.before = () => Promise.reject(failed('not-found')))],
    [
      'it takes too long',
      (it) => {
        it.driver.before = (call) => {
          if (call === 'nodeExpandVolume') throw uncertainProgress(failed('deadline-exceeded'));
        };
      },
    ],
  ])('is tried again when %s', async (_what, prepare) => {
    prepare(csi);
    const error = await failureOf();
    expect([volumeFailure(error), hasCode(error, 'not-found')]).toEqual(['uncertain', false]);
  });
});
