import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildKubelet } from '../build/kubelet.js';
import { parseOptions, usage } from './options.js';
import { removePods } from './remove-pods.js';
import { findRuntime } from './runtime-choice.js';
import { startKubelet } from './start-kubelet.js';
import { watchPods } from './watch-pods.js';

const options = readOptions();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const dir = mkdtempSync(path.join(os.tmpdir(), 'podwright-'));
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});

async function main(): Promise<number> {
  const runtime = await findRuntime(options, say);
  try {
    const { file } = runtime.kind === 'simulated' ? { file: '' } : await buildKubelet();
    const kubelet = await startKubelet({ file, dir, runtime, staticPodPath: options.manifests });
    say(`kubelet started on ${runtime.description}; its log: ${kubelet.logFile}`);
    let code = 1;
    try {
      code = await watchPods({
        kubelet,
        options,
        reachable: runtime.kind !== 'simulated',
        stopping: stopping.signal,
        say,
      });
    } finally {
      const pods = await kubelet.pods().catch(() => []);
      await kubelet.stop();
      if (!options.keep && runtime.kind === 'given') await removePods(runtime.endpoint, pods);
    }
    if (code === 0 && !options.keep) rmSync(dir, { recursive: true, force: true });
    return code;
  } finally {
    if (options.keep) say('pods are left running');
    else await runtime.stop();
  }
}

function readOptions(): ReturnType<typeof parseOptions> {
  try {
    const parsed = parseOptions(process.argv.slice(2));
    if (!parsed.help) return parsed;
    say(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    process.exit(2);
  }
}
