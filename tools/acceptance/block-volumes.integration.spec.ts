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
  }, 120_000);
  afterAll(async () => {
    await on?.stop();
    await bed().stopNodes();
    await server?.stop();
    for (const device of devices) await tryCommand('losetup', ['-d', device]);
  }, 60_000);

  /** A disk with the name, a PersistentVolume for it and a claim that is bound to it; resolves with the disk's file. */
  async function disk(name: string): Promise<string> {
    const image = path.join(bed().lab.dir, `${name}.img`);
    await writeFile(image, '');
    await truncate(image, diskBytes);
    const device = await run('losetup', '-f', '--show', image);
    devices.push(device);
    const storage = '16Mi';
    const mode = { accessModes: ['ReadWriteOnce'], volumeMode: 'Block' };
    const claim = await on.admin.create(persistentVolumeClaims, {
      metadata: { namespace, name },
      spec: { ...mode, volumeName: name, storageClassName: '', resources: { requests: { storage } } },
    });
    const claimRef = { namespace, name, uid: claim.metadata?.uid ?? '' };
    await on.admin.create(persistentVolumes, {
      metadata: { name },
      spec: { ...mode, capacity: { storage }, claimRef, quobyte: { registry: device, volume: name } },
    });
    const body = { status: { phase: 'Bound', capacity: { storage } } };
    const ofClaim = { namespace, name };
    await on.admin.patch(persistentVolumeClaims, ofClaim, { type: 'merge', body }, { subresource: 'status' });
    return image;
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
    await on.kubelet.waitFor('nothing is left', look, { withinMs: 20_000 }, () => `left: ${left.join('\n')}\n`);
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
    await on.untilReady(name, { withinMs: 40_000 });
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

  const dieAt = (step: string): Promise<void> => writeFile(path.join(bed().lab.dir, 'die-at'), step);
  async function restart(): Promise<void> {
    expect(await on.kubelet.kubelet.ended).toMatchObject({ signal: 'SIGKILL' });
    await rm(path.join(bed().lab.dir, 'die-at'), { force: true });
    await on.kubelet.start();
  }
});
