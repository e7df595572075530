import type { PodPage } from '@podwright/console-interface';
import { pageOf } from './made-up-pod-page.js';
import { shopPods, type MadeUpPod } from './made-up-pods.js';

const markup = '<img src=x onerror=alert(1)><script>alert(2)</script><b onmouseover="alert(3)">&lt;&#x41;';
const rightToLeft = '\u202Eשלום\u202C-مرحبا';
const control = 'a\u0000b\u0007c\u001B[31md\ne\u200Bf';
const longest = `${'x'.repeat(63)}.`.repeat(4).slice(0, 253);
const emoji = '👩‍🚀🏳️‍🌈💥';

/** What a page must show as text and nothing else. */
export const hostileTexts = { markup, rightToLeft, control, longest, emoji };

/** A pod for each of the texts, which is its name, and a part of everything else that comes from pods. */
export function hostilePods(nowMs: number): readonly MadeUpPod[] {
  const [, , , template] = shopPods(nowMs);
  if (template === undefined) throw new Error('the shop has no fourth pod');
  return Object.entries(hostileTexts).map(([key, text]) => {
    const uid = `uid-${key}`;
    const names = { uid, namespace: text, name: text };
    return {
      ...template,
      row: { ...template.row, ...names, headline: text, phase: text, labels: { [text]: text, app: text } },
      lane: {
        ...template.lane,
        ...names,
        marks: template.lane.marks.map((mark) => ({ ...mark, text, of: text })),
        spans: template.lane.spans.map((span) => ({ ...span, of: text })),
      },
    };
  });
}

/** Fields whose text comes from outside the kubelet. */
const foreign = /^(name|image|message|output|headline|advice|error|path|volume|how|reason|what|of|container)$/;

/** The page of such a pod: every text that comes from outside is its name. */
export function hostilePageOf(pod: MadeUpPod, nowMs: number): PodPage {
  const page = JSON.stringify(pageOf(pod, nowMs), (key, value: unknown) =>
    typeof value === 'string' && foreign.test(key) ? `${pod.row.name}${value.slice(0, 2)}` : value,
  );
  return { ...(JSON.parse(page) as PodPage), labels: pod.row.labels, annotations: pod.row.labels };
}
