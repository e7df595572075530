import type { PodExplanation } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { nearNames } from './near-names.js';
import { fillIn, situationTexts } from './situation-texts.js';

/** A manifest of this node that is refused at the moment. */
export type RefusedManifest = JournalEntry<'manifest.refused'>;

/**
 * Explains a name that neither the managers nor the journal know. A refused manifest whose file or error has the name
 * is taken for the pod's own.
 */
export function explainUnknownPod(
  namespace: string,
  name: string,
  known: readonly string[],
  refused: readonly RefusedManifest[],
  nowMs: number,
): PodExplanation {
  // Static pods have the node's name at their end, their files have not.
  const own = refused.findLast(({ origin, error }) => {
    const file = (origin.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
    return file !== '' && (name === file || name.startsWith(`${file}-`) || error.includes(`"${name}"`));
  });
  const situation = own === undefined ? 'unknown' : 'manifest-refused';
  const about = { namespace, pod: name, ...(own && { origin: own.origin }) };
  const [headline, advice] = situationTexts[situation];
  const others = refused.filter((entry) => entry !== own);
  return {
    ...{ apiVersion: 'explain.podwright.dev/v1alpha1', kind: 'PodExplanation', atMs: nowMs },
    ...{ pod: { namespace, name }, known: 'unknown', ready: false, situation },
    ...{ headline: fillIn(headline, about), advice: fillIn(advice, about) },
    ...(own && {
      source: own.source,
      lastFailure: { step: 'source', atMs: own.atMs, error: own.error },
    }),
    ...{ steps: [], containers: [] },
    notes: others.map(({ origin, error }) => `The manifest ${origin} is refused: ${error}`),
    near: nearNames(`${namespace}/${name}`, known),
  };
}
