import type { PersistentVolume } from '@podwright/kube-types';
import type { PersistentVolumeSpec } from './former-plugin.js';

type Affinity = Pick<PersistentVolumeSpec, 'nodeAffinity'>;
type Terms = NonNullable<NonNullable<PersistentVolumeSpec['nodeAffinity']>['required']>['nodeSelectorTerms'];

export const betaZone = 'failure-domain.beta.kubernetes.io/zone';
export const stableZone = 'topology.kubernetes.io/zone';
const betaRegion = 'failure-domain.beta.kubernetes.io/region';
const stableRegion = 'topology.kubernetes.io/region';
/** Separates the zones of a label. */
export const zoneDelimiter = '__';

/**
 * The node affinity with the driver's key in place of Kubernetes' zone key, and the stable region key in place of the
 * beta one. A volume without zones in its affinity gets those of its label.
 */
export function zonedAffinity(volume: PersistentVolume, zoneKey: string): Affinity {
  const [zone, region] = labelsOf(volume);
  const zoned = withTopology(volume, termsOf(volume), zone, {
    key: zoneKey,
    values: (label) => label.split(zoneDelimiter),
  });
  return affinityOf(region === betaRegion ? renamed(zoned, betaRegion, stableRegion) : zoned);
}

/** As {@link zonedAffinity} for a driver with a key for regions too; its labels name one zone and one region. */
export function regionalAffinity(volume: PersistentVolume, zoneKey: string, regionKey: string): Affinity {
  const [zone, region] = labelsOf(volume);
  const values = (label: string): readonly string[] => [label];
  const zoned = withTopology(volume, termsOf(volume), zone, { key: zoneKey, values });
  return affinityOf(withTopology(volume, zoned, region, { key: regionKey, values }));
}

function termsOf({ spec }: PersistentVolume): Terms {
  return spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
}

function affinityOf(nodeSelectorTerms: Terms): Affinity {
  return nodeSelectorTerms.length === 0 ? {} : { nodeAffinity: { required: { nodeSelectorTerms } } };
}

// The affinity decides before the labels, and the stable keys before the beta ones.
function labelsOf(volume: PersistentVolume): readonly [string, string] {
  const terms = termsOf(volume);
  const inTerms = (key: string): boolean =>
    terms.some(({ matchExpressions = [] }) => matchExpressions.some((expression) => expression.key === key));
  const labels = volume.metadata?.labels ?? {};
  const isBeta = !inTerms(stableZone) && (inTerms(betaZone) || (!(stableZone in labels) && betaZone in labels));
  return isBeta ? [betaZone, betaRegion] : [stableZone, stableRegion];
}

interface Topology {
  readonly key: string;
  /** Splits a label. */
  readonly values: (label: string) => readonly string[];
}

function withTopology(volume: PersistentVolume, terms: Terms, from: string, to: Topology): Terms {
  const isNamed = terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ key, values = [] }) => key === from && values.length > 0),
  );
  if (isNamed) return renamed(terms, from, to.key);
  const label = volume.metadata?.labels?.[from];
  return label === undefined ? terms : added(terms, to.key, to.values(label));
}

function renamed(terms: Terms, from: string, to: string): Terms {
  return terms.map((term) =>
    term.matchExpressions === undefined
      ? term
      : {
          ...term,
          matchExpressions: term.matchExpressions.map((expression) =>
            expression.key === from ? { ...expression, key: to } : expression,
          ),
        },
  );
}

function added(terms: Terms, key: string, from: readonly string[]): Terms {
  const values = [...new Set(from.map((value) => value.trim()).filter((value) => value !== ''))].sort();
  if (values.length === 0) return terms;
  return (terms.length === 0 ? [{}] : terms).map((term) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), { key, operator: 'In', values }],
  }));
}
