import type { CriClient } from '@podwright/cri-client';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeletProcess } from '../start/kubelet-process.js';
import type { BenchOptions } from './options.js';
import { measureRound, type RoundResult } from './round.js';
import { measureStart, type StartResult } from './start-up.js';

/** Input of every benchmark run. */
export interface BenchRun {
  readonly options: BenchOptions;
  readonly client: CriClient;
  /** Path of the kubelet's executable. */
  readonly file: string;
  /** True: it is a kubelet of somebody else, so it gets upstream's flags alone. */
  readonly foreign?: boolean;
  /** Path of the Node.js that runs it; default that of this process. */
  readonly node?: string;
  readonly dir: string;
  readonly endpoint: string;
  readonly image: string;
  readonly cgroupRoot: string;
  readonly say: (line: string) => void;
}

/** From the start of a kubelet until it is at rest: memory without pods is that at rest. */
export const restMs = 10_000;

/** A round, and how its kubelet started. */
export type StaticRoundResult = RoundResult & StartResult;

/** Runs all rounds with one kubelet; manifests provide the pods. */
export async function runStaticPods(run: BenchRun): Promise<readonly StaticRoundResult[]> {
  const { options, client, foreign, file, node, dir, endpoint, image, cgroupRoot, say } = run;
  const manifests = path.join(dir, 'manifests');
  await mkdir(manifests, { recursive: true });
  const startedMs = performance.now();
  const kubelet = await KubeletProcess.start({
    file,
    ...(node !== undefined && { node }),
    ...(foreign === true && { assembly: 'none' }),
    dir,
    staticPodPath: manifests,
    runtimeEndpoint: endpoint,
    configuration: { cgroupRoot, featureGates: options.featureGates },
    flags: options.record === undefined ? [] : ['--flight-recorder'],
  });
  const rounds: StaticRoundResult[] = [];
  try {
    const start = await measureStart(kubelet, startedMs);
    await sleep(restMs);
    for (let round = 1; round <= options.rounds; round += 1) {
      say(`round ${round}: ${options.pods} static pods ...`);
      rounds.push({ ...start, ...(await measureRound({ ...options, round, client, kubelet, manifests, image })) });
    }
    return rounds;
  } catch (error) {
    say(kubelet.lastLines(30));
    throw error;
  } finally {
    await kubelet.stop();
    if (options.record !== undefined) await keepRecording(path.join(dir, 'root/flight-recorder'), options.record);
    await removeEndedPods(client);
    await kubelet.unmount(say);
  }
}

async function keepRecording(directory: string, file: string): Promise<void> {
  const segments = (await readdir(directory)).sort();
  if (segments.length === 0) throw new Error(`there is no recording in ${directory}`);
  await writeFile(file, Buffer.concat(await Promise.all(segments.map((name) => readFile(path.join(directory, name))))));
}

/** Otherwise the next kubelet would find them, and its clean-up a minute after the start would count as idle CPU. */
export async function removeEndedPods(client: CriClient): Promise<void> {
  const { items } = await client.listPodSandbox({});
  for (const { id, metadata } of items)
    if (metadata?.name.startsWith('bench-') === true) await client.removePodSandbox({ podSandboxId: id });
}

/** Runs the same rounds with the generic pleg, which lists the runtime each second, and then with the evented pleg. */
export async function comparePlegs(
  run: BenchRun,
): Promise<{ readonly generic: readonly StaticRoundResult[]; readonly evented: readonly StaticRoundResult[] }> {
  run.say('with the generic pleg ...');
  const generic = await runWithPleg(run, 'generic', false);
  run.say('with the evented pleg ...');
  const evented = await runWithPleg(run, 'evented', true);
  return { generic, evented };
}

function runWithPleg(run: BenchRun, name: string, EventedPLEG: boolean): Promise<readonly StaticRoundResult[]> {
  const options = { ...run.options, featureGates: { ...run.options.featureGates, EventedPLEG } };
  return runStaticPods({ ...run, options, dir: path.join(run.dir, name) });
}
