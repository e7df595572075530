import { performance } from 'node:perf_hooks';
import { exponentialBuckets } from '@podwright/metrics';
import { encodeMetrics, type MetricFamily, type MetricPoint, type MetricsFormat } from '@podwright/metrics';

/**
 * Measures the cost of writing a metrics page, and how long it blocks the event loop: a page as large as
 * `/metrics/cadvisor` of a node with this many pods (three cgroups each, 70 families), and one of histograms.
 */
const pods = Number(process.argv[2] ?? 200);
const formats: readonly MetricsFormat[] = ['text', 'openmetrics', 'protobuf'];
const rounds = 5;

function labelsOf(index: number): MetricPoint['labels'] {
  const pod = Math.trunc(index / 3);
  return [
    ['container', index % 3 === 0 ? '' : 'main'],
    ['id', `/kubepods/burstable/pod0c7f4f2e-4a5b-4a52-9b7c-${String(pod).padStart(12, '0')}/${'c'.repeat(64)}`],
    ['image', 'registry.example/team/application@sha256:'.padEnd(100, 'a')],
    ['name', 'c'.repeat(64)],
    ['namespace', 'default'],
    ['pod', `application-${pod}`],
  ];
}

function* values(): Iterable<MetricPoint> {
  for (let index = 0; index < pods * 3; index++) {
    yield { labels: labelsOf(index), value: index * 1234.5678, timestampMs: 1_767_225_600_123 };
  }
}

function* histograms(): Iterable<MetricPoint> {
  const buckets = [...exponentialBuckets(0.005, 2.5, 14), Number.POSITIVE_INFINITY].map((upperBound, count) => ({
    upperBound,
    count,
  }));
  for (let index = 0; index < pods * 3; index++) {
    yield { labels: labelsOf(index).slice(4), value: { buckets, sum: index / 7, count: 14 } };
  }
}

function page(): readonly MetricFamily[] {
  const help = '[ALPHA] Something that a container did, in all its time.';
  return [
    ...Array.from({ length: 70 }, (_, index): MetricFamily => ({
      name: `container_something_number_${index}_total`,
      help,
      type: 'counter',
      points: values(),
    })),
    { name: 'container_something_seconds', help, type: 'histogram', points: histograms() },
  ];
}

interface Measured {
  readonly ms: number;
  readonly bytes: number;
  /** Longest time between two turns of the event loop, in milliseconds. */
  readonly heldMs: number;
  /** Most CPU time of this process between two turns; includes garbage collection, but not other processes. */
  readonly heldCpuMs: number;
}

async function measure(work: () => Promise<number>): Promise<Measured> {
  let [heldMs, heldCpuMs] = [0, 0];
  let last = performance.now();
  let lastCpu = process.cpuUsage();
  let done = false;
  const tick = (): void => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(lastCpu);
    heldMs = Math.max(heldMs, now - last);
    heldCpuMs = Math.max(heldCpuMs, (user + system) / 1000);
    last = now;
    lastCpu = process.cpuUsage();
    if (!done) setImmediate(tick);
  };
  setImmediate(tick);
  const startedAt = performance.now();
  const bytes = await work();
  const ms = performance.now() - startedAt;
  await new Promise((resolve) => setImmediate(resolve));
  done = true;
  return { ms, bytes, heldMs, heldCpuMs };
}

async function write(format: MetricsFormat): Promise<number> {
  let bytes = 0;
  for await (const piece of encodeMetrics({ gather: () => Promise.resolve(page()) }, format)) {
    bytes += Buffer.byteLength(piece);
  }
  return bytes;
}

/** Waits as long as a page takes, to measure what the machine alone does to the event loop. */
async function idle(): Promise<number> {
  const until = performance.now() + 500;
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
  return 0;
}

const work: readonly (readonly [string, () => Promise<number>])[] = [
  ['nothing', idle],
  ...formats.map((format) => [format, () => write(format)] as const),
];
console.log(
  `a page of ${pods} pods, ${rounds} rounds: size, median time, longest hold of the event loop (and its CPU time)`,
);
for (const [name, run] of work) {
  await measure(run); // warms up the code
  const results: Measured[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measure(run));
  const median = results.map(({ ms }) => ms).sort((a, b) => a - b)[Math.trunc(rounds / 2)] ?? 0;
  const longest = (value: (one: Measured) => number): string => `${Math.max(...results.map(value)).toFixed(1)} ms`;
  const size = `${((results[0]?.bytes ?? 0) / 2 ** 20).toFixed(1)} MiB`;
  const held = `${longest(({ heldMs }) => heldMs)} (${longest(({ heldCpuMs }) => heldCpuMs)})`;
  console.log(`${name.padEnd(12)} ${size}  ${median.toFixed(0)} ms  ${held}`);
}
