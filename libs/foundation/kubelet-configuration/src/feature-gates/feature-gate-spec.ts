export type GateStage = 'Alpha' | 'Beta' | 'GA' | 'Deprecated';

export interface FeatureGateSpec {
  readonly stage: GateStage;
  readonly default: boolean;
  /** Whether setting it to anything but its default is an error. */
  readonly locked: boolean;
}

export const gaLocked: FeatureGateSpec = { stage: 'GA', default: true, locked: true };
export const ga: FeatureGateSpec = { stage: 'GA', default: true, locked: false };
export const betaOn: FeatureGateSpec = { stage: 'Beta', default: true, locked: false };
export const betaOff: FeatureGateSpec = { stage: 'Beta', default: false, locked: false };
export const alpha: FeatureGateSpec = { stage: 'Alpha', default: false, locked: false };
export const alphaOn: FeatureGateSpec = { stage: 'Alpha', default: true, locked: false };
export const deprecatedOff: FeatureGateSpec = { stage: 'Deprecated', default: false, locked: false };
export const deprecatedOffLocked: FeatureGateSpec = { stage: 'Deprecated', default: false, locked: true };
export const deprecatedOn: FeatureGateSpec = { stage: 'Deprecated', default: true, locked: false };
export const deprecatedOnLocked: FeatureGateSpec = { stage: 'Deprecated', default: true, locked: true };

/** Entries of a table: the gates of `names`, which are separated by white space, with the same spec. */
export function gateRows(spec: FeatureGateSpec, names: string): readonly (readonly [string, FeatureGateSpec])[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => [name, spec] as const);
}
