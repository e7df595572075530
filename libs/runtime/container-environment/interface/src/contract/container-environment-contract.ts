import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod, PodSpec } from '@podwright/kube-types';
import type { ContainerEnvironment } from '../container-environment.js';

/** One fresh environment on a node without secrets and config maps. */
export interface ContainerEnvironmentHarness {
  readonly environment: ContainerEnvironment;
  /**
   * Does what other managers do before a container starts: creates the pod's folder and mounts the given volumes, host
   * paths by volume name.
   */
  prepare(podUid: string, volumes: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

const podUid = 'uid-1';
const podIp = '10.1.2.3';

function podWith(spec: Partial<PodSpec> = {}): Pod {
  const metadata = { name: 'web', namespace: 'prod', uid: podUid, labels: { tier: 'front' } };
  return { metadata, spec: { containers: [], dnsPolicy: 'Default', enableServiceLinks: true, ...spec } };
}

/** Every implementation of {@link ContainerEnvironment} passes this suite; `create` gives a new instance per case. */
export function describeContainerEnvironmentContract(
  name: string,
  create: () => Promise<ContainerEnvironmentHarness>,
): void {
  describe(`${name} as a ContainerEnvironment`, () => {
    const open: ContainerEnvironmentHarness[] = [];
    afterEach(async () => {
      await Promise.all(open.splice(0).map((harness) => harness.close()));
    });

    const setUp = async (volumes: Readonly<Record<string, string>> = {}): Promise<ContainerEnvironment> => {
      const harness = await create();
      open.push(harness);
      await harness.prepare(podUid, volumes);
      return harness.environment;
    };
    const surroundings = async (
      container: Partial<Container>,
      volumes: Readonly<Record<string, string>> = {},
    ): ReturnType<ContainerEnvironment['forContainer']> =>
      (await setUp(volumes)).forContainer(podWith(), { name: 'app', ...container }, [podIp]);
    const refusal = async (promise: Promise<unknown>): Promise<string> => {
      const error = await promise.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      // `from` returns the same object for a KubeletError.
      expect(KubeletError.from(error)).toBe(error);
      return String((error as KubeletError).message);
    };

    describe('of a pod', () => {
      it('names it by its name, its host name and its subdomain', async () => {
        const environment = await setUp();
        const plain = { hostname: 'web', hostDomain: '', sandboxHostname: 'web' };
        expect(await environment.forPod(podWith())).toMatchObject(plain);
        expect(await environment.forPod(podWith({ setHostnameAsFQDN: true }))).toMatchObject(plain);
        const given = await environment.forPod(podWith({ hostname: 'h', subdomain: 's' }));
        expect(given).toMatchObject({ hostname: 'h', sandboxHostname: 'h' });
        expect(given.hostDomain).toMatch(/^s\.prod\.svc\./);
      });

      it('gives the kernel the full name on demand', async () => {
        const environment = await setUp();
        const spec = { hostname: 'h', subdomain: 's', setHostnameAsFQDN: true };
        const { hostDomain, sandboxHostname } = await environment.forPod(podWith(spec));
        expect(sandboxHostname).toBe(`h.${hostDomain}`);
        const long = podWith({ ...spec, subdomain: 'x'.repeat(60) });
        expect(await refusal(environment.forPod(long))).toContain('is too long (64 characters is the max');
      });

      it('cuts a long name, and leaves no dot or hyphen at its end', async () => {
        const environment = await setUp();
        const metadata = { ...podWith().metadata, name: `${'n'.repeat(61)}.-tail` };
        expect((await environment.forPod({ ...podWith(), metadata })).hostname).toBe('n'.repeat(61));
      });

      it('rejects with a KubeletError for a host name that is none', async () => {
        const environment = await setUp();
        const why = await refusal(environment.forPod(podWith({ hostname: 'No_Name' })));
        expect(why).toContain('pod Hostname "No_Name" is not a valid DNS label');
      });

      it('takes the resolver settings of the pod alone with dnsPolicy None', async () => {
        const environment = await setUp();
        const dnsConfig = {
          nameservers: ['192.0.2.53'],
          searches: ['example.test'],
          options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
        };
        const { dnsConfig: made } = await environment.forPod(podWith({ dnsPolicy: 'None', dnsConfig }));
        expect(made).toEqual({ servers: ['192.0.2.53'], searches: ['example.test'], options: ['ndots:2', 'edns0'] });
      });
    });

    describe('of a container', () => {
      it('has each variable once, the last one counts, and earlier ones can be used', async () => {
        const { envs } = await surroundings({
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '$(A)-$(C)-$$(A)' },
            { name: 'A', value: '2' },
            { name: 'C' },
          ],
        });
        expect(envs.map((env) => [env.name, env.value]).sort()).toEqual([
          ['A', '2'],
          ['B', '1-$(C)-$(A)'],
          ['C', ''],
        ]);
      });

      it('tells a container about its pod', async () => {
        const field = (name: string, fieldPath: string): NonNullable<Container['env']>[number] => ({
          name,
          valueFrom: { fieldRef: { fieldPath } },
        });
        const env = [field('IP', 'status.podIP'), field('UID', 'metadata.uid'), field('T', "metadata.labels['tier']")];
        const { envs } = await surroundings({ env });
        expect(envs.map(({ value }) => value)).toEqual([podIp, podUid, 'front']);
      });

      it('mounts volumes in the order of the container, then the hosts file, and no termination log', async () => {
        const volumeMounts = [
          { name: 'b', mountPath: '/b', readOnly: true },
          { name: 'a', mountPath: '/a' },
        ];
        const volumes = { a: '/host/a', b: '/host/b' };
        const { mounts } = await surroundings({ volumeMounts, terminationMessagePath: '/t' }, volumes);
        expect(mounts).toMatchObject([
          { containerPath: '/b', hostPath: '/host/b', readonly: true },
          { containerPath: '/a', hostPath: '/host/a', readonly: false },
          { containerPath: '/etc/hosts' },
        ]);
        expect(mounts).toHaveLength(3);
      });

      it('writes the addresses and names of the pod into the hosts file', async () => {
        const { mounts } = await surroundings({});
        const hosts = await readFile(mounts.at(-1)?.hostPath ?? '', 'utf8');
        expect(hosts).toContain('127.0.0.1\tlocalhost\n');
        expect(hosts).toContain(`\n${podIp}\tweb\n`);
      });

      it('leaves /etc/hosts to a container that mounts something there', async () => {
        const { mounts } = await surroundings(
          { volumeMounts: [{ name: 'a', mountPath: '/etc/hosts' }] },
          { a: '/host/a' },
        );
        expect(mounts.map(({ hostPath }) => hostPath)).toEqual(['/host/a']);
      });

      it('is the same for the next start', async () => {
        const environment = await setUp({ a: '/host/a' });
        const container = {
          name: 'app',
          volumeMounts: [{ name: 'a', mountPath: '/a' }],
          env: [{ name: 'A', value: '1' }],
        };
        const first = await environment.forContainer(podWith(), container, [podIp]);
        expect(await environment.forContainer(podWith(), container, [podIp])).toEqual(first);
      });

      it('rejects with a KubeletError when something cannot be had', async () => {
        const missingVolume = surroundings({ volumeMounts: [{ name: 'v', mountPath: '/v' }] });
        expect(await refusal(missingVolume)).toContain('cannot find volume "v" to mount into container "app"');
        const secretKeyRef = { name: 'db', key: 'password' };
        const missingSecret = surroundings({ env: [{ name: 'A', valueFrom: { secretKeyRef } }] });
        expect(await refusal(missingSecret)).toContain('prod/db');
        const fieldRef = { fieldPath: 'spec.hostNetwork' };
        const unknownField = surroundings({ env: [{ name: 'A', valueFrom: { fieldRef } }] });
        expect(await refusal(unknownField)).toContain('field label not supported: spec.hostNetwork');
      });

      it('rejects with a KubeletError when the pod does not say whether it wants links to services', async () => {
        const environment = await setUp();
        const { enableServiceLinks: _, ...spec } = podWith().spec;
        const made = environment.forContainer({ ...podWith(), spec }, { name: 'app' }, [podIp]);
        expect(await refusal(made)).toBe('nil pod.spec.enableServiceLinks encountered, cannot construct envvars');
      });

      it('rejects with a KubeletError when the folder of the pod is not there', async () => {
        const environment = await setUp();
        const metadata = { ...podWith().metadata, uid: 'unprepared' };
        const made = environment.forContainer({ ...podWith(), metadata }, { name: 'app' }, [podIp]);
        expect(await refusal(made)).not.toBe('');
      });
    });
  });
}
