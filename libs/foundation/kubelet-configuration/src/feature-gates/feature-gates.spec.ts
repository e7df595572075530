import { describe, expect, it } from '@jest/globals';
import { featureGateDependencies, featureGateTable } from './feature-gate-table.js';
import { FeatureGates } from './feature-gates.js';
import { foreignFeatureGates } from './foreign-feature-gates.js';

describe('FeatureGates', () => {
  it.each([
    ['PLEGOnDemandRelist', true],
    ['EventedPLEG', false],
    ['SidecarContainers', true],
    ['NoSuchGate', false],
  ])('%s is %s by default', (name, value) => {
    expect(FeatureGates.defaults().enabled(name)).toBe(value);
  });

  it('sets gates, and all of a stage that are not set by themselves', () => {
    const gates = FeatureGates.defaults().withMap({
      AllAlpha: true,
      EventedPLEG: false,
      AllBeta: false,
      EnvFiles: true,
    });
    expect(
      ['MemoryQoS', 'EventedPLEG', 'HostnameOverride', 'EnvFiles', 'SidecarContainers'].map((name) =>
        gates.enabled(name),
      ),
    ).toEqual([true, false, false, true, true]);
  });

  it.each<[Record<string, boolean>, string]>([
    [{ Nope: true }, 'unrecognized feature gate: Nope'],
    [{ SidecarContainers: false }, 'cannot set feature gate SidecarContainers to false, feature is locked to true'],
    [
      { GitRepoVolumeDriver: true, X: true },
      'cannot set feature gate GitRepoVolumeDriver to true, feature is locked to false, unrecognized feature gate: X',
    ],
  ])('%j is refused', (map, message) => {
    expect(() => FeatureGates.defaults().withMap(map)).toThrow(message);
  });

  it('warns of gates that will go', () => {
    expect(FeatureGates.defaults().withMap({ SidecarContainers: true, AllowDNSOnlyNodeCSR: true }).warnings).toEqual([
      'Setting GA feature gate SidecarContainers=true. It will be removed in a future release.',
      'Setting deprecated feature gate AllowDNSOnlyNodeCSR=true. It will be removed in a future release.',
    ]);
  });

  it('checks dependencies', () => {
    expect(FeatureGates.defaults().validate()).toEqual([]);
    expect(FeatureGates.defaults().withMap({ GracefulNodeShutdown: false }).validate()).toEqual([
      'GracefulNodeShutdownBasedOnPodPriority is enabled, but depends on features that are disabled: [GracefulNodeShutdown]',
    ]);
  });

  it('has a table without overlaps', () => {
    expect([...featureGateTable.keys()].filter((name) => foreignFeatureGates.has(name))).toEqual([]);
    const named = [...featureGateDependencies].flat(2);
    expect(named.filter((name) => !featureGateTable.has(name))).toEqual([]);
  });
});
