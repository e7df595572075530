import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { shrinkStory } from './shrink-story.js';
import { runStory } from './story-run.js';
import { tellStory } from './tell-story.js';
import { writeStory } from './write-story.js';

// `npm run simulate` tells as many as one likes. These are as many as some 15 seconds of one core allow.
const seeds = 16;
const dir = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

describe('stories of a node', () => {
  it(`are as they should be, seeds 1 to ${seeds}`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const story = writeStory(seed);
      const { failure, trace } = await runStory(story, dir);
      if (failure !== undefined) {
        const lines = [...tellStory(story), 'what happened:', ...trace.slice(-60)].join('\n');
        throw new Error(`seed ${seed}: npm run simulate -- --from ${seed} --seeds 1\n${lines}`);
      }
    }
  });

  it('repeat themselves, and differ between seeds', async () => {
    const hashes: string[] = [];
    for (const seed of [3, 3, 8, 8]) hashes.push((await runStory(writeStory(seed), dir)).hash);
    expect(new Set(hashes).size).toBe(2);
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).toBe(hashes[3]);
  });

  it('shrink to what they fail without', async () => {
    const story = writeStory(8);
    const [wanted] = story.steps.filter(({ act }) => act === 'create' || act === 'write-manifest');
    let tries = 0;
    const small = await shrinkStory(
      story,
      async ({ steps }) => (tries++, steps.some(({ atMs }) => atMs === wanted?.atMs)),
      100,
    );
    expect(small.steps).toHaveLength(1);
    expect([small.latencyMs, small.epilogue, small.configuration]).toEqual([0, 'none', {}]);
    expect(tries).toBeLessThanOrEqual(100);
  });
});
