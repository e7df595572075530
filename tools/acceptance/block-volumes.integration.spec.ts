import { open, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { persistentVolumeClaims, persistentVolumes } from '@podwright/kube-client-interface';
import { labSupport, tryCommand } from '@podwright/lab';
import { ClusterNode } from './cluster-node.js';
import { MemoryClusterServer } from './cluster-server.js';
import { main, podManifest, script } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import { repositoryRoot } from '../workspace/repository-root.js';

const namespace = 'default';
const diskBytes = 16 * 1024 * 1024;
const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`block volumes${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let server: MemoryClusterServer;
  let on: ClusterNode;
  let dir: string;
  const devices: string[] = [];

  const run = async (file: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await tryCommand(file, args);
    if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr.trim()}`);
    return stdout.trim();
  };

  beforeAll(async () => {
    server = await MemoryClusterServer.start();
    dir = path.join(bed().lab.dir, 'blocks');
    on = await ClusterNode.start(bed(), server, 'blocks', {
      configuration: { syncFrequency: '2s' },
      assembly: [
        {
          add: path.join(repositoryRoot, 'tools/acceptance/dying-blocks.ts'),
          config: { dir, dieAt: path.join(bed().lab.dir, 'die-at') },
        },
      ],
    });
    await on.ready();
  });
  afterAll(async () => {
    await on?.stop();
    await bed().stopNodes();
    await server?.stop();
    for (const device of devices) await tryCommand('losetup', ['-d', device]);
  });

  async function attach(name: string): Promise<{ readonly image: string; readonly device: string }> {
    const image = path.join(bed().lab.dir, `${name}.img`);
    await writeFile(image, '');
    await truncate(image, diskBytes);
    const device = await run('losetup', '-f', '--show', image);
    devices.push(device);
    return { image, device };
  }

  /** A disk with the name, and a claim that is bound to it; resolves with the disk's file. */
  async function disk(name: string): Promise<string> {
    const { image, device } = await attach(name);
    await claim(name, 'Block', { quobyte: { registry: device, volume: name } });
    return image;
  }

  /** A PersistentVolume and a claim that is bound to it. */
  async function claim(name: string, volumeMode: 'Block' | 'Filesystem', source: object): Promise<void> {
    const storage = '16Mi';
    const mode = { accessModes: ['ReadWriteOnce'], volumeMode };
    const claim = await on.admin.create(persistentVolumeClaims, {
      metadata: { namespace, name },
      spec: { ...mode, volumeName: name, storageClassName: '', resources: { requests: { storage } } },
    });
    const claimRef = { namespace, name, uid: claim.metadata?.uid ?? '' };
    await on.admin.create(persistentVolumes, {
      metadata: { name },
      spec: { ...mode, capacity: { storage }, claimRef, ...source },
    });
    const body = { status: { phase: 'Bound', capacity: { storage } } };
    const ofClaim = { namespace, name };
    await on.admin.patch(persistentVolumeClaims, ofClaim, { type: 'merge', body }, { subresource: 'status' });
  }

  const pod = (name: string, text: string): ReturnType<typeof podManifest> =>
    podManifest(name, {
      containers: [
        main({
          command: [...script(`${text}; trap "exit 0" TERM; sleep 1000000 & wait`)],
          volumeDevices: [{ name: 'raw', devicePath: '/dev/raw' }],
        }),
      ],
      volumes: [{ name: 'raw', persistentVolumeClaim: { claimName: name } }],
    });
  const write = (word: string): string => `printf ${word} | dd of=/dev/raw bs=512 seek=8 conv=fsync`;
  const wordOn = async (image: string, length: number): Promise<string> => {
    const file = await open(image, 'r');
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, 4096);
    await file.close();
    return buffer.toString();
  };
  /** Loop devices and mounts that lead into the plugin's folder, and links of pods. */
  async function leftovers(): Promise<readonly string[]> {
    const loops = await run('losetup', '-a');
    const mounts = await readFile('/proc/self/mountinfo', 'utf8');
    const found = `${loops}\n${mounts}`.split('\n').filter((line) => line.includes(`${dir}/`));
    const files = await readdir(dir, { recursive: true }).catch(() => []);
    // A folder without anything in it may stay.
    return [...found, ...files.filter((file) => /^(staged|published)\/./.test(file))];
  }
  async function untilNothingIsLeft(): Promise<void> {
    let left: readonly string[] = [];
    const look = async (): Promise<boolean> => (left = await leftovers()).length === 0;
    await on.kubelet.waitFor('nothing is left', look, {}, () => `left: ${left.join('\n')}\n`);
  }

  it('are written raw, and leave nothing', async () => {
    const image = await disk('plain');
    await on.create(pod('plain', write('first')));
    await on.untilReady('plain');
    await on.kubelet.waitFor('the word is on the disk', async () => (await wordOn(image, 5)) === 'first');
    expect(Number(await on.exec('plain', 'sh', '-c', 'wc -c < /dev/raw'))).toBe(diskBytes);
    await on.untilEvent(
      'plain',
      'SuccessfulMountVolume',
      /^MapVolume\.MapPodDevice succeeded for volume "plain" globalMapPath /,
    );
    await on.untilEvent(
      'plain',
      'SuccessfulMountVolume',
      /^MapVolume\.MapPodDevice succeeded for volume "plain" volumeMapPath /,
    );
    expect((await leftovers()).length).toBeGreaterThan(2);
    await on.delete('plain', 1);
    await on.untilGone('plain');
    await untilNothingIsLeft();
  });

  it.each(['setUpDevice', 'mapPodDevice'])('outlive a kubelet that dies after %s', async (step) => {
    const name = `up-${step.toLowerCase()}`;
    const image = await disk(name);
    await dieAt(step);
    await on.create(pod(name, write('again')));
    await restart();
    await on.untilReady(name);
    await on.kubelet.waitFor('the word is on the disk', async () => (await wordOn(image, 5)) === 'again');
    await on.delete(name, 1);
    await on.untilGone(name);
    await untilNothingIsLeft();
  });

  it.each(['unmap', 'unmapPodDevice', 'tearDownDevice'])('go after a kubelet that dies after %s', async (step) => {
    const name = `down-${step.toLowerCase()}`;
    await disk(name);
    await on.create(pod(name, 'true'));
    await on.untilReady(name);
    await dieAt(step);
    await on.delete(name, 1);
    await restart();
    await on.untilGone(name);
    await untilNothingIsLeft();
  });

  it('go with a pod that is deleted while the kubelet is dead', async () => {
    await disk('orphan');
    await on.create(pod('orphan', 'true'));
    await on.untilReady('orphan');
    await on.kubelet.end('SIGKILL');
    await on.delete('orphan', 0);
    await on.kubelet.start();
    await untilNothingIsLeft();
    expect(await on.pod('orphan')).toBeUndefined();
  });

  describe('with a file system, as local volumes', () => {
    const reading = (name: string, text: string, readOnly = false): ReturnType<typeof podManifest> =>
      podManifest(name, {
        containers: [
          main({
            command: [...script(`${text}; trap "exit 0" TERM; sleep 1000000 & wait`)],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          }),
        ],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name, readOnly } }],
      });
    const mountsOf = async (device: string): Promise<readonly string[]> =>
      (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').filter((line) => line.includes(` ${device} `));
    async function end(name: string, device: string): Promise<void> {
      await on.delete(name, 1);
      await on.untilGone(name);
      await on.kubelet.waitFor(`${device} is unmounted`, async () => (await mountsOf(device)).length === 0);
    }

    it('are formatted once, and keep their files', async () => {
      const { device } = await attach('formatted');
      await claim('formatted', 'Filesystem', { local: { path: device }, mountOptions: ['noatime'] });
      await on.create(reading('formatted', 'echo kept > /data/file'));
      await on.untilReady('formatted');
      await on.kubelet.waitFor(
        'the file is written',
        async () => (await on.exec('formatted', 'cat', '/data/file')) === 'kept\n',
      );
      expect(await on.exec('formatted', 'grep', ' /data ', '/proc/mounts')).toMatch(/ ext4 rw,noatime/);
      await end('formatted', device);
      await on.create(reading('formatted', 'true', true));
      await on.untilReady('formatted');
      expect(await on.exec('formatted', 'cat', '/data/file')).toBe('kept\n');
      expect(await on.exec('formatted', 'grep', ' /data ', '/proc/mounts')).toMatch(/ ext4 ro,/);
      await end('formatted', device);
    });

    const failing =
      'MountVolume\\.MountDevice failed for volume ".*" : local: failed to mount device /dev/loop\\d+ at .*';
    it.each<[string, readonly string[] | undefined, boolean, string]>([
      ['other', ['mkfs.ext2', '-q'], false, 'error mount failed: exit status 32'],
      ['swap', ['mkswap'], false, 'error mount failed: exit status 32'],
      ['empty', undefined, true, 'error cannot mount unformatted disk .* as we are manipulating it in read-only mode$'],
    ])('are left as they are when they are not what the volume says: %s', async (name, make, readOnly, words) => {
      const { device, image } = await attach(`left-${name}`);
      if (make !== undefined) await run(make[0] ?? '', ...make.slice(1), device);
      const before = await readFile(image);
      await claim(`left-${name}`, 'Filesystem', { local: { path: device, fsType: name === 'empty' ? 'ext4' : 'xfs' } });
      await on.create(reading(`left-${name}`, 'true', readOnly));
      await on.untilEvent(`left-${name}`, 'FailedMount', new RegExp(`^${failing}${words}`, 's'));
      await end(`left-${name}`, device);
      // An fsck of ext2 counts itself in the superblock, and changes nothing else.
      expect((await readFile(image)).subarray(4096).equals(before.subarray(4096))).toBe(true);
    });

    it('are refused when their path is no disk and no directory', async () => {
      await claim('nowhere', 'Filesystem', { local: { path: '/nowhere/at/all' } });
      await on.create(reading('nowhere', 'true'));
      const words =
        /^MountVolume\.NewMounter initialization failed for volume "nowhere" : path "\/nowhere\/at\/all" does not exist$/;
      await on.untilEvent('nowhere', 'FailedMount', words);
      await on.delete('nowhere', 0);
      await on.untilGone('nowhere');
    });
  });

  it('names that are no text, and depths that are no path, do not keep a pod from its end', async () => {
    const odd = `cd /data; touch "$(printf '\\377\\376')"; i=0; while [ $i -lt 2500 ]; do mkdir d; cd d; i=$((i+1)); done`;
    await on.create(
      podManifest('odd', {
        securityContext: { fsGroup: 77 },
        containers: [
          main({
            command: [...script(`${odd}; touch /data/done; trap "exit 0" TERM; sleep 1000000 & wait`)],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          }),
        ],
        volumes: [{ name: 'data', emptyDir: {} }],
      }),
    );
    await on.untilReady('odd');
    await on.kubelet.waitFor('the tree is there', async () => (await on.exec('odd', 'ls', '/data')).includes('done'));
    await on.delete('odd', 1);
    await on.untilGone('odd');
  });

  const dieAt = (step: string): Promise<void> => writeFile(path.join(bed().lab.dir, 'die-at'), step);
  async function restart(): Promise<void> {
    expect(await on.kubelet.kubelet.ended).toMatchObject({ signal: 'SIGKILL' });
    await rm(path.join(bed().lab.dir, 'die-at'), { force: true });
    await on.kubelet.start();
  }
});
