import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod } from '@podwright/kube-types';
import { LiveView } from './live-view.js';
import type { StartOptions } from './options.js';
import { ask, podUrl } from './pod-answer.js';
import { describePods, isFailed, isReady, podLines } from './pod-view.js';
import type { RunningKubelet } from './start-kubelet.js';
import { WarningEvents } from './warning-events.js';

export interface WatchPodsOptions {
  readonly kubelet: RunningKubelet;
  readonly options: StartOptions;
  /** How many pods there are when all have come. */
  readonly expectedPods: number;
  /** false: pod addresses lead nowhere, nothing is asked over HTTP. */
  readonly reachable: boolean;
  readonly unreachedRegistryHint: string | undefined;
  readonly stopping: AbortSignal;
  readonly say: (line: string) => void;
}

const lookPeriodMs = 250;
/** The end of the log that is searched at each look. */
const searchedLines = 200;

/** Shows the pods as they come up, and what the first one with a port answers. Resolves with the exit code. */
export async function watchPods({
  kubelet,
  options,
  expectedPods,
  reachable,
  unreachedRegistryHint,
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
      say('not all pods can get ready: a manifest is refused');
      return 1;
    }
    view.show(podLines(pods, viewOptions));
    if (!greeted && pods.length >= expectedPods && pods.every(isReady)) {
      view.release();
      greeted = await greet(pods, reachable, say);
      if (greeted && options.exitWhenReady) return 0;
      if (greeted) say('running; press Ctrl-C to end');
    }
    const failed = pods.filter(isFailed);
    if (options.exitWhenReady && failed.length > 0) {
      say(`will never be ready:\n${describePods(failed, viewOptions).join('\n')}`);
      return 1;
    }
    if (options.exitWhenReady && performance.now() > deadline) {
      say(
        `not ready within ${options.timeoutSeconds} s:\n${describePods(pods, viewOptions).join('\n') || 'no pods at all'}`,
      );
      say(`the end of ${kubelet.logFile}:\n${kubelet.lastLines(15)}`);
      return 1;
    }
    await sleep(lookPeriodMs);
  }
}

// A manifest that is refused gives no pod to look at, so what the kubelet says of it is shown here, once.
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

// A pod can be ready a moment before its server listens; false asks the caller to come again.
async function greet(pods: readonly Pod[], reachable: boolean, say: (line: string) => void): Promise<boolean> {
  const url = pods.map(podUrl).find((candidate) => candidate !== undefined);
  if (url === undefined || !reachable) {
    say(
      url === undefined
        ? 'all pods are ready; none of them has a port to ask'
        : `all pods are ready; ${url} is simulated and not asked`,
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
