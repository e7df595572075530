import { existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod } from '@podwright/kube-types';
import { consoleAddress } from '@podwright/podwright';

import { buildExecutable, type Executable } from '../build/executable.js';
import { imagesOfPods, kubectlTarget, readClusterManifests, type ClusterManifest } from './cluster-manifests.js';
import { loopback } from './kubelet-process.js';
import { describeLeftovers } from './leftovers.js';
import { LocalCluster } from './local-cluster.js';
import { findNodePlugins, NodePlugins } from './node-plugins.js';
import { optionsTakenByNpm, readCommandLine } from './options.js';
import { podwrightLines, type PodwrightCommandOptions } from './podwright-command.js';
import { removePods } from './remove-pods.js';
import { cleanUpKilledRuns, RunFolder } from './run-folder.js';
import { findRuntime, type RuntimeChoice } from './runtime-choice.js';
import type { RunningKubelet } from './running-kubelet.js';
import { startKubelet, type StartKubeletOptions } from './start-kubelet.js';
import { watchPods } from './watch-pods.js';

const takenByNpm = optionsTakenByNpm(process.env);
if (takenByNpm.length > 0) {
  const all = takenByNpm.join(' ');
  process.stderr.write(`npm took ${all} for itself: put options after --, as in "npm start -- ${all}"\n`);
}
const commandLine = readCommandLine(process.argv.slice(2));
if ('exitCode' in commandLine) {
  (commandLine.exitCode === 0 ? process.stdout : process.stderr).write(`${commandLine.text}\n`);
  process.exit(commandLine.exitCode);
}
const { options } = commandLine;
const nodeName = options.nodeName ?? os.hostname().toLowerCase();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
// When the reader of the output exits, as `| head` does, the run stops cleanly.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stopping.abort());

function end(signal: NodeJS.Signals): void {
  if (!stopping.signal.aborted) say(`stopping after ${signal} ...`);
  stopping.abort();
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (error: unknown): void =>
  void process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
/** How long a console may take until the run goes on without its address. */
const consoleWaitSeconds = 15;
/** True once the run's folder may contain a log. */
let kubeletHasBegun = false;
let podsLeft: readonly Pod[] = [];
process.exitCode = await main().catch((error: unknown) => {
  complain(error);
  return 1;
});

async function main(): Promise<number> {
  if (options.kubeconfig !== undefined && !existsSync(options.kubeconfig)) {
    throw new Error(`--kubeconfig: there is no ${options.kubeconfig}`);
  }
  if (!existsSync(options.manifests)) throw new Error(`--manifests: there is no ${options.manifests}`);
  if (options.assembly !== undefined && !existsSync(options.assembly)) {
    throw new Error(`--assembly: there is no ${options.assembly}`);
  }
  await cleanUpKilledRuns(say);
  const folder = RunFolder.create();
  // First of all, so that a refused manifest fails at once.
  const cluster = await startCluster(folder).catch(async (error: unknown) => {
    await folder.remove(say);
    throw error;
  });
  let code = 1;
  try {
    code = await runOnRuntime(folder, cluster);
  } catch (error) {
    complain(error); // before the line that names the log
  } finally {
    await cluster?.server.stop();
    if (!kubeletHasBegun) await folder.remove(say);
    else if (options.keep) await folder.leave(say);
    else if (code === 0) await folder.remove(say);
    else await folder.keep(say); // the log explains the failure
  }
  return code;
}

async function runOnRuntime(folder: RunFolder, cluster: StartedCluster | undefined): Promise<number> {
  const runtime = await findRuntime(options, say);
  try {
    return stopping.signal.aborted ? abortedCode() : await runKubelet(folder, runtime, cluster);
  } finally {
    if (options.keep && runtime.kind !== 'simulated') {
      await runtime.leave();
      describeLeftovers(folder, runtime, podsLeft).forEach(say);
    } else await runtime.stop();
  }
}

/** An API server to which the manifests were applied. */
interface StartedCluster {
  readonly server: LocalCluster;
  readonly manifests: readonly ClusterManifest[];
}

async function startCluster({ dir }: RunFolder): Promise<StartedCluster | undefined> {
  if (!options.cluster) return undefined;
  const manifests = readClusterManifests(options.manifests);
  const server = await LocalCluster.start(dir, nodeName, say);
  try {
    say(`applied: ${(await server.apply(manifests)).join(', ') || 'nothing, there are no manifests'}`);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { server, manifests };
}

async function runKubelet(
  folder: RunFolder,
  runtime: RuntimeChoice,
  cluster: StartedCluster | undefined,
): Promise<number> {
  const source = podSource(folder, cluster);
  const isReal = runtime.kind !== 'simulated';
  const program = source.join === undefined ? 'kubelet-standalone' : 'kubelet';
  const [command, executable] = await Promise.all(['podwright', ...(isReal ? [program] : [])].map(buildExecutable));
  if (stopping.signal.aborted) return abortedCode();
  kubeletHasBegun = true;
  // Without a bridge of its own, the kubelet stays on loopback, where no node may have its address.
  if (cluster !== undefined && runtime.nodeIp === undefined) cluster.server.kubeletHost = loopback;
  const { file = '' } = executable ?? {};
  const kubelet = await startKubelet({ file, folder, runtime, changes: options, ...source });
  say(`kubelet started on ${runtime.description}; its log: ${kubelet.logFile}`);
  let plugins: NodePlugins | undefined;
  try {
    plugins = await startPlugins(folder, runtime, cluster);
    describeApi(kubelet);
    await describeConsole(folder, kubelet);
    if (cluster !== undefined) describeCluster(cluster, isReal);
    const applied = cluster?.manifests.filter(({ object }) => object.kind === 'Pod').length ?? 0;
    const expectedPods = Math.max(applied, 1);
    const { unreachedRegistryHint } = runtime;
    const watched = { kubelet, options, expectedPods, reachable: isReal, unreachedRegistryHint };
    const describe = (pods: readonly Pod[]): Promise<readonly string[]> =>
      describePods(kubelet, command, { real: isReal, ofCluster: source.join !== undefined }, pods);
    return await watchPods({ ...watched, describe, stopping: stopping.signal, say });
  } finally {
    const pods = await kubelet.pods().catch(() => []);
    await kubelet.stop();
    await plugins?.stop();
    podsLeft = pods;
    const ours = runtime.kind === 'given' && !options.keep && pods.length > 0;
    if (ours) await removePods(runtime.endpoint, pods);
  }
}

/** Starts the programs beside the manifests that serve volumes or devices, with what they need to know of the node. */
async function startPlugins(
  folder: RunFolder,
  { kind, env = {}, cdiDir }: RuntimeChoice,
  cluster: StartedCluster | undefined,
): Promise<NodePlugins | undefined> {
  const files = findNodePlugins(options.manifests);
  if (files.length === 0) return undefined;
  if (kind === 'simulated') {
    say(`not started, because the runtime is simulated: ${files.join(', ')}`);
    return undefined;
  }
  const note = (name: string, pid: number): Promise<void> => folder.noteProcess(name, pid);
  const kubeconfig = cluster?.server.adminKubeconfig ?? options.kubeconfig;
  return NodePlugins.start({
    ...{ files, kubeletRoot: path.join(folder.dir, 'root'), note, say },
    env: {
      ...env,
      NODE_NAME: nodeName,
      ...(kubeconfig !== undefined && { KUBECONFIG: kubeconfig }),
      ...(cdiDir !== undefined && { CDI_DIR: cdiDir }),
    },
  });
}

/** Source of the pods: static pod files, or an API server with an empty static pod folder. */
function podSource(
  { dir }: RunFolder,
  cluster: StartedCluster | undefined,
): Pick<StartKubeletOptions, 'staticPodPath' | 'join'> {
  const kubeconfig = cluster?.server.nodeKubeconfig ?? options.kubeconfig;
  if (kubeconfig === undefined) return { staticPodPath: options.manifests };
  const staticPodPath = path.join(dir, 'manifests');
  mkdirSync(staticPodPath);
  const images = imagesOfPods(cluster?.manifests ?? []);
  const transport = cluster?.server.nodeTransport();
  return {
    staticPodPath,
    join: {
      kubeconfig,
      nodeName,
      images,
      ...(cluster && { authority: cluster.server.authority }),
      ...(transport && { transport }),
    },
  };
}

async function describePods(
  { socket }: RunningKubelet,
  command: Executable | undefined,
  node: Pick<PodwrightCommandOptions, 'real' | 'ofCluster'>,
  pods: readonly Pod[],
): Promise<readonly string[]> {
  if (socket === undefined || command === undefined) return [];
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  return podwrightLines(pods, { file: command.file, socket, cwd, runsOn: !options.exitWhenReady, ...node });
}

function describeApi({ url, operator }: RunningKubelet): void {
  if (url === undefined || operator === undefined) return;
  say(`the kubelet's API is at ${url}, for instance:`);
  for (const endpoint of ['/pods', '/debug/evictions/dry-run']) {
    say(`  curl -k --cert ${operator.certFile} --key ${operator.keyFile} ${url}${endpoint}`);
  }
}

/** Its address is known when the kubelet listens; an assembly without the console never has one. */
async function describeConsole({ dir }: RunFolder, kubelet: RunningKubelet): Promise<void> {
  if (options.consoleAddress === undefined) return;
  const rootDir = path.join(dir, 'root');
  const deadline = performance.now() + consoleWaitSeconds * 1000;
  while (!stopping.signal.aborted) {
    await kubelet.pods(); // throws when it has ended
    const url = await consoleAddress(rootDir);
    if (url !== undefined) return say(`the console is at ${url}`);
    if (performance.now() > deadline) {
      say(`no console listens after ${consoleWaitSeconds} s: ${whyNoConsole(options.assembly)}`);
      return say(`once it listens, its address is what this prints: podwright console --root-dir=${rootDir}`);
    }
    await sleep(100);
  }
}

function whyNoConsole(assembly: string | undefined): string {
  return assembly === undefined
    ? "the kubelet's log says why"
    : `see whether ${assembly} omits or replaces @podwright/console, and the kubelet's log`;
}

function describeCluster({ server, manifests }: StartedCluster, isReal: boolean): void {
  const kubectl = `kubectl --kubeconfig ${server.adminKubeconfig}`;
  say(`API server at ${server.url}, node ${nodeName}${options.exitWhenReady ? '' : '; try in another terminal:'}`);
  if (options.exitWhenReady) return;
  say(`  ${kubectl} get nodes,pods -A -o wide`);
  say(`  ${kubectl} describe node ${nodeName}`);
  say(`  ${kubectl} apply -f ${options.manifests}`);
  const target = isReal ? kubectlTarget(manifests) : undefined;
  if (target === undefined) return;
  say(`  ${kubectl} logs -f ${target}`);
  say(`  ${kubectl} exec -it ${target} -- sh`);
}

// With --exit-when-ready, an early stop is a failure.
function abortedCode(): number {
  return options.exitWhenReady ? 1 : 0;
}
