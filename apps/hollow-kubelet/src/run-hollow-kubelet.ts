import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import {
  asNode,
  decodeBehaviour,
  startHollowNodes,
  type HollowBehaviour,
  type HollowNode,
  type HollowNodes,
} from '@podwright/hollow-nodes';
import { createKubeTransport } from '@podwright/kube-transport';
import { version } from '@podwright/kubelet-assembly';
import { createLogger } from '@podwright/logging';
import { createMetricsRegistry, registerProcessMetrics } from '@podwright/metrics';
import { monitorLoopDelay, type Clock } from '@podwright/time';
import { registerFleetMetrics } from './fleet-metrics.js';
import { parseOptions, type HollowOptions } from './options.js';
import { showProgress } from './progress.js';
import { writeServingFiles } from './serving-files.js';
import { serveStatus, type StatusServer } from './status-server.js';
import { usage } from './usage.js';

export interface HollowIo {
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
  readonly clock: Clock;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/** Runs a command line until the signal. Resolves with the exit code. */
export async function runHollowKubelet(args: readonly string[], io: HollowIo): Promise<number> {
  try {
    const options = parseOptions(args);
    if (options === 'help') io.print(usage.trimEnd());
    else if (options === 'version') io.print(`Kubernetes ${version}`);
    else await run(options, io);
    return 0;
  } catch (error) {
    if (io.signal.aborted) return 0;
    io.complain(`hollow-kubelet: ${error instanceof KubeletError ? error.message : errorText(error)}`);
    return hasCode(error, 'invalid-argument') ? 2 : 1;
  }
}

const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : messageOf(error);

async function run(options: HollowOptions, { print, clock, signal }: HollowIo): Promise<void> {
  const behaviour = options.behaviour === '' ? undefined : await readBehaviour(options.behaviour);
  const logger = createLogger({ clock, component: 'hollow-kubelet' });
  const metrics = createMetricsRegistry();
  const loopDelay = monitorLoopDelay();
  registerProcessMetrics(metrics, { loopDelay });
  let fleet: HollowNodes | undefined;
  const known: HollowNode[] = [];
  registerFleetMetrics(metrics, () => known);
  const readyCount = (): number => known.filter(({ ready }) => ready).length;
  const unready = (): string | undefined => {
    const expected = options.nodes - known.filter(({ currentFault }) => currentFault !== undefined).length;
    const ready = readyCount();
    return ready >= expected ? undefined : `${ready} of ${expected} nodes Ready`;
  };
  const dir = await makeFolder(options.dataDir);
  let status: StatusServer | undefined;
  const transport = createKubeTransport({ clock, logger, metrics }, { kubeconfig: options.kubeconfig });
  const progress = new AbortController();
  try {
    status = options.status && (await serveStatus(options.status, { metrics, unready }));
    if (options.status && status) print(`status on http://${options.status.host}:${status.port}/metrics`);
    await transport.start();
    const servers =
      options.address === '' ? undefined : await writeServingFiles(options, path.join(dir, 'serving'), clock.now());
    void showProgress({ clock, print, nodes: options.nodes, readyCount }, progress.signal);
    fleet = await startHollowNodes(
      {
        ...{ nodes: options.nodes, namePrefix: options.namePrefix, podsPerNode: options.podsPerNode },
        ...{ seed: options.seed, clock, logger, startsAtOnce: options.startsAtOnce },
        transport: options.impersonate ? (name) => asNode(transport, name) : transport,
        dataDir: path.join(dir, 'fleet'),
        ...(behaviour && { behaviour }),
        ...(servers && { servers }),
        onStart: (node) => known.push(node),
        onFault: ({ name, currentFault }) => print(`node ${name} is ${currentFault ?? 'back'}`),
      },
      signal,
    );
    await aborted(signal);
    print('stopping; the Node objects stay');
  } finally {
    progress.abort();
    await fleet?.stop();
    await transport.stop();
    await status?.close();
    loopDelay.stop();
    await rm(path.join(dir, 'serving'), { recursive: true, force: true });
    if (options.dataDir === undefined) await rm(dir, { recursive: true, force: true });
    await logger.flush();
  }
}

async function readBehaviour(file: string): Promise<HollowBehaviour> {
  const content = await readFile(file).catch((error: unknown) => {
    throw new KubeletError(`--behaviour ${file} cannot be read: ${messageOf(error)}`, { code: 'invalid-argument' });
  });
  return decodeBehaviour(content, file);
}

async function makeFolder(given: string | undefined): Promise<string> {
  if (given === undefined) return mkdtemp(path.join(tmpdir(), 'hollow-kubelet-'));
  const present = await mkdir(given, { recursive: true, mode: 0o700 })
    .then(() => readdir(given))
    .catch((error: unknown) => {
      throw badFolder(given, `cannot be used: ${messageOf(error)}`);
    });
  if (present.length > 0)
    throw badFolder(
      given,
      `is not empty (it has ${present[0] ?? ''}), and its files would be removed at the end; name another folder, or empty this one if an earlier hollow-kubelet has left it`,
    );
  return path.resolve(given);
}

const badFolder = (given: string, problem: string): KubeletError =>
  new KubeletError(`--data-dir ${given} ${problem}`, { code: 'invalid-argument' });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
