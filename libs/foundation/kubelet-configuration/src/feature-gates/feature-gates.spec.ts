import { describe, expect, it } from '@jest/globals';
import { featureGateDependencies } from './feature-gate-dependencies.js';
import { featureGateTable } from './feature-gate-table.js';
import { FeatureGates } from './feature-gates.js';
import { foreignFeatureGates } from './foreign-feature-gates.js';

describe('FeatureGates', () => {
  it.each([
    ['PLEGOnDemandRelist', true],
    ['EventedPLEG', true],
    ['SidecarContainers', true],
    ['NativeHistograms', false],
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
      '[cannot set feature gate GitRepoVolumeDriver to true, feature is locked to false, unrecognized feature gate: X]',
    ],
    [{ JobManagedBy: false }, 'cannot set feature gate JobManagedBy to false, feature is locked to true'],
  ])('%j is refused', (map, message) => {
    expect(() => FeatureGates.defaults().withMap(map)).toThrow(message);
  });

  it('reads no gate after an unknown one', () => {
    expect(FeatureGates.faultsOf({ X: true, Y: true, SidecarContainers: false })).toEqual([
      'unrecognized feature gate: X',
    ]);
  });

  it('warns of gates that will go', () => {
    expect(FeatureGates.defaults().withMap({ SidecarContainers: true, AllowDNSOnlyNodeCSR: true }).warnings).toEqual([
      'Setting GA feature gate SidecarContainers=true. It will be removed in a future release.',
      'Setting deprecated feature gate AllowDNSOnlyNodeCSR=true. It will be removed in a future release.',
    ]);
  });

  it.each<[Record<string, boolean>, string]>([
    [{ GracefulNodeShutdown: false }, 'GracefulNodeShutdownBasedOnPodPriority: [GracefulNodeShutdown]'],
    [{ ClusterTrustBundleProjection: true }, 'ClusterTrustBundleProjection: [ClusterTrustBundle]'],
    [{ PodLevelResources: false }, 'InPlacePodLevelResourcesVerticalScaling: [PodLevelResources]'],
    [
      { NodeDeclaredFeatures: false, PodLevelResources: false, ExtendWebSocketsToKubelet: false },
      'InPlacePodLevelResourcesVerticalScaling: [NodeDeclaredFeatures PodLevelResources]',
    ],
    [{ WorkloadWithJob: true }, 'WorkloadWithJob: [GenericWorkload]'],
  ])('%j lacks gates that others need', (map, fault) => {
    const [gate = '', missing = ''] = fault.split(': ');
    expect(FeatureGates.defaults().withMap(map).validate()).toContain(
      `${gate} is enabled, but depends on features that are disabled: ${missing}`,
    );
  });

  it.each<Record<string, boolean>>([{}, { AllAlpha: true }, { AllBeta: false }])('%j lacks nothing', (map) => {
    expect(FeatureGates.defaults().withMap(map).validate()).toEqual([]);
  });

  it('knows the gates of other components, and those that set a stage', () => {
    const gates = FeatureGates.defaults().withMap({ AllAlpha: true, DRADeviceTaintRules: true });
    const shown = gates.all().filter(({ name }) => /^All(Alpha|Beta)|^GangScheduling|^DRADeviceTaintR/.test(name));
    expect(shown).toEqual([
      { name: 'AllAlpha', stage: 'Alpha', enabled: true },
      { name: 'AllBeta', stage: 'Beta', enabled: false },
      { name: 'DRADeviceTaintRules', stage: 'Beta', enabled: true },
      { name: 'GangScheduling', stage: 'Alpha', enabled: true },
    ]);
  });

  it('has a table without overlaps', () => {
    expect([...featureGateTable.keys()].filter((name) => foreignFeatureGates.has(name))).toEqual([]);
    const named = [...featureGateDependencies].flat(2);
    expect(named.filter((name) => !featureGateTable.has(name) && !foreignFeatureGates.has(name))).toEqual([]);
  });
});
