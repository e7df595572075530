import path from 'node:path';
import { createCriClient } from '@podwright/cri-client';
import { createLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';
import { buildKubelet } from '../build/kubelet.js';
import { startLab } from '@podwright/lab';
import { measureFloor, median, type FloorResult } from './floor.js';
import { parseOptions, usage } from './options.js';
import { clusterRows, printReport, staticRows } from './report.js';
import { runClusterPods } from './cluster-pods.js';
import { comparePlegs, runStaticPods } from './static-pods.js';

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
const client = createCriClient({ clock, logger, metrics: createMetricsRegistry() }, { runtimeEndpoint: endpoint });

try {
  await client.start();
  let floor: FloorResult | undefined;
  if (!options.skipFloor) {
    say(`floor: ${options.pods} pods by bare CRI calls, ${options.parallel} at a time ...`);
    floor = await measureFloor(client, options.pods, image, options.parallel, cgroupRoot);
  }
  const dir = path.join(lab?.dir ?? '/tmp', `bench-${process.pid}`);
  const run = { options, client, file, dir, endpoint, image, cgroupRoot, say };
  if (options.comparePleg) {
    const { generic, evented } = await comparePlegs(run);
    const rounds = [...generic, ...evented];
    const columns = rounds.map((_, index) => (index < generic.length ? 'generic' : 'evented'));
    printReport({ options, what: 'one-container static pods', rows: staticRows, floor, rounds, columns });
    const idle = (of: typeof generic): number =>
      median(of.map(({ idleCpuPercent }) => idleCpuPercent).sort((left, right) => left - right));
    say(`idle CPU with the evented pleg: ${(idle(evented) / idle(generic)).toFixed(2)} of that with the generic one`);
  } else if (options.cluster === undefined) {
    const rounds = await runStaticPods(run);
    printReport({ options, what: 'one-container static pods', rows: staticRows, floor, rounds });
  } else {
    const nodeIp = lab?.network.gateway;
    const rounds = await runClusterPods({ ...run, cluster: options.cluster, nodeIp, clock, logger });
    printReport({ options, what: 'one-container pods of an API server', rows: clusterRows, floor, rounds });
  }
} finally {
  await client.stop();
  await lab?.stop();
}
