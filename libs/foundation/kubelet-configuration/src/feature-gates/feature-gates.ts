import { aggregateMessage, KubeletError } from '@podwright/errors';
import { featureGateDependencies } from './feature-gate-dependencies.js';
import { alpha, betaOff, type FeatureGateSpec, type GateStage } from './feature-gate-spec.js';
import { featureGateTable } from './feature-gate-table.js';
import { foreignFeatureGates } from './foreign-feature-gates.js';

const groups: Readonly<Record<string, FeatureGateSpec>> = { AllAlpha: alpha, AllBeta: betaOff };
const knownGates: ReadonlyMap<string, FeatureGateSpec> = new Map([
  ...Object.entries(groups),
  ...featureGateTable,
  ...foreignFeatureGates,
]);

/**
 * An immutable set of feature gates. A gate that is not set has its default; `AllAlpha` and `AllBeta` set all gates of
 * that stage that are not set themselves. Source: kubernetes v1.36 component-base/featuregate/feature_gate.go.
 */
export class FeatureGates {
  private constructor(
    private readonly set: ReadonlyMap<string, boolean>,
    /** One line for each gate that was set and will be removed. */
    readonly warnings: readonly string[],
  ) {}

  /** Every gate at its default. */
  static defaults(): FeatureGates {
    return new FeatureGates(new Map(), []);
  }

  /** A fault for each change of a locked gate, up to the first unknown gate, which is the last fault. */
  static faultsOf(map: Readonly<Record<string, boolean>>): readonly string[] {
    const entries = Object.entries(map);
    const unknown = entries.findIndex(([name]) => !knownGates.has(name));
    const read = unknown < 0 ? entries : entries.slice(0, unknown + 1);
    return read.flatMap(([name, value]) => faultOf(name, value) ?? []);
  }

  /** False for a gate that does not exist. */
  enabled(name: string): boolean {
    const own = this.set.get(name);
    if (own !== undefined) return own;
    const spec = knownGates.get(name);
    if (spec === undefined) return false;
    const group = spec.stage === 'Alpha' ? 'AllAlpha' : spec.stage === 'Beta' ? 'AllBeta' : undefined;
    return (group === undefined || spec.locked ? undefined : this.set.get(group)) ?? spec.default;
  }

  /**
   * Returns these gates, overridden by those in `map`.
   * @throws KubeletError `invalid-argument` with the faults of {@link faultsOf}.
   */
  withMap(map: Readonly<Record<string, boolean>>): FeatureGates {
    const faults = FeatureGates.faultsOf(map);
    if (faults.length > 0) throw new KubeletError(aggregateMessage(faults), { code: 'invalid-argument' });
    return this.withMapLeniently(map);
  }

  /** As {@link withMap}, but ignores faults: for defaults, which are needed before validation reports the faults. */
  withMapLeniently(map: Readonly<Record<string, boolean>>): FeatureGates {
    const entries = Object.entries(map).filter(([name, value]) => faultOf(name, value) === undefined);
    const warnings = entries.flatMap(([name, value]) => warningOf(name, value) ?? []);
    return new FeatureGates(new Map([...this.set, ...entries]), [...new Set([...this.warnings, ...warnings])]);
  }

  /** A fault for each enabled gate that depends on disabled gates. */
  validate(): readonly string[] {
    return [...featureGateDependencies].flatMap(([name, needed]) => {
      const missing = needed.filter((other) => !this.enabled(other));
      if (!this.enabled(name) || missing.length === 0) return [];
      return [`${name} is enabled, but depends on features that are disabled: [${missing.join(' ')}]`];
    });
  }

  /** The gates that were set, for logs and metrics. */
  explicit(): Readonly<Record<string, boolean>> {
    return Object.fromEntries(this.set);
  }

  /** Every gate that can be set with its value, sorted by name. */
  all(): readonly { readonly name: string; readonly stage: GateStage; readonly enabled: boolean }[] {
    return [...knownGates]
      .map(([name, { stage }]) => ({ name, stage, enabled: this.enabled(name) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

function faultOf(name: string, value: boolean): string | undefined {
  const spec = knownGates.get(name);
  if (spec === undefined) return `unrecognized feature gate: ${name}`;
  if (!spec.locked || spec.default === value) return undefined;
  return `cannot set feature gate ${name} to ${value}, feature is locked to ${spec.default}`;
}

function warningOf(name: string, value: boolean): string | undefined {
  const stage = knownGates.get(name)?.stage;
  if (stage === 'GA') return `Setting GA feature gate ${name}=${value}. It will be removed in a future release.`;
  if (stage === 'Deprecated') {
    return `Setting deprecated feature gate ${name}=${value}. It will be removed in a future release.`;
  }
  return undefined;
}
