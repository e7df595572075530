import { describe, expect, it } from '@jest/globals';
import { nodeTexts, situationTexts } from '@podwright/explain';
import type { NodeSituation, PodSituation } from '@podwright/explain-interface';
import { snapshotOf } from './made-up-node.js';
import { pageOf } from './made-up-pod-page.js';
import { shopPods } from './made-up-pods.js';

const nowMs = Date.UTC(2026, 0, 1);
const pods = shopPods(nowMs);

/** The sentence of explain, with any names filled in. */
const filledIn = (template: string): RegExp => {
  const literal = template.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.+')}$`);
};

describe('the made-up data', () => {
  it('has headlines and advice in the sentences of explain', () => {
    const of = (situation: string) => situationTexts[situation as PodSituation];
    for (const { row } of pods) expect(row.headline).toMatch(filledIn(of(row.situation)[0]));
    const troubled = pods.find(({ row }) => row.situation === 'crash-loop');
    if (troubled === undefined) throw new Error('no made-up pod is in a crash loop');
    const { explanation } = pageOf(troubled, nowMs);
    expect(explanation.advice).toMatch(filledIn(of(explanation.situation)[1]));
    const node = snapshotOf(pods, nowMs).explanation;
    const [headline, advice] = nodeTexts[node.situation as NodeSituation];
    expect(node.headline).toMatch(filledIn(headline));
    expect(node.advice).toMatch(filledIn(advice));
  });
});
