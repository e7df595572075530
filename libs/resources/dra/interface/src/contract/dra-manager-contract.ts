import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { Claim, NodePrepareResourcesResponse } from '../generated/dra.js';
import { cdiName, preparedDevice, type DraManagerHarness, type FakeDriver } from './dra-harness.js';
import { allocatedClaim, podOf, podWithClaims } from './pod-with-claims.js';

const gpu = 'gpu.example.com';
const nic = 'nic.example.com';
const mainOf = ({ spec }: Pod): Pod['spec']['containers'][number] => spec.containers[0]!;

/** Every implementation of `DraManager` passes this suite; `create` gives a new instance per case. */
export function describeDraManagerContract(name: string, create: () => Promise<DraManagerHarness>): void {
  describe(`${name} as a DraManager`, () => {
    const managing = (run: (harness: DraManagerHarness) => Promise<void>) => async () => {
      const harness = await create();
      try {
        await run(harness);
      } finally {
        await Promise.all([harness.manager.stop(), harness.manager.stop()]);
      }
    };
    /** A driver, and a pod `p` with the claim `a`, prepared. */
    const prepared = async (harness: DraManagerHarness): Promise<{ driver: FakeDriver; pod: Pod }> => {
      const driver = await harness.driver(gpu);
      harness.setClaim('a', allocatedClaim('a', { reservedFor: ['p', 'q'] }));
      const pod = podOf('p', 'a');
      harness.setActive(pod);
      await harness.manager.prepare(pod);
      return { driver, pod };
    };

    it(
      'has each driver prepare its claims of a pod in one call, and names their devices',
      managing(async (harness) => {
        const [driver, other] = [await harness.driver(gpu), await harness.driver(nic)];
        harness.setClaim('a', allocatedClaim('a'));
        harness.setClaim('b', allocatedClaim('b', { drivers: [gpu, nic] }));
        const pod = podWithClaims('p', {
          claims: [
            { name: 'one', resourceClaimName: 'a' },
            { name: 'two', resourceClaimName: 'b' },
          ],
          containers: { main: [{ name: 'one' }, { name: 'two' }], side: [{ name: 'one' }], bare: [] },
        });
        await harness.manager.prepare(pod);
        expect([driver.calls, other.calls]).toEqual([['prepare a b'], ['prepare b']]);
        const [main, side, bare] = pod.spec.containers;
        expect([...harness.manager.cdiDevicesOf(pod, main!)].sort()).toEqual([
          cdiName(gpu, 'a'),
          cdiName(gpu, 'b'),
          cdiName(nic, 'b'),
        ]);
        expect(harness.manager.cdiDevicesOf(pod, side!)).toEqual([cdiName(gpu, 'a')]);
        expect(harness.manager.cdiDevicesOf(pod, bare!)).toEqual([]);
        const device = { driverName: gpu, poolName: 'n1', deviceName: 'd0', cdiDevices: [cdiName(gpu, 'a')] };
        expect(harness.manager.claimsOf(pod, side!)).toEqual([
          { claimName: 'a', claimNamespace: 'default', devices: [device] },
        ]);
        expect(harness.manager.claimsOf(pod, bare!)).toEqual([]);
      }),
    );

    it(
      'prepares once what is prepared already, for the same pod and for another one',
      managing(async (harness) => {
        const { driver, pod } = await prepared(harness);
        const other = podOf('q', 'a');
        await harness.manager.prepare(pod);
        await Promise.all([harness.manager.prepare(other), harness.manager.prepare(other)]);
        expect(driver.calls).toEqual(['prepare a']);
        expect(harness.manager.cdiDevicesOf(other, mainOf(other))).toEqual([cdiName(gpu, 'a')]);
      }),
    );

    it(
      'takes the names of claims of templates from the status, and those for extended resources',
      managing(async (harness) => {
        const driver = await harness.driver(gpu);
        harness.setClaim('made', allocatedClaim('made', { owner: 'p' }));
        harness.setClaim('extended', allocatedClaim('extended'));
        const claims = [{ name: 'device', resourceClaimTemplateName: 't' }];
        const pod: Pod = podWithClaims('p', {
          claims: [...claims, { name: 'none', resourceClaimTemplateName: 'u' }],
          status: {
            resourceClaimStatuses: [{ name: 'device', resourceClaimName: 'made' }, { name: 'none' }],
            extendedResourceClaimStatus: {
              resourceClaimName: 'extended',
              requestMappings: [{ containerName: 'main', resourceName: 'example.com/gpu', requestName: 'r' }],
            },
          },
        });
        await harness.manager.prepare(pod);
        expect(driver.calls).toEqual(['prepare made extended']);
        const asking = {
          ...mainOf(pod),
          resources: { claims: [{ name: 'device' }], requests: { 'example.com/gpu': '1' } },
        };
        expect(harness.manager.cdiDevicesOf(pod, asking)).toEqual([cdiName(gpu, 'made'), cdiName(gpu, 'extended')]);
        expect(harness.manager.cdiDevicesOf(pod, mainOf(pod))).toEqual([cdiName(gpu, 'made')]);
        const waiting = podWithClaims('q', { claims });
        await expect(harness.manager.prepare(waiting)).rejects.toThrow(
          'prepare dynamic resources: pod "default/q": ResourceClaim not created yet',
        );
      }),
    );

    it(
      'gives a container the devices of its request, and those that serve all',
      managing(async (harness) => {
        const devices = [['r'], ['s'], []].map((requestNames, index) => ({
          ...{ requestNames, poolName: 'n1', deviceName: `d${index}`, cdiDeviceIds: [`d=${index}`] },
        }));
        await harness.driver(gpu, {
          prepare: async (claims) => ({
            claims: Object.fromEntries(claims.map(({ uid }) => [uid, { error: '', devices }])),
          }),
        });
        harness.setClaim('a', allocatedClaim('a'));
        const pod = podWithClaims('p', {
          claims: [{ name: 'x', resourceClaimName: 'a' }],
          containers: { main: [{ name: 'x', request: 'r' }], all: [{ name: 'x' }] },
        });
        await harness.manager.prepare(pod);
        const [main, all] = pod.spec.containers;
        expect(harness.manager.cdiDevicesOf(pod, main!)).toEqual(['d=0', 'd=2']);
        expect(harness.manager.cdiDevicesOf(pod, all!)).toEqual(['d=0', 'd=1', 'd=2']);
      }),
    );

    it.each([
      ['a claim that is missing', undefined, /^prepare dynamic resources: fetch ResourceClaim a: .*not found/],
      [
        'a claim of others',
        allocatedClaim('a', { reservedFor: ['q'] }),
        /^prepare dynamic resources: pod p \(p\) is not allowed to use ResourceClaim a \(uid-a\)$/,
      ],
      [
        'a claim that is not allocated',
        { ...allocatedClaim('a'), status: { reservedFor: [{ resource: 'pods', name: 'p', uid: 'p' }] } },
        /^prepare dynamic resources: ResourceClaim a: not allocated$/,
      ],
      [
        'a driver that is not there',
        allocatedClaim('a', { drivers: [gpu, nic] }),
        /^prepare dynamic resources: DRA driver nic.example.com is not registered$/,
      ],
    ] as const)('refuses %s: calls no driver, and has nothing to unprepare', (_what, claim, message) =>
      managing(async (harness) => {
        const driver = await harness.driver(gpu);
        harness.setClaim('a', claim);
        harness.setClaim('b', allocatedClaim('b'));
        const pod = podWithClaims('p', {
          claims: [
            { name: 'good', resourceClaimName: 'b' },
            { name: 'bad', resourceClaimName: 'a' },
          ],
        });
        await expect(harness.manager.prepare(pod)).rejects.toThrow(message);
        expect(driver.calls).toEqual([]);
        expect(harness.manager.holdsClaims('p')).toBe(false);
        expect(() => harness.manager.cdiDevicesOf(pod, mainOf(pod))).toThrow(
          'internal error: unable to get claim info for ResourceClaim b in namespace default',
        );
      })(),
    );

    it(
      'refuses the claim of a template of another pod',
      managing(async (harness) => {
        await harness.driver(gpu);
        harness.setClaim('a', allocatedClaim('a', { owner: 'q' }));
        const pod = podWithClaims('p', {
          claims: [{ name: 'x', resourceClaimTemplateName: 't' }],
          status: { resourceClaimStatuses: [{ name: 'x', resourceClaimName: 'a' }] },
        });
        await expect(harness.manager.prepare(pod)).rejects.toThrow(
          'prepare dynamic resources: ResourceClaim default/a was not created for Pod default/p (Pod is not owner)',
        );
      }),
    );

    it.each([
      ['fails', async () => Promise.reject(new Error('on fire')), /NodePrepareResources: .*on fire$/],
      [
        'refuses a claim',
        async () => ({ claims: { 'uid-a': { devices: [], error: 'too hot' } } }),
        /^prepare dynamic resources: NodePrepareResources failed for ResourceClaim a: too hot$/,
      ],
      [
        'answers for another claim',
        async () => ({ claims: { x: { devices: [], error: '' } } }),
        /^prepare dynamic resources: NodePrepareResources returned result for unknown claim UID x$/,
      ],
      [
        'forgets a claim',
        async () => ({ claims: {} }),
        /^prepare dynamic resources: NodePrepareResources skipped 1 ResourceClaims$/,
      ],
    ] as const)('rejects while the driver %s, and then prepares the claim', (_what, fault, message) =>
      managing(async (harness) => {
        const faults: ((claims: readonly Claim[]) => Promise<NodePrepareResourcesResponse>)[] = [fault];
        const driver = await harness.driver(gpu, {
          prepare: (claims) =>
            (
              faults.shift() ??
              (async () => ({
                claims: Object.fromEntries(claims.map((claim) => [claim.uid, preparedDevice(gpu, claim)])),
              }))
            )(claims),
        });
        harness.setClaim('a', allocatedClaim('a'));
        const pod = podOf('p', 'a');
        await expect(harness.manager.prepare(pod)).rejects.toThrow(message);
        expect(harness.manager.holdsClaims('p')).toBe(true);
        await harness.manager.prepare(pod);
        expect(driver.calls).toEqual(['prepare a', 'prepare a']);
        expect(harness.manager.cdiDevicesOf(pod, mainOf(pod))).toEqual([cdiName(gpu, 'a')]);
      })(),
    );

    it(
      'unprepares a claim when its last pod has ended, once',
      managing(async (harness) => {
        const { driver, pod } = await prepared(harness);
        const other = podOf('q', 'a');
        await harness.manager.prepare(other);
        await harness.manager.unprepare(pod);
        expect(['p', 'q'].map((uid) => harness.manager.holdsClaims(uid))).toEqual([false, true]);
        await harness.manager.unprepare(pod);
        expect(driver.calls).toEqual(['prepare a']);
        expect(harness.manager.cdiDevicesOf(other, mainOf(other))).toEqual([cdiName(gpu, 'a')]);
        await harness.manager.unprepare(other);
        await harness.manager.unprepare(other);
        expect(driver.calls).toEqual(['prepare a', 'unprepare a']);
        expect(harness.manager.holdsClaims('q')).toBe(false);
        await harness.manager.unprepare(podWithClaims('bare', {}));
      }),
    );

    it(
      'rejects while a driver refuses to unprepare, or is away, and keeps the claim until then',
      managing(async (harness) => {
        const faults = ['busy'];
        const driver = await harness.driver(gpu, {
          unprepare: async (claims) => {
            const error = faults.shift() ?? '';
            return { claims: Object.fromEntries(claims.map(({ uid }) => [uid, { error }])) };
          },
        });
        harness.setClaim('a', allocatedClaim('a'));
        const pod = podOf('p', 'a');
        await harness.manager.prepare(pod);
        await expect(harness.manager.unprepare(pod)).rejects.toThrow(
          'unprepare dynamic resources: NodeUnprepareResources failed for ResourceClaim a: busy',
        );
        await driver.leave();
        await expect(harness.manager.unprepare(pod)).rejects.toThrow(
          'unprepare dynamic resources: DRA driver gpu.example.com is not registered',
        );
        expect(harness.manager.holdsClaims('p')).toBe(true);
        const next = await harness.driver(gpu);
        await harness.manager.unprepare(pod);
        expect(next.calls).toEqual(['unprepare a']);
        expect(harness.manager.holdsClaims('p')).toBe(false);
      }),
    );

    it(
      'unprepares the claims of pods that are gone',
      managing(async (harness) => {
        const { driver } = await prepared(harness);
        await harness.reconcile();
        expect(driver.calls).toEqual(['prepare a']);
        harness.setActive();
        const other = podOf('q', 'a');
        await harness.manager.prepare(other);
        await harness.manager.unprepareOthers(new Set(['q']));
        expect(['p', 'q'].map((uid) => harness.manager.holdsClaims(uid))).toEqual([false, true]);
        await harness.reconcile();
        expect(driver.calls).toEqual(['prepare a', 'unprepare a']);
        expect(harness.manager.holdsClaims('q')).toBe(false);
      }),
    );

    it(
      'knows the devices after a restart, and prepares again for the next sandbox',
      managing(async (harness) => {
        const { pod } = await prepared(harness);
        const next = await harness.restart();
        try {
          const driver = await next.driver(gpu);
          const devices = (): readonly string[] => next.manager.cdiDevicesOf(pod, mainOf(pod));
          expect([next.manager.holdsClaims('p'), devices()]).toEqual([true, [cdiName(gpu, 'a')]]);
          await next.manager.prepare(pod);
          expect([driver.calls, devices()]).toEqual([['prepare a'], [cdiName(gpu, 'a')]]);
          expect(next.manager.claimsOf(pod, mainOf(pod))[0]?.devices).toHaveLength(1);
        } finally {
          await next.manager.stop();
        }
      }),
    );

    it(
      'refuses a new claim that has the name of one that is still prepared',
      managing(async (harness) => {
        await prepared(harness);
        harness.setClaim('a', allocatedClaim('a', { uid: 'new', reservedFor: ['q'] }));
        await expect(harness.manager.prepare(podOf('q', 'a'))).rejects.toThrow(
          'prepare dynamic resources: old ResourceClaim with same name a and different UID uid-a still exists (previous pod force-deleted?!)',
        );
        expect(harness.manager.holdsClaims('q')).toBe(false);
      }),
    );

    it(
      'shows the health of the devices, and notifies about the pods of the claim when it changes',
      managing(async (harness) => {
        const told: (readonly string[])[] = [];
        harness.health.watch((podUids) => told.push(podUids));
        const { driver, pod } = await prepared(harness);
        const shown = (): unknown => harness.health.of(pod, 'main');
        const device = (health: string): unknown => [
          { name: 'claim:device', resources: [{ resourceId: cdiName(gpu, 'a'), health }] },
        ];
        expect(shown()).toEqual(device('Unknown'));
        await driver.report([{ device: 'd0', health: 'Healthy' }]);
        expect(shown()).toEqual(device('Healthy'));
        await driver.report([
          { device: 'd0', health: 'Healthy' },
          { device: 'd1', health: 'Unhealthy' },
        ]);
        expect(told).toEqual([['p']]);
        await driver.report([{ device: 'd0', health: 'Unhealthy' }]);
        expect(shown()).toEqual(device('Unhealthy'));
        expect(told).toEqual([['p'], ['p']]);
        expect(harness.health.of(podWithClaims('bare', {}), 'main')).toEqual([]);
      }),
    );
  });
}
