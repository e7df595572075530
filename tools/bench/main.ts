import path from 'node:path';
import { createCriClient } from '@podwright/cri-client';
import { createLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createSystemClock } from '@podwright/time';
import { buildKubelet } from '../build/kubelet.js';
import { buildSingleExecutable } from '../build/single-executable.js';
import { nodePins } from '../node/node-pins.js';
import { hostArchitecture, nodeProgram } from '../node/node-program.js';
import { startLab } from '@podwright/lab';
import { measureFloor, median, type FloorResult } from './floor.js';
import { parseOptions, type BenchNode } from './options.js';
import { clusterRows, printReport, staticRows, type Report } from './report.js';
import { runClusterPods } from './cluster-pods.js';
import { comparePlegs, runStaticPods, type BenchRun } from './static-pods.js';

const options = parseOptions(process.argv.slice(2));
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const file = options.kubelet ?? (await buildKubelet()).file;
/** What runs the kubelet: the Node.js of this process, unless the options name others. */
const runners = options.nodes.length === 0 ? [undefined] : await Promise.all(options.nodes.map(runnerOf));
const lab =
  options.runtimeEndpoint === undefined
    ? await startLab({ containerd: options.containerd, name: 'bench', log: say })
    : undefined;
const endpoint = options.runtimeEndpoint ?? lab?.endpoint ?? '';
const image = options.image || lab?.images.busybox || 'podwright.local/busybox:1';
const cgroupRoot = lab?.cgroupRoot ?? '/';
const benchDir = path.join(lab?.dir ?? '/tmp', `bench-${process.pid}`);
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
  const dir = benchDir;
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
    await withRunners('one-container static pods', staticRows, floor, (more) => runStaticPods({ ...run, ...more }));
  } else {
    const nodeIp = lab?.network.gateway;
    const join = { cluster: options.cluster, nodeIp, clock, logger };
    const what = 'one-container pods of an API server';
    await withRunners(what, clusterRows, floor, (more) => runClusterPods({ ...run, ...more, ...join }));
  }
} finally {
  await client.stop();
  await lab?.stop();
}

/** Runs all rounds with each runner and prints them side by side. */
async function withRunners<T extends object>(
  what: string,
  rows: Report<T>['rows'],
  floor: FloorResult | undefined,
  runRounds: (more: Partial<BenchRun>) => Promise<readonly T[]>,
): Promise<void> {
  const rounds: T[] = [];
  const columns: string[] = [];
  for (const runner of runners) {
    if (runner !== undefined) say(`with ${runner.name} ...`);
    const dir = path.join(benchDir, runner?.name ?? '');
    for (const round of await runRounds({ ...runner?.run, dir })) {
      rounds.push(round);
      columns.push(runner?.name ?? `round ${rounds.length}`);
    }
  }
  printReport({ options, what, rows, floor, rounds, columns });
}

interface Runner {
  readonly name: string;
  readonly run: Partial<BenchRun>;
}

async function runnerOf(node: BenchNode): Promise<Runner> {
  if (node === 'executable') {
    const { file } = await buildSingleExecutable('kubelet', hostArchitecture(), say);
    return { name: node, run: { file } };
  }
  return { name: `node ${node}`, run: { node: await nodeProgram(nodePins[node], hostArchitecture(), say) } };
}
