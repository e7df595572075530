import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ends at once on SIGTERM, so that removal measures the kubelet and not a grace period. */
export const command: readonly string[] = ['sh', '-c', 'trap "exit 0" TERM; sleep 1000000 & wait'];

/** A pod that comes back under its old name and UID is a restart, with back-off; so each round has names of its own. */
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

/** Writes one manifest per pod into `dir`, each moved in whole; resolves with the wall-clock time of each, in milliseconds. */
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
