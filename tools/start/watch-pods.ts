import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod } from '@podwright/kube-types';
import { LiveView } from './live-view.js';
import type { StartOptions } from './options.js';
import { ask, podUrl } from './pod-answer.js';
import { describePods, isFailed, isReady, podLines } from './pod-view.js';
import type { RunningKubelet } from './running-kubelet.js';
import { WarningEvents } from './warning-events.js';

export interface WatchPodsOptions {
  readonly kubelet: RunningKubelet;
  readonly options: StartOptions;
  /** How many pods must exist before all can count as ready. */
  readonly expectedPods: number;
  /** False when pod addresses are simulated: then no HTTP request is sent. */
  readonly reachable: boolean;
  readonly unreachedRegistryHint: string | undefined;
  /** Lines about the ready pods. */
  readonly describe: (pods: readonly Pod[]) => Promise<readonly string[]>;
  readonly stopping: AbortSignal;
  readonly say: (line: string) => void;
}

const lookPeriodMs = 250;
/** Log lines that are searched at each poll. */
const searchedLines = 200;

/**
 * Shows the pods until the user stops the run, and the HTTP answer of the first one with a port. Resolves with the exit
 * code.
 */
export async function watchPods({
  kubelet,
  options,
  expectedPods,
  reachable,
  unreachedRegistryHint,
  describe,
  stopping,
  say,
}: WatchPodsOptions): Promise<number> {
  const view = new LiveView(process.stdout);
  const deadline = performance.now() + options.timeoutSeconds * 1000;
  let greeted = false;
  const told = new Set<string>();
  const warnings = new WarningEvents();
  const viewOptions = { warnings, unreachedRegistryHint };
  for (;;) {
    if (stopping.aborted) return options.exitWhenReady ? 1 : 0;
    const pods = await kubelet.pods();
    const log = kubelet.lastLines(searchedLines);
    for (const complaint of newComplaints(log, told)) {
      view.release();
      say(complaint);
    }
    warnings.read(log);
    if (options.exitWhenReady && told.size > 0) {
      say('not all pods can become ready: the kubelet rejected a manifest');
      return 1;
    }
    view.show(podLines(pods, viewOptions));
    if (!greeted && pods.length >= expectedPods && pods.every(isReady)) {
      view.release();
      greeted = await greet(pods, reachable, say);
      if (greeted) (await describe(pods)).forEach(say);
      if (greeted && options.exitWhenReady) return 0;
      if (greeted) say('running; press Ctrl-C to end');
    }
    const failed = pods.filter(isFailed);
    if (options.exitWhenReady && failed.length > 0) {
      say(`these pods will never be ready:\n${describePods(failed, viewOptions).join('\n')}`);
      return 1;
    }
    if (options.exitWhenReady && performance.now() > deadline) {
      say(
        `not ready within ${options.timeoutSeconds} s:\n${describePods(pods, viewOptions).join('\n') || 'there are no pods'}`,
      );
      say(`the end of ${kubelet.logFile}:\n${kubelet.lastLines(15)}`);
      return 1;
    }
    await sleep(lookPeriodMs);
  }
}

// A refused manifest gives no pod, so the kubelet's log line about it is shown once.
function newComplaints(log: string, told: Set<string>): readonly string[] {
  const complaints = log
    .split('\n')
    .flatMap(
      (line) => /static pod manifest is not used: .*/.exec(line)?.[0].replaceAll('\\"', '"').replace(/"$/, '') ?? [],
    )
    .filter((complaint) => !told.has(complaint));
  for (const complaint of complaints) told.add(complaint);
  return complaints;
}

// A pod can be ready before its server listens; false makes the caller retry.
async function greet(pods: readonly Pod[], reachable: boolean, say: (line: string) => void): Promise<boolean> {
  const url = pods.map(podUrl).find((candidate) => candidate !== undefined);
  if (url === undefined || !reachable) {
    say(
      url === undefined
        ? 'all pods are ready; none has a TCP port to query'
        : `all pods are ready; ${url} is simulated, so no request is sent`,
    );
    return true;
  }
  try {
    const answer = await ask(url, 2_000);
    say(`${url} answers: ${answer.trim()}`);
    return true;
  } catch {
    return false;
  }
}
