import { describe, expect, it } from '@jest/globals';
import { decodePodManifest } from '../decode/pod-manifest.js';
import { defaultPod } from '../default/pod-defaults.js';
import { assertValidPod, validatePodCreate } from './pod.js';
import { defaultPodRules, type PodRules } from './pod-rules.js';
import { cases } from './fixtures/pod-cases.js';

/** A valid pod with the lines of `spec` added; a container list of its own replaces the one of the base. */
function podWith(spec: string, metadata = 'name: web, namespace: default'): ReturnType<typeof defaultPod> {
  const containers = /^containers:/m.test(spec) ? '' : 'containers: [{name: c, image: nginx}]\n';
  const indented = `${containers}${spec}`.replace(/^/gm, '  ');
  return defaultPod(
    decodePodManifest(`apiVersion: v1\nkind: Pod\nmetadata: {${metadata}}\nspec:\n${indented}`, 'web.yaml'),
  );
}

describe('validatePodCreate', () => {
  describe.each(Object.entries(cases))('%s', (_, rows) => {
    it.each(rows)('%s', (spec, ...messages) => {
      expect(validatePodCreate(podWith(spec)).map(({ message }) => message)).toEqual(messages);
    });
  });

  it.each([
    ['name: Web_1, namespace: default', ['metadata.name: Invalid value: "Web_1": a lowercase RFC 1123 subdomain must']],
    ['namespace: default', ['metadata.name: Required value: name or generateName is required']],
    ['name: web', ['metadata.namespace: Required value']],
    [
      'name: web, namespace: default, labels: {-a: b}',
      ['metadata.labels: Invalid value: "-a": name part must consist'],
    ],
    [
      'name: web, namespace: default, labels: {a: "b c"}',
      ['metadata.labels: Invalid value: "b c": a valid label must'],
    ],
    [
      'name: web, namespace: default, annotations: {"a/b/c": x}',
      ['metadata.annotations: Invalid value: "a/b/c": a qualified'],
    ],
    [
      `name: web, namespace: default, annotations: {big: "${'x'.repeat(262144)}"}`,
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      'name: web, namespace: default, annotations: {kubernetes.io/config.mirror: x}',
      ['spec.nodeName: Required value: must set spec.nodeName if mirror pod annotation is set'],
    ],
  ])('metadata %#', (metadata, beginnings) => {
    const messages = validatePodCreate(podWith('', metadata)).map(({ message }) => message);
    expect(messages).toHaveLength(beginnings.length);
    beginnings.forEach((beginning, index) => expect(messages[index]).toContain(beginning));
  });

  it('names all faults in one error', () => {
    const pod = podWith('containers: [{name: A}, {name: b, image: x}, {name: b, image: x}]');
    expect(() => assertValidPod(pod)).toThrow(
      /^invalid pod: \[spec\.containers\[0\]\.name: Invalid value: "A": .*, spec\.containers\[0\]\.image: Required value, spec\.containers\[2\]\.name: Duplicate value: "b"\]$/,
    );
    expect(() => assertValidPod(podWith(''))).not.toThrow();
  });

  const policies =
    'initContainers: [{name: i, image: i, restartPolicy: Never}, {name: s, image: i, restartPolicy: Always}]';
  const sidecarRule =
    'initContainers: [{name: s, image: i, restartPolicy: Always, restartPolicyRules: ' +
    '[{action: Restart, exitCodes: {operator: In, values: [3]}}]}]';
  const noSidecarRules =
    'spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers ' +
    'with restart policy Always';
  it.each<[string, Partial<PodRules>, ...string[]]>([
    [policies, {}],
    [
      policies,
      { containerRestartRules: false },
      'spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [sidecarRule, {}],
    [sidecarRule, { restartAllContainers: false }, noSidecarRules],
    [
      'hostAliases: [{ip: 1.2.3.04}, {ip: "::ffff:1.2.3.4"}, {ip: FE80::1}]',
      {},
      'spec.hostAliases[0].ip: Invalid value: "1.2.3.04": must not have leading 0s',
      'spec.hostAliases[1].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
    ['hostAliases: [{ip: 1.2.3.04}, {ip: "::ffff:1.2.3.4"}]', { strictIps: false }],
  ])('by the rules of gates: %s %j', (spec, rules, ...messages) => {
    const found = validatePodCreate(podWith(spec), { ...defaultPodRules, ...rules });
    expect(found.map(({ message }) => message)).toEqual(messages);
  });
});
