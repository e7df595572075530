import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { appArmorEnabled, checkAppArmor } from './app-armor.js';
import { checkDeclaredFeatures, checkPodFeatures } from './pod-features.js';

const pod = (
  spec: Partial<PodSpec> = {},
  annotations: Readonly<Record<string, string>> = {},
  phase = 'Pending',
): Pod => ({
  metadata: { annotations },
  spec: { containers: [{ name: 'c' }], ...spec },
  status: { phase },
});
const profile = (type: string, localhostProfile?: string) => ({
  appArmorProfile: { type, ...(localhostProfile !== undefined && { localhostProfile }) },
});
const annotation = (value: string) => ({ 'container.apparmor.security.beta.kubernetes.io/c': value });
const no = (message: string) => ({ admit: false, reason: 'AppArmor', message: `Cannot enforce AppArmor: ${message}` });
const disabled = no('AppArmor is not enabled on the host');
const empty = (name: string) =>
  no(`invalid empty AppArmor profile name: "&AppArmorProfile{Type:Localhost,LocalhostProfile:${name},}"`);

describe('AppArmor', () => {
  it.each([
    ['no profile', pod(), undefined, undefined],
    ['a profile of the pod', pod({ securityContext: profile('RuntimeDefault') }), disabled, undefined],
    [
      'a profile of a container',
      pod({ containers: [{ name: 'c', securityContext: profile('Localhost', 'x') }] }),
      disabled,
      undefined,
    ],
    [
      'a profile of an init container',
      pod({ initContainers: [{ name: 'i', securityContext: profile('RuntimeDefault') }] }),
      disabled,
      undefined,
    ],
    ['unconfined', pod({ securityContext: profile('Unconfined') }), undefined, undefined],
    ['an annotation', pod({}, annotation('runtime/default')), disabled, undefined],
    ['an unconfined annotation', pod({}, annotation('unconfined')), undefined, undefined],
    ['a local profile without a name', pod({ securityContext: profile('Localhost') }), disabled, empty('nil')],
    ['one with a blank name', pod({ securityContext: profile('Localhost', ' ') }), disabled, empty('* ')],
    ['an annotation with a blank name', pod({}, annotation('localhost/ ')), disabled, empty('* ')],
    ['an annotation without a name', pod({}, annotation('localhost/')), disabled, empty('*')],
    ['an annotation with a name', pod({}, annotation('localhost/x')), disabled, undefined],
    ['an annotation for something else', pod({}, { 'example.com/c': 'runtime/default' }), undefined, undefined],
    [
      'an annotation of another container',
      pod({}, { ...annotation('unconfined'), 'container.apparmor.security.beta.kubernetes.io/d': 'localhost/' }),
      disabled,
      undefined,
    ],
    [
      'a container without a name in its profile, in a pod with another profile',
      pod({
        ...{ securityContext: profile('RuntimeDefault') },
        containers: [{ name: 'c', securityContext: profile('Localhost') }],
      }),
      disabled,
      empty('nil'),
    ],
    [
      'a container with a profile, in a pod with one that has no name',
      pod({
        securityContext: profile('Localhost'),
        containers: [{ name: 'c', securityContext: profile('Unconfined') }],
      }),
      disabled,
      undefined,
    ],
    [
      'the second of two containers',
      pod({
        containers: [
          { name: 'b', securityContext: profile('Unconfined') },
          { name: 'c', securityContext: profile('Localhost') },
        ],
      }),
      disabled,
      empty('nil'),
    ],
    [
      'a pod whose phase is unknown',
      { ...pod({ securityContext: profile('Localhost') }), status: {} },
      undefined,
      undefined,
    ],
    ['a pod that runs already', pod({ securityContext: profile('Localhost') }, {}, 'Running'), undefined, undefined],
  ])('%s', async (_name, given, without, withIt) => {
    expect(await checkAppArmor(given, async () => false)).toEqual(without);
    expect(await checkAppArmor(given, async () => true)).toEqual(withIt);
  });

  describe('of the host', () => {
    let host: string;
    beforeEach(async () => {
      host = await mkdtemp(path.join(tmpdir(), 'podwright-apparmor-'));
    });
    afterEach(() => rm(host, { recursive: true, force: true }));

    it.each([
      [undefined, true, false],
      ['Y\n', true, true],
      ['N\n', true, false],
      ['Y\n', false, false],
      ['Y', true, false],
      ['NY', true, false],
    ])('parameter %j, mounted %s: %s', async (parameter, mounted, expected) => {
      if (mounted) await mkdir(path.join(host, 'sys/kernel/security/apparmor'), { recursive: true });
      if (parameter !== undefined) {
        await mkdir(path.join(host, 'sys/module/apparmor/parameters'), { recursive: true });
        await writeFile(path.join(host, 'sys/module/apparmor/parameters/enabled'), parameter);
      }
      expect(await appArmorEnabled(host)).toBe(expected);
    });
  });
});

describe('features of pods', () => {
  const podLevel = pod({ resources: { requests: { cpu: '1' } } });
  it.each([
    [pod(), false, undefined],
    [podLevel, true, undefined],
    [
      podLevel,
      false,
      {
        admit: false,
        reason: 'PodLevelResourcesNotSupported',
        message: 'PodLevelResources feature gate is disabled',
      },
    ],
  ])('pod-level resources: %#', (given, enabled, expected) => {
    expect(checkPodFeatures(given, enabled)).toEqual(expected);
  });

  it('that the node does not declare', () => {
    const rules = [{ action: 'RestartAllContainers' }];
    const given = pod({
      hostNetwork: true,
      hostUsers: false,
      containers: [{ name: 'c', restartPolicyRules: rules }],
    });
    expect(checkDeclaredFeatures(given, [])).toEqual({
      admit: false,
      reason: 'PodFeatureUnsupported',
      message:
        'Pod requires node features that are not available: RestartAllContainersOnContainerExits, UserNamespacesHostNetworkSupport',
    });
    expect(
      checkDeclaredFeatures(given, ['RestartAllContainersOnContainerExits', 'UserNamespacesHostNetworkSupport']),
    ).toBeUndefined();
    expect(checkDeclaredFeatures(pod(), [])).toBeUndefined();
  });
});
