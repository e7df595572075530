import type { PodExplanation } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { adviceWords, podTool } from './advice-words.js';
import { nearNames } from './near-names.js';
import type { PodState } from './pod-state.js';
import { fillIn } from '../fill-in.js';
import { situationTexts } from './situation-texts.js';

const mostOthers = 3;

/** A manifest of this node that is refused at the moment. */
export type RefusedManifest = JournalEntry<'manifest.refused'>;

/** The node that does not know it. */
export interface NodeOfUnknownPod extends Pick<PodState, 'hasApiServer' | 'hasLocalApi'> {
  readonly hasJournal: boolean;
  readonly nowMs: number;
}

/**
 * Explains a name that neither the managers nor the journal know. A refused manifest whose file or error has the name
 * is taken for the pod's own.
 */
export function explainUnknownPod(
  namespace: string,
  name: string,
  known: readonly string[],
  refused: readonly RefusedManifest[],
  { nowMs, hasJournal, ...node }: NodeOfUnknownPod,
): PodExplanation {
  // Static pods have the node's name at their end, their files have not.
  const own = refused.findLast(({ origin, error }) => {
    const file = (origin.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
    return file !== '' && (name === file || name.startsWith(`${file}-`) || error.includes(`"${name}"`));
  });
  const situation = own === undefined ? 'unknown' : 'manifest-refused';
  const past = hasJournal ? ', and its journal knows none' : '; without a journal it knows none of the past';
  const words = adviceWords(podTool(node), { namespace, name });
  const about = { namespace, pod: name, past, ...words, ...(own && { origin: own.origin }) };
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
    notes: otherManifests(others),
    near: nearNames(`${namespace}/${name}`, known),
  };
}

function otherManifests(refused: readonly RefusedManifest[]): readonly string[] {
  const [only] = refused;
  if (only !== undefined && refused.length === 1) return [`The manifest ${only.origin} is refused: ${only.error}`];
  // The sources report files in any order.
  const shown = refused
    .map(({ origin }) => origin)
    .sort()
    .slice(0, mostOthers);
  const rest = refused.length - shown.length;
  const names = `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return shown.length === 0 ? [] : [`These manifests are refused, too: ${names}.`];
}
