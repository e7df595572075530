import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { KubeletError, messageOf } from '@podwright/errors';
import { shrinkStory } from './shrink-story.js';
import type { Story } from './story.js';
import { runStory, type StoryResult } from './story-run.js';
import { tellStory } from './tell-story.js';
import { writeStory } from './write-story.js';

const shrinkTries = 200;
// So many stories take some minutes: a run that is ended early has said how far it came.
const progressEvery = 500;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new KubeletError(`--${flag} ${text}: must be a whole number`, { code: 'invalid-argument' });
}

function readStory(file: string): Story {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Story;
  } catch (error) {
    const message = `--story ${file}: must be a file that an earlier run has written: ${messageOf(error)}`;
    throw new KubeletError(message, { code: 'invalid-argument' });
  }
}

/** Tells it twice: a story that is not the same again cannot be searched for the cause of its end. */
async function runTwice(story: Story): Promise<StoryResult> {
  const first = await runStory(story);
  const second = await runStory(story);
  if (first.hash === second.hash) return first;
  const at = first.trace.findIndex((line, index) => line !== second.trace[index]);
  const message = `the second time differs: ${first.trace[at] ?? 'in a request'} / ${second.trace[at] ?? ''}`;
  return { ...first, failure: { promise: 'a seed repeats itself', message, atMs: 0 } };
}

/** Makes the story small and shows it. This takes minutes, in which hundreds of other seeds could be told. */
async function show(story: Story, promise: string, seed: number): Promise<void> {
  const small =
    promise === 'a seed repeats itself'
      ? story
      : await shrinkStory(story, async (each) => (await runStory(each)).failure?.promise === promise, shrinkTries);
  const file = `story-${seed}.json`;
  writeFileSync(file, `${JSON.stringify(small, undefined, 1)}\n`);
  const { trace } = await runStory(small);
  say(`a story of ${small.steps.length} steps (of ${story.steps.length}) that breaks it as well:`);
  for (const line of tellStory(small)) say(`  ${line}`);
  say('what happens in it:');
  for (const line of trace.slice(-60)) say(`  ${line}`);
  say(`again: npm run simulate -- --story ${file}\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
      story: { type: 'string' },
      trace: { type: 'boolean', default: false },
      repeat: { type: 'string', default: '10' },
    },
  });
  if (values.story !== undefined) {
    const story = readStory(values.story);
    const { trace, failure, hash } = await runTwice(story);
    for (const line of [...tellStory(story), 'what happens:', ...trace]) say(line);
    say(failure ? `${failure.promise}: ${failure.message}` : `all promises are kept (${hash})`);
    process.exitCode = failure === undefined ? 0 : 1;
    return;
  }
  const seeds = wholeNumber('seeds', values.seeds);
  const from = wholeNumber('from', values.from);
  const repeat = wholeNumber('repeat', values.repeat);
  const cpuBefore = process.cpuUsage();
  const broken = new Map<string, number>();
  let failures = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    const story = writeStory(seed);
    const result = await (repeat > 0 && seed % repeat === 0 ? runTwice(story) : runStory(story));
    if (values.trace) for (const line of [...tellStory(story), 'what happens:', ...result.trace]) say(line);
    if (seed % progressEvery === 0) say(`told up to seed ${seed}`);
    if (result.failure === undefined) continue;
    failures++;
    const { promise, message } = result.failure;
    say(`seed ${seed} breaks a promise: ${promise}: ${message}`);
    const first = broken.get(promise);
    if (first === undefined) {
      broken.set(promise, seed);
      await show(story, promise, seed);
    } else {
      say(`as seed ${first} does; alone, to make it small: npm run simulate -- --from ${seed} --seeds 1\n`);
    }
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (user + system) / 1e6;
  const pace = `${seconds.toFixed(1)} s of CPU, ${((seeds / seconds) * 60).toFixed(0)} seeds a minute`;
  say(`seeds ${from} to ${from + seeds - 1}: ${seeds - failures} kept all promises, ${failures} did not; ${pace}`);
  process.exitCode = failures === 0 ? 0 : 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`simulate: ${messageOf(error)}\n`);
  process.exitCode = 2;
}
process.exit();
