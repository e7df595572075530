import { describe, expect, it } from '@jest/globals';
import { featureGateTable, FeatureGates } from '@podwright/kubelet-configuration';
import { declaredFeatureGates } from '@podwright/kube-types';
import { gateFacts, gateNames, gateSwitches, withGateOptions } from './gate-options.js';

describe('feature gates', () => {
  it('that options ask for exist', () => {
    const asked = [...gateSwitches.flatMap(({ gates }) => gates), ...Object.values(gateNames), ...declaredFeatureGates];
    expect(asked.filter((gate) => !featureGateTable.has(gate))).toEqual([]);
  });

  it('switch each option once, and only of modules that are configured', () => {
    const places = gateSwitches.flatMap(({ option, modules }) => modules.map(({ name }) => `${name} ${option}`));
    expect(places).toEqual([...new Set(places)]);
    const off = FeatureGates.defaults().withMap({ EnvFiles: false });
    expect(withGateOptions([['@podwright/container-environment', { rootDir: '/r' }]], off)).toEqual({
      '@podwright/container-environment': { rootDir: '/r', envFiles: false, hostnameOverride: true },
    });
  });

  it('that an option needs together are asked for together', () => {
    const options = (map: Readonly<Record<string, boolean>>): unknown =>
      withGateOptions([['@podwright/memory-manager', {}]], FeatureGates.defaults().withMap(map));
    const managers = (podLevelResourceManagers: boolean): unknown => ({
      '@podwright/memory-manager': { podLevelResourceManagers },
    });
    expect(options({ PodLevelResourceManagers: true })).toEqual(managers(true));
    expect(options({ PodLevelResourceManagers: true, PodLevelResources: false })).toEqual(managers(false));
    expect(options({})).toEqual(managers(false));
  });

  it('that do more are facts', () => {
    const gates = FeatureGates.defaults().withMap({ MemoryQoS: true, NodeDeclaredFeatures: false });
    expect(gateFacts(gates)).toMatchObject({ memoryQos: true, eventedPleg: true });
    expect(gateFacts(gates).declared).not.toContain('NodeDeclaredFeatures');
  });
});
