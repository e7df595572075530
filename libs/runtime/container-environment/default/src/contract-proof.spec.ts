import { breaksIn, describeContractProof } from '@podwright/contract';
import type {
  ContainerEnvironment,
  ContainerSurroundings,
  PodSurroundings,
} from '@podwright/container-environment-interface';
import { describeContainerEnvironmentContract } from '@podwright/container-environment-interface/contract';
import type { ContainerEnvironmentHarness } from '@podwright/container-environment-interface/contract';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: ContainerEnvironmentHarness) => Partial<ContainerEnvironmentHarness>;

const broken = (replaced: (good: ContainerEnvironment) => Partial<ContainerEnvironment>): Broken =>
  breaksIn('environment', replaced);
const ofPod = (change: (made: PodSurroundings, pod: Pod) => Partial<PodSurroundings>): Broken =>
  broken((good) => ({
    forPod: async (pod) => {
      const made = await good.forPod(pod);
      return { ...made, ...change(made, pod) };
    },
  }));
const ofContainer = (change: (made: ContainerSurroundings, call: number) => Partial<ContainerSurroundings>): Broken =>
  broken((good) => {
    let calls = 0;
    return {
      forContainer: async (...args) => {
        const made = await good.forContainer(...args);
        return { ...made, ...change(made, ++calls) };
      },
    };
  });

const plain: PodSurroundings = { hostname: 'web', hostDomain: '', sandboxHostname: 'web', dnsConfig: {} };
const nothing: ContainerSurroundings = { envs: [], mounts: [], devices: [], annotations: {} };
const podPasses = broken((good) => ({ forPod: (pod) => good.forPod(pod).catch(() => plain) }));
const containerPasses = (when: (container: Container) => boolean): Broken =>
  broken((good) => ({
    forContainer: (pod, container, podIps) =>
      good.forContainer(pod, container, podIps).catch((error: unknown) => {
        if (when(container)) return nothing;
        throw error;
      }),
  }));
const failing = (change: (error: unknown) => unknown): Broken =>
  broken((good) => ({
    forPod: (pod) => good.forPod(pod).catch((error: unknown) => Promise.reject(change(error))),
    forContainer: (...args) => good.forContainer(...args).catch((error: unknown) => Promise.reject(change(error))),
  }));
const otherWords = failing(() => new KubeletError('no', { code: 'internal' }));
const otherClass = failing((error) => new Error(KubeletError.from(error).message));
const noWords = failing(() => new KubeletError('', { code: 'internal' }));

describeContractProof(
  'ContainerEnvironment',
  (create) => describeContainerEnvironmentContract('a broken ContainerEnvironment', create),
  createContractHarness,
  {
    'of a pod names it by its name, its host name and its subdomain': {
      'it has a domain without a subdomain': ofPod(({ hostDomain }) => ({ hostDomain: hostDomain || 'cluster.test' })),
      'its full name ends with a dot': ofPod(({ hostDomain, sandboxHostname }, { spec }) =>
        spec.setHostnameAsFQDN === true ? { sandboxHostname: `${sandboxHostname}.${hostDomain}` } : {},
      ),
      'it is not named by its host name': ofPod(() => ({ hostname: 'web' })),
      'its domain is that of the cluster': ofPod(({ hostDomain }) => ({
        hostDomain: hostDomain === '' ? '' : 'cluster.test',
      })),
    },
    'of a pod gives the kernel the full name on demand': {
      'it gives the short one': ofPod(({ hostname }) => ({ sandboxHostname: hostname })),
      'a name that is too long passes': podPasses,
      'the error has another class': otherClass,
      'the error says something else': otherWords,
    },
    'of a pod cuts a long name, and leaves no dot or hyphen at its end': {
      'it does not cut': ofPod((_made, { metadata }) => ({ hostname: metadata.name ?? '' })),
      'a dot is left': ofPod(({ hostname }) => ({ hostname: `${hostname}.` })),
    },
    'of a pod rejects with a KubeletError for a host name that is none': {
      'it passes': podPasses,
      'the error has another class': otherClass,
      'the error says something else': otherWords,
    },
    'of a pod takes the resolver settings of the pod alone with dnsPolicy None': {
      'it adds the server of the node': ofPod(({ dnsConfig }) => ({
        dnsConfig: { ...dnsConfig, servers: [...(dnsConfig.servers ?? []), '192.0.2.1'] },
      })),
      'it drops an option without a value': ofPod(({ dnsConfig }) => ({
        dnsConfig: { ...dnsConfig, options: dnsConfig.options?.filter((option) => option?.includes(':')) ?? [] },
      })),
    },
    'of a container has each variable once, the last one counts, and earlier ones can be used': {
      'one is there twice': ofContainer(({ envs }) => ({ envs: [...envs, ...envs.slice(0, 1)] })),
      'the first one counts': ofContainer(({ envs }) => ({
        envs: envs.map(({ name, value }) => ({ name, value: name === 'A' ? '1' : value })),
      })),
      'one that comes later can be used': ofContainer(({ envs }) => ({
        envs: envs.map(({ name, value }) => ({ name, value: value.replace('$(C)', '') })),
      })),
    },
    'of a container tells a container about its pod': {
      'the address is missing': broken((good) => ({
        forContainer: (pod, container) => good.forContainer(pod, container, []),
      })),
      'the label is missing': ofContainer(({ envs }) => ({
        envs: envs.map(({ name, value }) => ({ name, value: name === 'T' ? '' : value })),
      })),
    },
    'of a container mounts volumes in the order of the container, then the hosts file, and no termination log': {
      'the order is another': ofContainer(({ mounts }) => ({ mounts: mounts.toReversed() })),
      'all is writable': ofContainer(({ mounts }) => ({
        mounts: mounts.map((mount) => ({ ...mount, readonly: false })),
      })),
      'there is a termination log': ofContainer(({ mounts }) => ({
        mounts: [...mounts, { containerPath: '/t', hostPath: '/t' }],
      })),
    },
    'of a container writes the addresses and names of the pod into the hosts file': {
      'the file is empty': ofContainer(() => ({ mounts: [{ hostPath: '/dev/null' }] })),
      'the address is missing': broken((good) => ({
        forContainer: (pod, container) => good.forContainer(pod, container, ['10.9.9.9']),
      })),
    },
    'of a container leaves /etc/hosts to a container that mounts something there': {
      'it mounts the hosts file all the same': ofContainer(({ mounts }) => ({
        mounts: [...mounts, { containerPath: '/etc/hosts', hostPath: '/hosts' }],
      })),
    },
    'of a container is the same for the next start': {
      'the mounts come in another order': ofContainer(({ mounts }, call) => ({
        mounts: call === 2 ? mounts.toReversed() : mounts,
      })),
      'a variable is missing': ofContainer(({ envs }, call) => ({ envs: call === 2 ? [] : envs })),
    },
    'of a container rejects with a KubeletError when something cannot be had': {
      'it starts without the volume': containerPasses(({ volumeMounts }) => volumeMounts !== undefined),
      'it starts without the secret': containerPasses(({ env }) => env?.[0]?.valueFrom?.secretKeyRef !== undefined),
      'it starts without the field': containerPasses(({ env }) => env?.[0]?.valueFrom?.fieldRef !== undefined),
      'the error says nothing of the volume': otherWords,
      'the error says nothing of the secret': failing(
        (error) => new KubeletError(KubeletError.from(error).message.replaceAll('prod/db', 'it'), { code: 'internal' }),
      ),
      'the error says nothing of the field': failing(
        (error) =>
          new KubeletError(KubeletError.from(error).message.replaceAll('spec.hostNetwork', 'it'), { code: 'internal' }),
      ),
    },
    'of a container rejects with a KubeletError when the pod does not say whether it wants links to services': {
      'it passes': containerPasses(() => true),
      'the error says something else': otherWords,
    },
    'of a container rejects with a KubeletError when the folder of the pod is not there': {
      'it passes': containerPasses(() => true),
      'the error has another class': otherClass,
      'the error says nothing': noWords,
    },
  },
);
