import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Candidate } from './candidates.js';

export interface Figures {
  readonly loadMs: number;
  readonly loadKiB: number;
  readonly containersUs: number;
  readonly sandboxesUs: number;
  /** Memory of ten decoded answers held at once, as caches do, per answer. */
  readonly heldKiB: number;
  /** Garbage from one answer of each kind. */
  readonly garbageKiB: number;
}

const run = promisify(execFile);

/** Measures one codec in its own process, so that no other codec warms up or fills the heap. */
export async function measure(candidate: Candidate, samples: string): Promise<Figures> {
  const script = `(${probe.toString()})(${JSON.stringify(candidate.file)}, ${JSON.stringify(samples)})`;
  const { stdout } = await run(process.execPath, ['--expose-gc', '--input-type=module', '-e', script]);
  return JSON.parse(stdout) as Figures;
}

async function probe(file: string, samples: string): Promise<void> {
  const gc = (globalThis as unknown as { gc: () => void }).gc;
  const { readFileSync } = await import('node:fs');
  const { deserialize } = await import('node:v8');
  const { containers, sandboxes } = deserialize(readFileSync(samples)) as {
    containers: Uint8Array[];
    sandboxes: Uint8Array[];
  };
  const answers = [containers, sandboxes].map((list) => list.map((bytes) => Buffer.from(bytes)));
  const heap = (): number => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const startedAt = performance.now();
  const codec = (await import(file)) as { decodeContainers(b: Buffer): unknown; decodeSandboxes(b: Buffer): unknown };
  const decoders = [codec.decodeContainers, codec.decodeSandboxes];
  decoders.forEach((decode, kind) => decode(answers[kind]?.[0] as Buffer));
  const loadMs = performance.now() - startedAt;
  const loadKiB = (heap() - before) / 1024;

  const times = decoders.map((decode, kind) => {
    const list = answers[kind] as Buffer[];
    const samplesOfKind: number[] = [];
    for (let round = 0; round < 400; round++) {
      const bytes = list[round % list.length] as Buffer;
      const at = performance.now();
      decode(bytes);
      samplesOfKind.push(performance.now() - at);
    }
    // The first half warms up. The median leaves garbage collection out; the garbage column shows it.
    return (samplesOfKind.slice(200).sort((a, b) => a - b)[100] as number) * 1000;
  });

  const empty = heap();
  const held = Array.from({ length: 10 }, (_, n) =>
    decoders.map((decode, kind) => decode(answers[kind]?.[n % 8] as Buffer)),
  );
  const heldKiB = (heap() - empty) / 1024 / held.length;

  const quiet = heap();
  decoders.forEach((decode, kind) => decode(answers[kind]?.[3] as Buffer));
  const garbageKiB = (process.memoryUsage().heapUsed - quiet) / 1024;
  console.log(JSON.stringify({ loadMs, loadKiB, containersUs: times[0], sandboxesUs: times[1], heldKiB, garbageKiB }));
}
