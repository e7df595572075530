// Compares codecs for the answers that the kubelet decodes every second. docs/decisions/0010-cri-codec.md has the
// decision.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { serialize } from 'node:v8';
import { buildCandidates } from './candidates.js';
import { measure } from './measure.js';
import { sampleAnswers } from './sample-answers.js';

const answers = sampleAnswers(500, 250, 8);
const kib = (buffers: readonly Buffer[]): string => `${Math.round((buffers[0]?.length ?? 0) / 1024)} KiB`;
console.log(
  `500 containers in ${kib(answers.containers)}, 250 sandboxes in ${kib(answers.sandboxes)}; Node ${process.version}\n`,
);

const columns = ['codec', 'containers', 'sandboxes', 'held', 'garbage', 'code', 'load', 'heap of code'];
const rows = [columns, columns.map((column) => '-'.repeat(column.length))];
const candidates = await buildCandidates();
const samples = path.resolve('node_modules/.cache/podwright/codec-bench/samples.bin');
await writeFile(samples, serialize(answers));
for (const candidate of candidates) {
  const figures = await measure(candidate, samples);
  rows.push([
    candidate.name,
    `${(figures.containersUs / 1000).toFixed(2)} ms`,
    `${(figures.sandboxesUs / 1000).toFixed(2)} ms`,
    `${figures.heldKiB.toFixed(0)} KiB`,
    `${figures.garbageKiB.toFixed(0)} KiB`,
    `${(candidate.bytes / 1024).toFixed(0)} KiB`,
    `${figures.loadMs.toFixed(1)} ms`,
    `${figures.loadKiB.toFixed(0)} KiB`,
  ]);
}
const widths = columns.map((_, index) => Math.max(...rows.map((row) => (row[index] as string).length)));
for (const row of rows)
  console.log(`| ${row.map((cell, index) => cell.padEnd(widths[index] as number)).join(' | ')} |`);
