import { describe, expect, it } from '@jest/globals';
import type { Pod, PodSpec } from '../objects.js';
import {
  declaredFeatureGates,
  declaredFeatures,
  requiredFeatures,
  requiredFeaturesOfUpdate,
} from './declared-features.js';

const facts = (gates: readonly string[], userNamespacesHostNetwork = true) => ({
  enabled: (gate: string) => gates.includes(gate),
  userNamespacesHostNetwork,
});
const pod = (spec: Partial<PodSpec>): Pod => ({ metadata: {}, spec: { containers: [{ name: 'c' }], ...spec } });
const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }];

describe('declared features', () => {
  it.each([
    ['nothing without the gate of the whole', facts(['ExtendWebSocketsToKubelet']), []],
    [
      'what its gate declares, sorted',
      facts(['RestartAllContainersOnContainerExits', 'NodeDeclaredFeatures', 'ExtendWebSocketsToKubelet']),
      ['ExtendWebSocketsToKubelet', 'RestartAllContainersOnContainerExits'],
    ],
    [
      'user namespaces of the host network when the runtime can',
      facts(['NodeDeclaredFeatures', 'UserNamespacesHostNetworkSupport']),
      ['UserNamespacesHostNetworkSupport'],
    ],
    ['', facts(['NodeDeclaredFeatures', 'UserNamespacesHostNetworkSupport'], false), []],
  ])('%s', (_name, given, expected) => {
    expect(declaredFeatures(given)).toEqual(expected);
  });

  it('are those of v1.36 when every gate is on', () => {
    expect(declaredFeatures({ enabled: () => true, userNamespacesHostNetwork: true })).toEqual([
      'ExtendWebSocketsToKubelet',
      'InPlacePodLevelResourcesVerticalScaling',
      'InPlacePodVerticalScalingInitContainers',
      'RestartAllContainersOnContainerExits',
      'UserNamespacesHostNetworkSupport',
    ]);
  });

  it('ask for the listed gates only', () => {
    const asked = new Set<string>();
    const enabled = (gate: string): boolean => asked.add(gate).size > 0;
    declaredFeatures({ enabled, userNamespacesHostNetwork: true });
    expect([...asked].sort()).toEqual([...declaredFeatureGates].sort());
  });

  it.each([
    ['an ordinary pod', pod({}), []],
    [
      'a container that restarts all',
      pod({ containers: [{ name: 'c', restartPolicyRules: rules }] }),
      ['RestartAllContainersOnContainerExits'],
    ],
    [
      'an init container that restarts all',
      pod({ initContainers: [{ name: 'i', restartPolicyRules: rules }] }),
      ['RestartAllContainersOnContainerExits'],
    ],
    ['host network alone', pod({ hostNetwork: true }), []],
    [
      'host network in a user namespace',
      pod({ hostNetwork: true, hostUsers: false }),
      ['UserNamespacesHostNetworkSupport'],
    ],
  ])('%s requires %j', (_name, given, expected) => {
    expect(requiredFeatures(given)).toEqual(expected);
  });

  const [less, more] = [{ requests: { cpu: '1' } }, { requests: { cpu: '2' } }];
  it.each<[string, Partial<PodSpec>, Partial<PodSpec>, readonly string[]]>([
    ['nothing that changed', { resources: less }, { resources: less }, []],
    [
      'a resize of regular containers',
      { containers: [{ name: 'c', resources: less }] },
      { containers: [{ name: 'c', resources: more }] },
      [],
    ],
    ['a resize of the pod', { resources: less }, { resources: more }, ['InPlacePodLevelResourcesVerticalScaling']],
    ['first resources of the pod', {}, { resources: more }, ['InPlacePodLevelResourcesVerticalScaling']],
    [
      'a resize of an init container',
      { initContainers: [{ name: 'i', resources: less }] },
      { initContainers: [{ name: 'i', resources: more }] },
      ['InPlacePodVerticalScalingInitContainers'],
    ],
    [
      'a resize of a sidecar',
      { initContainers: [{ name: 'i', restartPolicy: 'Always', resources: less }] },
      { initContainers: [{ name: 'i', restartPolicy: 'Always', resources: more }] },
      [],
    ],
  ])('%s: an update requires what it needs', (_name, before, after, expected) => {
    expect(requiredFeaturesOfUpdate(pod(before), pod(after))).toEqual(expected);
  });
});
