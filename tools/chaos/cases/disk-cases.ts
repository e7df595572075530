import { open, rm, statfs, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { main, script } from '../../acceptance/pod-manifests.js';
import { SmallDisk } from '../../acceptance/small-disk.js';
import type { ChaosCase } from '../chaos-case.js';
import { quickPod, type ChaosNode } from '../chaos-node.js';

const steadyPods = 6;
const fullSeconds = 30;
const mebibyte = 2 ** 20;
// Eviction would end pods before the disk is full, which is another story.
const configuration = { evictionHard: { 'memory.available': '1Mi' } };

/** Writes until there is no byte left on the disk of the folder. */
async function fill(dir: string): Promise<string> {
  const file = path.join(dir, 'ballast');
  const handle = await open(file, 'w');
  try {
    for (let size = mebibyte; size >= 1; size = Math.floor(size / 4))
      await writeUntilFull(handle, Buffer.alloc(size, 1));
    await handle.sync();
  } finally {
    await handle.close();
  }
  const { bavail, bsize } = await statfs(dir);
  if (bavail * bsize > 64 * 1024) throw new Error(`${dir} has ${bavail * bsize} bytes left`);
  return file;
}

async function writeUntilFull(handle: FileHandle, block: Buffer): Promise<void> {
  for (;;) {
    try {
      const { bytesWritten } = await handle.write(block);
      if (bytesWritten < block.length) return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
      throw error;
    }
  }
}

interface FullDisk {
  readonly name: string;
  readonly of: string;
  readonly surroundings: Pick<ChaosCase, 'lab' | 'prepare' | 'configuration'>;
  readonly folder: (node: ChaosNode) => string;
}

/** Says a line each 0.1 s, so that it needs room for its log. */
const talks = [...script('trap "exit 0" TERM; while true; do echo "a line of the log of this pod"; sleep 0.1; done')];

function fullDisk({ name, of, surroundings, folder }: FullDisk): ChaosCase {
  return {
    name,
    does: `the disk ${of} is full to the last byte for ${fullSeconds} s, with ${steadyPods} pods running, one that logs, one starting and one ending, and a kubelet that is killed meanwhile`,
    ...surroundings,
    configuration: { ...configuration, ...surroundings.configuration },
    run: async (node, report) => {
      await node.steady(steadyPods);
      await node.create([quickPod('talks', { containers: [main({ command: talks })] }), quickPod('ends')]);
      for (const pod of ['talks', 'ends']) await node.node.untilReady(pod);
      const talking = (await node.containerOf('talks')).id;
      const ballast = await fill(folder(node));
      report.begins();
      await node.create([quickPod('starts')]);
      await node.node.delete('ends');
      await sleep((fullSeconds * 1000) / 2);
      await node.killKubelet();
      await sleep((fullSeconds * 1000) / 2);
      report.note(`said of the pod that starts: ${await node.explanation('starts').catch(String)}`);
      await rm(ballast);
      // A kubelet that cannot start on a full disk is started again by its supervisor.
      if (!node.isRunning) {
        report.note('the kubelet could not start while the disk was full');
        await node.node.kubelet.start();
      }
      report.well(await node.untilWell(performance.now(), ['talks', 'starts'], ['ends']));
      if ((await node.containerOf('talks')).id !== talking) report.lost('the pod that logs was started anew');
      await node.judgeSteady(report);
    },
  };
}

const smallDiskAt =
  (folder: string, sizeMiB: number) =>
  async (dir: string): Promise<() => Promise<void>> => {
    const disk = await SmallDisk.create(path.join(dir, folder), sizeMiB * mebibyte);
    return () => disk.remove();
  };

export const diskCases: readonly ChaosCase[] = [
  fullDisk({
    name: 'full-kubelet-disk',
    of: "of the kubelet's folder",
    surroundings: { prepare: smallDiskAt('root', 64) },
    folder: ({ root }) => root,
  }),
  fullDisk({
    name: 'full-log-disk',
    of: 'of the logs of pods',
    surroundings: { prepare: smallDiskAt('pod-logs', 32) },
    folder: ({ node }) => path.join(node.kubelet.dir, 'pod-logs'),
  }),
  fullDisk({
    name: 'full-runtime-disk',
    of: 'of images and containers',
    surroundings: { lab: { dataDiskMiB: 200 } },
    folder: ({ bed }) => bed.lab.layout.dataDir,
  }),
];
