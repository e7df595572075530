import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exists, mountsBelow, readMountTable } from '@podwright/filesystem';
import { podUid, type Pod } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { main, podManifest, script, type PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const isRunning = ({ status }: Pod): boolean => status?.containerStatuses?.[0]?.state?.running !== undefined;

// In this order: each case goes on with the node of the one before.
onLab(`FlexVolume drivers${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let node: TestNode;

  const folderOf = (driver: string): string => path.join(node.dir, 'volume-plugins', `example.dev~${driver}`);
  const store = (): string => path.join(node.dir, 'store');
  /** Moves a whole driver into place; it keeps a list of its calls. */
  async function install(driver: string, cases: readonly string[]): Promise<void> {
    const staged = path.join(node.dir, 'staged-driver');
    const lines = [
      '#!/bin/sh',
      `store='${store()}'`,
      `echo "$*" >> "$store/${driver}.calls"`,
      `ok() { echo '{"status":"Success"}'; }`,
      'case "$1" in',
      ...cases,
      `*) echo '{"status":"Not supported"}'; exit 1 ;;`,
      'esac',
    ];
    await mkdir(store(), { recursive: true });
    await mkdir(folderOf(driver), { recursive: true });
    await writeFile(staged, `${lines.join('\n')}\n`);
    await chmod(staged, 0o755);
    // A file that is still open for writing cannot be run.
    await writeFile(path.join(folderOf(driver), driver), await readFile(staged), { mode: 0o755 });
    await rm(staged);
  }
  const callsOf = async (driver: string, command: string): Promise<readonly string[]> => {
    const text = await readFile(path.join(store(), `${driver}.calls`), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line.startsWith(`${command} `));
  };
  const withVolume = (name: string, driver: string): PodManifest =>
    podManifest(name, {
      containers: [main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
      volumes: [{ name: 'data', flexVolume: { driver: `example.dev/${driver}`, options: { share: name } } }],
    });
  const exec = async (pod: string, text: string): Promise<string> => {
    const [found] = await bed().runtime.running(node.podName(pod));
    if (found === undefined) throw new Error(`no running container in pod ${pod}`);
    return (await bed().runtime.exec(found.id, ...script(text))).trim();
  };
  const mountedAt = async (): Promise<readonly string[]> => {
    const table = await readMountTable();
    const root = path.join(node.dir, 'root');
    const points = mountsBelow(table, path.join(root, 'pods'), path.join(root, 'plugins'));
    return points.map(({ mountPoint }) => mountPoint).filter((point) => point.includes('example.dev'));
  };
  const untilUnmounted = (): Promise<boolean> =>
    node.waitFor('nothing is mounted', async () => (await mountedAt()).length === 0);

  beforeAll(async () => {
    node = await bed().startNode('flex', { configuration: { enableControllerAttachDetach: false } });
  });
  afterAll(async () => {
    await node?.stop();
    for (const point of await mountedAt()) throw new Error(`${point} is still mounted`);
  });

  it('may be installed while a pod waits for one, and mount what the pod gets', async () => {
    await node.add(withVolume('early', 'share'));
    await node.waitFor('an event about the driver', async () => {
      const events = await node.events('early', 'FailedMount');
      return events.some((line) => line.includes('no volume plugin matched'));
    });
    await install('share', [
      `init) echo '{"status":"Success","capabilities":{"attach":false}}' ;;`,
      'mount) mkdir -p "$store/content" && mount --bind "$store/content" "$2" && ok ;;',
      'unmount) umount "$2" && ok ;;',
    ]);
    const pod = await node.waitForPod('early', 'runs', isRunning);
    expect(await exec('early', 'echo hello > /data/greeting && cat /data/greeting')).toBe('hello');
    expect(await readFile(path.join(store(), 'content/greeting'), 'utf8')).toBe('hello\n');
    const [call = ''] = await callsOf('share', 'mount');
    expect(JSON.parse(call.slice(call.indexOf('{')))).toMatchObject({
      share: 'early',
      'kubernetes.io/pod.name': node.podName('early'),
      'kubernetes.io/pod.uid': podUid(pod),
      'kubernetes.io/readwrite': 'rw',
    });
    await node.remove('early.json');
    await node.removed('early');
    await untilUnmounted();
    expect(await callsOf('share', 'unmount')).toHaveLength(1);
    expect(await exists(path.join(store(), 'content/greeting'))).toBe(true);
  });

  it('mount once when the kubelet dies before they answer', async () => {
    await install('slow', [
      `init) echo '{"status":"Success","capabilities":{"attach":false}}' ;;`,
      'mount) mount -t tmpfs slow "$2" && sleep 3 && ok ;;',
      'unmount) umount "$2" && ok ;;',
    ]);
    await node.add(withVolume('unlucky', 'slow'));
    await node.waitFor('the driver has mounted', async () => (await mountedAt()).length === 1);
    await node.end('SIGKILL');
    await node.start();
    await node.waitForPod('unlucky', 'runs', isRunning);
    expect([(await callsOf('slow', 'mount')).length, (await mountedAt()).length]).toEqual([1, 1]);
    await node.remove('unlucky.json');
    await node.removed('unlucky');
    await untilUnmounted();
  });

  it('attach for one node, and mount a device that all pods of the node share', async () => {
    await install('disk', [
      `init) echo '{"status":"Success"}' ;;`,
      'attach) touch "$store/attached" && ok ;;',
      'detach) rm "$store/attached" && ok ;;',
      'mountdevice) mount -t tmpfs disk "$2" && ok ;;',
      'unmountdevice) umount "$2" && ok ;;',
    ]);
    await node.add(withVolume('first', 'disk'));
    await node.add(withVolume('second', 'disk'));
    await node.waitForPod('first', 'runs', isRunning);
    await node.waitForPod('second', 'runs', isRunning);
    await exec('first', 'echo shared > /data/file');
    expect(await exec('second', 'cat /data/file')).toBe('shared');
    expect((await mountedAt()).length).toBe(3);
    await node.end('SIGKILL');
    await node.start();
    await node.remove('first.json');
    await node.removed('first');
    expect(await exec('second', 'cat /data/file')).toBe('shared');
    await node.remove('second.json');
    await node.removed('second');
    await untilUnmounted();
    await node.waitFor('the driver has detached', async () => !(await exists(path.join(store(), 'attached'))));
    expect(await callsOf('disk', 'mountdevice')).toHaveLength(1);
  });
});
