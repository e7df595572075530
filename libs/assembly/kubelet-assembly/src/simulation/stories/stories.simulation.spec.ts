import { describe, expect, it } from '@jest/globals';
import { mentionsIn } from './memory-remains.js';
import { shrinkStory } from './shrink-story.js';
import { runStory } from './story-run.js';
import type { Story } from './story.js';
import { tellStory } from './tell-story.js';
import { writeStory } from './write-story.js';

// `npm test` also tells 300 with `npm run simulate`, in a third less time than here.
const seeds = 6;

describe('stories of a node', () => {
  const hashes = new Map<number, string>();

  it(`are as they should be, seeds 1 to ${seeds}`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const story = writeStory(seed);
      const { failure, trace, hash } = await runStory(story);
      if (failure !== undefined) {
        const lines = [...tellStory(story), 'what happened:', ...trace.slice(-60)].join('\n');
        throw new Error(`seed ${seed}: npm run simulate -- --from ${seed} --seeds 1\n${lines}`);
      }
      hashes.set(seed, hash);
    }
  });

  it('repeat themselves, and differ between seeds', async () => {
    const waits = ({ apiLatencyMs, diskLatencyMs }: Story): number =>
      Number(apiLatencyMs > 0) + Number(diskLatencyMs > 0);
    const stories = [...hashes.keys()].map(writeStory).filter(({ shuffled }) => shuffled);
    const chosen = stories.reduce((one, other) => (waits(other) > waits(one) ? other : one));
    expect(waits(chosen)).toBeGreaterThan(0);
    expect((await runStory(chosen)).hash).toBe(hashes.get(chosen.seed));
    expect(new Set(hashes.values()).size).toBe(seeds);
  });

  it('find what still names a pod, wherever it is', () => {
    const uid = '66039406-de92-484f-93be-7422613ff24b';
    const deps = { clock: { owner: uid } };
    const lanes = new Map([[uid, { deps, waiting: [new Set([`pods/${uid}/volumes`])] }]]);
    const found = mentionsIn([['workers', { deps, lanes, other: 'ab' }]], new Set([uid]), [deps.clock]);
    expect(found).toEqual(['workers.lanes{key}', 'workers.lanes{}.waiting[][]']);
    expect(mentionsIn([['workers', { lanes }]], new Set(['another']))).toEqual([]);
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
