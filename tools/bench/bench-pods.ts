import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Exits at once on SIGTERM, so that removal measures the kubelet and not a grace period. */
export const command: readonly string[] = ['sh', '-c', 'trap "exit 0" TERM; sleep 1000000 & wait'];

/** Each round has its own pod names: a pod with a known name and UID would count as restarted and back off. */
export const podName = (round: number, index: number): string => `bench-${round}-${String(index).padStart(4, '0')}`;

function manifest(name: string, image: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'bench' } },
    spec: {
      terminationGracePeriodSeconds: 30,
      containers: [{ name: 'main', image, imagePullPolicy: 'IfNotPresent', command }],
    },
  });
}

/**
 * Writes one manifest per pod into `dir`, each moved into place complete. Resolves with the wall-clock time of each, in
 * milliseconds.
 */
export async function writeManifests(
  dir: string,
  round: number,
  count: number,
  image: string,
  gapMs: number,
): Promise<readonly number[]> {
  const staging = `${dir}.new`;
  await mkdir(staging, { recursive: true });
  const names = Array.from({ length: count }, (_, index) => podName(round, index));
  await Promise.all(names.map((name) => writeFile(path.join(staging, `${name}.json`), manifest(name, image))));
  const times: number[] = [];
  for (const name of names) {
    times.push(Date.now());
    await rename(path.join(staging, `${name}.json`), path.join(dir, `${name}.json`));
    if (gapMs > 0) await sleep(gapMs);
  }
  return times;
}

export async function removeManifests(dir: string, round: number, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) => rm(path.join(dir, `${podName(round, index)}.json`), { force: true })),
  );
}
