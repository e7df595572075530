import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeletProcess } from '../start/kubelet-process.js';
import { usageOf } from './process-usage.js';

/** How a kubelet started, without pods. */
export interface StartResult {
  /** From the start of the process until its sync loop runs. */
  readonly upSeconds: number;
  readonly upCpuSeconds: number;
}

const longestMs = 60_000;
const askPeriodMs = 10;

/** Waits until the kubelet is healthy; `startedMs` is when its process was started, by `performance.now()`. */
export async function measureStart(kubelet: KubeletProcess, startedMs: number): Promise<StartResult> {
  for (;;) {
    const answer = await kubelet.ask('/healthz').catch(() => '');
    const upSeconds = (performance.now() - startedMs) / 1000;
    if (answer === 'ok') return { upSeconds, upCpuSeconds: (await usageOf(kubelet.child.pid ?? 0)).cpuSeconds };
    if (!kubelet.running || upSeconds > longestMs / 1000) throw new Error('the kubelet is not healthy');
    await sleep(askPeriodMs);
  }
}
