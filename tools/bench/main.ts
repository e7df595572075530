import 'reflect-metadata';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCriClient } from '@podwright/cri-client';
import { createLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';
import { buildKubelet } from '../build/kubelet.js';
import { startLab } from '@podwright/lab';
import { KubeletProcess } from '../start/kubelet-process.js';
import { measureFloor, type FloorResult } from './floor.js';
import { parseOptions, usage } from './options.js';
import { printReport } from './report.js';
import { measureRound, type RoundResult } from './round.js';

const options = parseOptions(process.argv.slice(2));
if (options.help) {
  console.log(usage);
  process.exit(0);
}
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const file = options.kubelet ?? (await buildKubelet()).file;
const lab =
  options.runtimeEndpoint === undefined
    ? await startLab({ containerd: options.containerd, name: 'bench', log: say })
    : undefined;
const endpoint = options.runtimeEndpoint ?? lab?.endpoint ?? '';
const image = options.image || lab?.images.busybox || 'podwright.local/busybox:1';
const cgroupRoot = lab?.cgroupRoot ?? '/';
const clock = createSystemClock();
const logger = createLogger({ clock });
const client = createCriClient({ endpoint }, { clock, logger, metrics: createMetricsRegistry() });

try {
  await client.start();
  let floor: FloorResult | undefined;
  if (!options.skipFloor) {
    say(`floor: ${options.pods} pods by bare CRI calls, ${options.parallel} at a time ...`);
    floor = await measureFloor(client, options.pods, image, options.parallel, cgroupRoot);
  }
  const dir = path.join(lab?.dir ?? '/tmp', `bench-${process.pid}`);
  const manifests = path.join(dir, 'manifests');
  await mkdir(manifests, { recursive: true });
  const kubelet = await KubeletProcess.start({
    file,
    dir,
    staticPodPath: manifests,
    runtimeEndpoint: endpoint,
    configuration: { cgroupRoot },
  });
  const rounds: RoundResult[] = [];
  try {
    await sleep(3_000);
    for (let round = 1; round <= options.rounds; round += 1) {
      say(`round ${round}: ${options.pods} static pods ...`);
      rounds.push(await measureRound({ ...options, round, client, kubelet, manifests, image }));
    }
  } catch (error) {
    say(kubelet.lastLines(30));
    throw error;
  } finally {
    await kubelet.stop(say);
  }
  printReport({ options, floor, rounds });
} finally {
  await client.stop();
  await lab?.stop();
}
