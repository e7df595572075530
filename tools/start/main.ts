import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { buildKubelet } from '../build/kubelet.js';
import { readCommandLine } from './options.js';
import { removePods } from './remove-pods.js';
import { cleanUpKilledRuns, RunFolder } from './run-folder.js';
import { findRuntime, type RuntimeChoice } from './runtime-choice.js';
import { startKubelet } from './start-kubelet.js';
import { watchPods } from './watch-pods.js';

const commandLine = readCommandLine(process.argv.slice(2));
if ('exitCode' in commandLine) {
  (commandLine.exitCode === 0 ? process.stdout : process.stderr).write(`${commandLine.text}\n`);
  process.exit(commandLine.exitCode);
}
const { options } = commandLine;
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

const say = (line: string): void => void process.stdout.write(`${line}\n`);
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});

async function main(): Promise<number> {
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
  const kubelet = await startKubelet({ file, folder, runtime, staticPodPath: options.manifests });
  say(`kubelet started on ${runtime.description}; its log: ${kubelet.logFile}`);
  try {
    const reachable = runtime.kind !== 'simulated';
    return await watchPods({ kubelet, options, reachable, stopping: stopping.signal, say });
  } finally {
    const pods = await kubelet.pods().catch(() => []);
    await kubelet.stop(say);
    const ours = runtime.kind === 'given' && !options.keep && pods.length > 0;
    if (ours) await removePods(runtime.endpoint, pods);
  }
}

// Ended before it was ready is a failure to whoever waits for that.
function abortedCode(): number {
  return options.exitWhenReady ? 1 : 0;
}
