import 'reflect-metadata';
import { existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildKubelet } from '../build/kubelet.js';
import { LocalCluster } from './local-cluster.js';
import { readCommandLine } from './options.js';
import { removePods } from './remove-pods.js';
import { cleanUpKilledRuns, RunFolder } from './run-folder.js';
import { findRuntime, type RuntimeChoice } from './runtime-choice.js';
import { startKubelet, type StartKubeletOptions } from './start-kubelet.js';
import { watchPods } from './watch-pods.js';

const commandLine = readCommandLine(process.argv.slice(2));
if ('exitCode' in commandLine) {
  (commandLine.exitCode === 0 ? process.stdout : process.stderr).write(`${commandLine.text}\n`);
  process.exit(commandLine.exitCode);
}
const { options } = commandLine;
const nodeName = options.nodeName ?? os.hostname().toLowerCase();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

const say = (line: string): void => void process.stdout.write(`${line}\n`);
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});

async function main(): Promise<number> {
  if (options.kubeconfig !== undefined && !existsSync(options.kubeconfig)) {
    throw new Error(`--kubeconfig: there is no ${options.kubeconfig}`);
  }
  if (!existsSync(options.manifests)) throw new Error(`--manifests: there is no ${options.manifests}`);
  await cleanUpKilledRuns(say);
  const folder = RunFolder.create();
  let code = 1;
  try {
    code = await runOnRuntime(folder);
  } finally {
    if (options.keep) folder.leave();
    else if (code === 0) await folder.remove(say);
    else await folder.keep(say); // the log of a run that failed is worth it
  }
  return code;
}

async function runOnRuntime(folder: RunFolder): Promise<number> {
  const runtime = await findRuntime(options, say);
  try {
    return stopping.signal.aborted ? abortedCode() : await runKubelet(folder, runtime);
  } finally {
    if (options.keep && runtime.kind !== 'simulated') {
      await runtime.leave();
      say('pods are left running');
    } else await runtime.stop();
  }
}

async function runKubelet(folder: RunFolder, runtime: RuntimeChoice): Promise<number> {
  const { file } = runtime.kind === 'simulated' ? { file: '' } : await buildKubelet();
  const cluster = await startCluster(folder);
  try {
    return await runJoined(folder, runtime, file, cluster);
  } finally {
    await cluster?.stop();
  }
}

async function startCluster({ dir }: RunFolder): Promise<LocalCluster | undefined> {
  return options.cluster ? LocalCluster.start(dir, nodeName, say) : undefined;
}

async function runJoined(
  folder: RunFolder,
  runtime: RuntimeChoice,
  file: string,
  cluster: LocalCluster | undefined,
): Promise<number> {
  const kubelet = await startKubelet({ file, folder, runtime, ...podSource(folder, cluster) });
  say(`kubelet started on ${runtime.description}; its log: ${kubelet.logFile}`);
  try {
    if (cluster !== undefined) await describeCluster(cluster);
    const reachable = runtime.kind !== 'simulated';
    return await watchPods({ kubelet, options, reachable, stopping: stopping.signal, say });
  } finally {
    const pods = await kubelet.pods().catch(() => []);
    await kubelet.stop(say);
    const ours = runtime.kind === 'given' && !options.keep && pods.length > 0;
    if (ours) await removePods(runtime.endpoint, pods);
  }
}

/** Static pods, or those of an API server: then the folder of static pods is empty. */
function podSource(
  { dir }: RunFolder,
  cluster: LocalCluster | undefined,
): Pick<StartKubeletOptions, 'staticPodPath' | 'join'> {
  const kubeconfig = cluster?.nodeKubeconfig ?? options.kubeconfig;
  if (kubeconfig === undefined) return { staticPodPath: options.manifests };
  const staticPodPath = path.join(dir, 'manifests');
  mkdirSync(staticPodPath);
  const { manifests } = options;
  const transport = cluster?.nodeTransport();
  return { staticPodPath, join: { kubeconfig, nodeName, manifests, ...(transport && { transport }) } };
}

async function describeCluster(cluster: LocalCluster): Promise<void> {
  const kubectl = `kubectl --kubeconfig ${cluster.adminKubeconfig}`;
  say(`API server at ${cluster.url}, node ${nodeName}; try in another terminal:`);
  say(`  ${kubectl} get nodes,pods -A -o wide`);
  say(`  ${kubectl} apply -f ${options.manifests}`);
  say(`  ${kubectl} describe node ${nodeName}`);
  say(`applied: ${(await cluster.apply(options.manifests)).join(', ')}`);
}

// Ended before it was ready is a failure to whoever waits for that.
function abortedCode(): number {
  return options.exitWhenReady ? 1 : 0;
}
