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
      ['metadata.annotations: Invalid value: "a/b/c": a valid label key'],
    ],
    ['name: web, namespace: default, finalizers: [orphan, a/b]', []],
    [
      'name: web, namespace: default, finalizers: [mine]',
      ['metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully'],
    ],
    [
      'name: web, namespace: default, ownerReferences: [{apiVersion: a/b/c, kind: k, name: o, uid: u}]',
      ['metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": version must not be empty'],
    ],
    [
      `name: web, namespace: default, annotations: {big: "${'x'.repeat(262144)}"}`,
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      'name: web, namespace: default, annotations: {kubernetes.io/config.mirror: x}',
      ['metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod'],
    ],
  ])('metadata %#', (metadata, beginnings) => {
    const messages = validatePodCreate(podWith('', metadata)).map(({ message }) => message);
    expect(messages).toHaveLength(beginnings.length);
    beginnings.forEach((beginning, index) => expect(messages[index]).toContain(beginning));
  });

  it('names the signals of Linux in order', () => {
    const spec = 'os: {name: linux}\ncontainers: [{name: c, image: x, lifecycle: {stopSignal: USR1}}]';
    const [fault] = validatePodCreate(podWith(spec));
    const names = fault?.message.split('supported values: ')[1]?.split(', ') ?? [];
    expect(names).toHaveLength(65);
    expect(names).toEqual([...names].sort());
    expect([names[0], names[64]]).toEqual(['"SIGABRT"', '"SIGXFSZ"']);
  });

  const appArmor = 'container.apparmor.security.beta.kubernetes.io';
  const seccomp = 'seccomp.security.alpha.kubernetes.io';
  const ofContainer = (type: string): string => `containers: [{name: c, image: x, securityContext: {${type}}}]`;
  const differs = 'in annotation and field must match';

  it.each<[annotation: string, value: string, spec: string, ...faults: string[]]>([
    [
      `${appArmor}/c`,
      'rubbish',
      '',
      `metadata.annotations[${appArmor}/c]: Invalid value: "rubbish": invalid AppArmor profile name: "rubbish"`,
    ],
    [`${appArmor}/d`, 'unconfined', '', `metadata.annotations[${appArmor}/d]: Invalid value: "d": container not found`],
    [`${appArmor}/c`, 'localhost/p', ''],
    [`${appArmor}/c`, 'localhost/p', 'securityContext: {appArmorProfile: {type: Localhost, localhostProfile: p}}'],
    [
      `${appArmor}/c`,
      'localhost/q',
      'securityContext: {appArmorProfile: {type: Localhost, localhostProfile: p}}',
      `spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile ${differs}`,
    ],
    [
      `${appArmor}/c`,
      'unconfined',
      ofContainer('appArmorProfile: {type: RuntimeDefault}'),
      `spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type ${differs}`,
    ],
    [
      `${seccomp}/pod`,
      'x',
      '',
      `metadata.annotations.${seccomp}/pod: Invalid value: "x": must be a valid seccomp profile`,
    ],
    [
      `container.${seccomp}/c`,
      'localhost//a',
      '',
      `metadata.annotations.container.${seccomp}/c: Invalid value: "/a": must be a relative path`,
    ],
    [`${seccomp}/pod`, 'docker/default', 'securityContext: {seccompProfile: {type: RuntimeDefault}}'],
    [
      `${seccomp}/pod`,
      'unconfined',
      'securityContext: {seccompProfile: {type: Localhost, localhostProfile: p}}',
      `spec.securityContext.seccompProfile.type: Forbidden: seccomp type ${differs}`,
    ],
    [
      `container.${seccomp}/c`,
      'runtime/default',
      ofContainer('seccompProfile: {type: Unconfined}'),
      `spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type ${differs}`,
    ],
  ])('a profile in an annotation: %s %s %s', (annotation, value, spec, ...faults) => {
    const metadata = `name: web, namespace: default, annotations: {${annotation}: ${value}}`;
    expect(validatePodCreate(podWith(spec, metadata)).map(({ message }) => message)).toEqual(faults);
  });

  it.each([
    ['7', true, 0],
    ['-07', true, 0],
    ['007', true, 1],
    ['+7', true, 1],
    ['2147483648', true, 1],
    ['x', false, 0],
  ])('a deletion cost of %s with the gate on: %s', (cost, podDeletionCost, faults) => {
    const name = 'controller.kubernetes.io/pod-deletion-cost';
    const pod = podWith('', `name: web, namespace: default, annotations: {${name}: "${cost}"}`);
    const messages = validatePodCreate(pod, { ...defaultPodRules, podDeletionCost }).map(({ message }) => message);
    const message = `metadata.annotations[${name}]: Invalid value: "${cost}": must be a 32bit integer`;
    expect(messages).toEqual(Array(faults).fill(message));
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
  const spread = (selector: string): string =>
    `topologySpreadConstraints: [{maxSkew: 1, topologyKey: "not a name!", whenUnsatisfiable: DoNotSchedule, matchLabelKeys: [app], labelSelector: ${selector}}]`;
  const spreadField = 'spec.topologySpreadConstraints[0]';
  const spreadFault = 'Invalid value: "app": exists in both matchLabelKeys and labelSelector';
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
    ['tolerations: [{key: a, operator: Lt, value: "-5"}]', { tolerationComparisons: true }],
    [
      'tolerations: [{key: a, operator: Gt, value: "007"}, {key: a, operator: Gt}, {key: a, operator: Gt, value: x}]',
      { tolerationComparisons: true },
      'spec.tolerations[0].value: Invalid value: "007": must be a valid decimal integer in canonical form',
      'spec.tolerations[1].value: Invalid value: "": must be non-empty',
      'spec.tolerations[1].value: Invalid value: "": strconv.ParseInt: parsing "": invalid syntax',
      'spec.tolerations[2].value: Invalid value: "x": must be a valid decimal integer in canonical form',
      'spec.tolerations[2].value: Invalid value: "x": strconv.ParseInt: parsing "x": invalid syntax',
    ],
    ['resources: {requests: {pods: "1"}}', { podLevelResources: false }],
    [spread('{matchLabels: {app: a}}'), {}],
    [spread('{matchLabels: {app: a}}'), { mergedLabelKeys: false }, `${spreadField}.matchLabelKeys[0]: ${spreadFault}`],
    [
      spread('{matchExpressions: [{key: app, operator: Exists}, {key: app, operator: Exists}]}'),
      {},
      `${spreadField}[0]: ${spreadFault}`,
    ],
  ])('by the rules of gates: %s %j', (spec, rules, ...messages) => {
    const found = validatePodCreate(podWith(spec), { ...defaultPodRules, ...rules });
    expect(found.map(({ message }) => message)).toEqual(messages);
  });
});
