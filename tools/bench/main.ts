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
import { measureFloor, type FloorResult } from './floor.js';
import { parseOptions, type BenchNode } from './options.js';
import { median } from './quantile.js';
import { startOwnCluster, type OwnCluster } from './own-cluster.js';
import { clusterRows, printComparison, printReport, staticRows, type Report } from './report.js';
import { runClusterPods, type ClusterResult } from './cluster-pods.js';
import { comparePlegs, runStaticPods, type BenchRun, type StaticRoundResult } from './static-pods.js';

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

let ownCluster: OwnCluster | undefined;

try {
  if (options.cluster === 'own') ownCluster = await startOwnCluster(benchDir);
  const cluster = options.cluster === 'own' ? ownCluster : options.cluster;
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
  } else if (cluster === undefined) {
    const runRounds = (more: Partial<BenchRun>) => runStaticPods({ ...run, ...more });
    await measure({ what: 'one-container static pods', rows: staticRows, floor, runRounds });
  } else {
    const join = { cluster, nodeIp: lab?.network.gateway, clock, logger };
    const runRounds = (more: Partial<BenchRun>) => runClusterPods({ ...run, ...more, ...join });
    await measure({ what: 'one-container pods of an API server', rows: clusterRows, floor, runRounds });
  }
} finally {
  await client.stop();
  await ownCluster?.stop();
  await lab?.stop();
}

interface Measured<T> extends Pick<Report<T>, 'what' | 'rows' | 'floor'> {
  readonly runRounds: (more: Partial<BenchRun>) => Promise<readonly T[]>;
}

async function measure<T extends StaticRoundResult | ClusterResult>(measured: Measured<T>): Promise<void> {
  if (options.against === undefined) await withRunners(measured);
  else await alternate(measured, options.against);
}

/** Runs all rounds with each runner and prints them side by side. */
async function withRunners<T extends StaticRoundResult | ClusterResult>(measured: Measured<T>): Promise<void> {
  const rounds: T[] = [];
  const columns: string[] = [];
  for (const runner of runners) {
    if (runner !== undefined) say(`with ${runner.name} ...`);
    const dir = path.join(benchDir, runner?.name ?? '');
    for (const round of await measured.runRounds({ ...runner?.run, dir })) {
      rounds.push(round);
      columns.push(runner?.name ?? `round ${rounds.length}`);
    }
  }
  printReport({ options, ...measured, rounds, columns });
}

/** Each round has a new process, so that both kubelets begin alike, and what the machine does meanwhile hits both. */
async function alternate<T extends StaticRoundResult | ClusterResult>(
  measured: Measured<T>,
  against: string,
): Promise<void> {
  const one = { ...options, rounds: 1 };
  const [ours, theirs]: [T[], T[]] = [[], []];
  for (let round = 1; round <= options.rounds; round += 1) {
    say(`pair ${round}: ${file} ...`);
    ours.push(...(await measured.runRounds({ options: one, dir: path.join(benchDir, `this-${round}`) })));
    say(`pair ${round}: ${against} ...`);
    const dir = path.join(benchDir, `against-${round}`);
    theirs.push(...(await measured.runRounds({ options: one, foreign: true, file: against, dir })));
  }
  printComparison({ options, ...measured, ours, theirs });
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
