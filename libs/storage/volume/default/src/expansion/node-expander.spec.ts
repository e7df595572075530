import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError, messageOf, type ErrorCode } from '@podwright/errors';
import type { EventObject } from '@podwright/events-interface';
import { KubeApiError, persistentVolumeClaims, pods, type KubeClient } from '@podwright/kube-client-interface';
import type { PersistentVolumeClaim, Pod } from '@podwright/kube-types';
import { TestCluster } from '@podwright/test-cluster';
import { uncertainProgress } from '@podwright/volume-interface';
import type { NodeExpandRequest } from '@podwright/volume-interface';
import type { Expansion, ExpansionRequest } from './expansion-request.js';
import { NodeExpander } from './node-expander.js';

type EventTexts = readonly [type: string, reason: string, message: string, ...rest: readonly unknown[]];
type Status = NonNullable<PersistentVolumeClaim['status']>;

const gi = 1024 ** 3;
const name = { namespace: 'default', name: 'data' };
const { signal } = new AbortController();
const condition = (type: string): NonNullable<Status['conditions']>[number] => ({ type, status: 'True' });

describe('NodeExpander', () => {
  let cluster: TestCluster;
  let admin: KubeClient;
  let said: string[];
  let asked: NodeExpandRequest[];
  let fault: Error | undefined;
  let expander: NodeExpander;
  const pod: Pod = {
    metadata: { namespace: 'default', name: 'web', uid: 'uid-1' },
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'app', image: 'app' }],
      volumes: [{ name: 'files', persistentVolumeClaim: { claimName: 'data' } }],
    },
  };

  beforeEach(async () => {
    cluster = new TestCluster();
    admin = cluster.client();
    [said, asked, fault] = [[], [], undefined];
    const { clock, logger } = cluster;
    const client = cluster.client({ name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] });
    const events = {
      event: (object: EventObject, ...[type, reason, message]: EventTexts): void => {
        said.push([object.kind, type, reason, message].join(' '));
      },
    };
    expander = new NodeExpander({ client, events, clock, logger });
    await admin.create(pods, pod);
  });
  afterEach(() => cluster.stop());

  const request = (size = '2Gi', changed: Partial<ExpansionRequest['spec']> = {}): ExpansionRequest => ({
    plugin: {
      expandable: {
        requiresFsResize: () => true,
        nodeExpand: (asking) => {
          asked.push(asking);
          return fault === undefined ? Promise.resolve() : Promise.reject(fault);
        },
      },
    },
    volumeName: 'kubernetes.io/csi/driver^1',
    spec: {
      volume: { name: 'files', persistentVolumeClaim: { claimName: 'data' } },
      persistentVolume: { metadata: { name: 'pv-1' }, spec: { capacity: { storage: size }, claimRef: name } },
      pod,
      podDir: '/pods/uid-1',
      ...changed,
    },
    mode: 'Filesystem',
    devicePath: '/dev/sdx',
    deviceMountPath: '/global',
    volumePath: '/volume',
  });
  /** A claim of 1 GiB that asks for 2. */
  const claim = async (
    status: Status = {},
    changed: Partial<PersistentVolumeClaim['spec']> = {},
    annotations = {},
  ): Promise<void> => {
    await admin.create(persistentVolumeClaims, {
      metadata: { ...name, annotations },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, ...changed },
    });
    const body = { status: { capacity: { storage: '1Gi' }, ...status } };
    await admin.patch(persistentVolumeClaims, name, { type: 'merge', body }, { subresource: 'status' });
  };
  const resizing = (status: string, allocated = '2Gi'): Status => ({
    allocatedResourceStatuses: { storage: status },
    allocatedResources: { storage: allocated },
  });
  /** Without the phase, which is no matter of expansion. */
  const statusNow = async (): Promise<Status> => {
    const { phase, ...status } = (await admin.get(persistentVolumeClaims, name)).status ?? {};
    expect(phase).toBe('Pending');
    return status;
  };
  const onMount = (of = request()): Promise<Expansion> => expander.expandOnMount(of, signal);
  const inUse = (oldBytes = gi, of = request()): Promise<Expansion> => expander.expandInUse(of, oldBytes, signal);
  const messageFrom = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => messageOf(error),
    );
  const failing = (code: ErrorCode): KubeletError => new KubeletError('the driver said no', { code });
  const success = 'Normal FileSystemResizeSuccessful MountVolume.NodeExpandVolume succeeded for volume "pv-1" n1';

  it('leaves alone what needs no expansion', async () => {
    await claim({ capacity: { storage: '2Gi' } });
    const bare = request();
    expect(await onMount({ ...bare, plugin: {} })).toEqual({ status: 'done' });
    const ofController = { requiresFsResize: () => false, nodeExpand: () => Promise.reject(failing('internal')) };
    expect(await onMount({ ...bare, plugin: { expandable: ofController } })).toEqual({ status: 'done' });
    const inline = { metadata: { name: 'pv-1' }, spec: { capacity: { storage: '9Gi' } } };
    expect(await onMount(request('2Gi', { persistentVolume: inline }))).toEqual({ status: 'done' });
    expect(await onMount()).toEqual({ status: 'done' });
    expect(await inUse(2 * gi)).toEqual({ status: 'done' });
    const { clock, logger } = cluster;
    const alone = new NodeExpander({ events: { event: () => undefined }, clock, logger });
    expect(await alone.expandOnMount(request('9Gi'), signal)).toEqual({ status: 'done' });
    expect([asked, said]).toEqual([[], []]);
  });

  it('does not grow what the pod has read-only, and says so', async () => {
    await claim();
    const volume = { name: 'files', persistentVolumeClaim: { claimName: 'data', readOnly: true } };
    expect(await onMount(request('2Gi', { volume }))).toEqual({ status: 'done', bytes: 2 * gi });
    const what =
      'Warning FileSystemResizeFailed MountVolume.NodeExpandVolume failed for volume "pv-1" requested read-only file system';
    expect(said).toEqual([`Pod ${what}`, `PersistentVolumeClaim ${what}`]);
    expect(asked).toEqual([]);
  });

  it('rejects when it cannot read the claim', async () => {
    expect(await messageFrom(onMount())).toMatch(/^mountVolume\.NodeExpandVolume get PVC failed : .*"data" not found/);
    expect(await messageFrom(inUse())).toMatch(
      /^NodeExpandVolume\.NodeExpandVolume failed for volume "pv-1" : mountVolume\.NodeExpandVolume get PVC failed : /,
    );
    expect(said).toEqual([
      expect.stringMatching(/^Pod Warning VolumeResizeFailed NodeExpandVolume\.NodeExpandVolume /),
    ]);
  });

  describe('with an old resize controller', () => {
    it('grows, and writes the size into the claim', async () => {
      await claim({ conditions: [condition('FileSystemResizePending'), condition('Other')] });
      expect(await onMount()).toEqual({ status: 'done', bytes: 2 * gi });
      const { spec, volumePath, deviceMountPath } = request();
      expect(asked).toMatchObject([
        { volumePath, deviceMountPath, oldBytes: gi, newBytes: 2 * gi, spec: { pod: spec.pod } },
      ]);
      expect(said).toEqual([`Pod ${success}`, `PersistentVolumeClaim ${success}`]);
      expect(await statusNow()).toEqual({ capacity: { storage: '2Gi' }, conditions: [condition('Other')] });
    });

    it('grows on this node what another node has grown, without a write', async () => {
      await claim({ capacity: { storage: '2Gi' } });
      const { metadata } = await admin.get(persistentVolumeClaims, name);
      expect(await inUse()).toEqual({ status: 'done', bytes: 2 * gi });
      expect(asked).toMatchObject([{ oldBytes: gi, newBytes: 2 * gi }]);
      expect((await admin.get(persistentVolumeClaims, name)).metadata).toEqual(metadata);
    });

    it.each<[ErrorCode, Expansion]>([
      ['unimplemented', { status: 'done', bytes: 2 * gi }],
      ['failed-precondition', { status: 'in-use' }],
    ])('takes %s for no error', async (code, expected) => {
      await claim();
      fault = failing(code);
      expect(await onMount()).toEqual(expected);
      expect(said).toEqual([]);
      expect(await statusNow()).toEqual({ capacity: { storage: '1Gi' } });
    });

    it('rejects with other errors of the driver', async () => {
      await claim();
      fault = failing('internal');
      await expect(onMount()).rejects.toBe(fault);
    });

    it('rejects when the claim changed meanwhile; the next try succeeds', async () => {
      await claim();
      const of = request();
      const body = { metadata: { labels: { changed: 'now' } } };
      const nodeExpand = async (): Promise<void> =>
        void (await admin.patch(persistentVolumeClaims, name, { type: 'merge', body }));
      const changing = { ...of, plugin: { expandable: { requiresFsResize: () => true, nodeExpand } } };
      expect(await messageFrom(onMount(changing))).toMatch(
        /^mountVolume\.NodeExpandVolume update PVC status failed : patchPVCStatus failed to patch PVC "data": /,
      );
      expect(await onMount()).toEqual({ status: 'done', bytes: 2 * gi });
    });
  });

  describe('with a resize controller that recovers', () => {
    it.each(['NodeResizePending', 'NodeResizeInProgress'])('grows at %s to the allocated size', async (status) => {
      const others = { ...condition('Resizing') };
      await claim({ ...resizing(status, '3Gi'), conditions: [others, condition('NodeResizeError')] });
      expect(await onMount(request('4Gi'))).toEqual({ status: 'done', bytes: 3 * gi });
      expect(asked).toMatchObject([{ oldBytes: gi, newBytes: 3 * gi }]);
      expect(said).toEqual([`Pod ${success}`, `PersistentVolumeClaim ${success}`]);
      const { allocatedResourceStatuses, conditions, capacity } = await statusNow();
      expect([allocatedResourceStatuses, conditions ?? [], capacity]).toEqual([undefined, [], { storage: '3Gi' }]);
    });

    it('says that it began, and keeps the status of other resources', async () => {
      const statuses = { storage: 'NodeResizePending', other: 'ControllerResizeInProgress' };
      await claim({ ...resizing('NodeResizePending'), allocatedResourceStatuses: statuses });
      let meanwhile: Status = {};
      const of = request();
      const nodeExpand = async (): Promise<void> => {
        meanwhile = await statusNow();
      };
      await inUse(gi, { ...of, plugin: { expandable: { requiresFsResize: () => true, nodeExpand } } });
      expect(meanwhile.allocatedResourceStatuses).toEqual({ ...statuses, storage: 'NodeResizeInProgress' });
      expect((await statusNow()).allocatedResourceStatuses).toEqual({ other: 'ControllerResizeInProgress' });
    });

    it.each(['ControllerResizeInProgress', 'ControllerResizeInfeasible', 'NodeResizeInfeasible'])(
      'waits at %s',
      async (status) => {
        await claim(resizing(status));
        expect(await inUse()).toEqual({ status: 'wait' });
        expect(asked).toEqual([]);
      },
    );

    it('waits while nothing but a size is allocated', async () => {
      await claim({ allocatedResources: { storage: '2Gi' } });
      expect(await onMount()).toEqual({ status: 'wait' });
    });

    it('has nothing to do when another node or the controller did it', async () => {
      await claim({ capacity: { storage: '2Gi' }, allocatedResources: { storage: '2Gi' } });
      expect(await inUse()).toEqual({ status: 'done', bytes: 2 * gi });
      expect(asked).toEqual([]);
    });

    describe('on a claim that several nodes mount', () => {
      const shared = { accessModes: ['ReadWriteMany'] };
      const grown = { capacity: { storage: '2Gi' }, allocatedResources: { storage: '2Gi' } };

      it('grows on each node, without a write', async () => {
        await claim(grown, shared);
        expect(await inUse()).toEqual({ status: 'done', bytes: 2 * gi });
        expect(asked).toHaveLength(1);
        expect(said).toHaveLength(2);
        expect(await statusNow()).toEqual(grown);
      });

      it('does not grow when the driver needs none, or says so', async () => {
        await claim(grown, shared, { 'volume.kubernetes.io/node-expansion-not-required': 'true' });
        expect(await inUse()).toEqual({ status: 'done', bytes: 2 * gi });
        expect(asked).toEqual([]);
        const body = { metadata: { annotations: null } };
        await admin.patch(persistentVolumeClaims, name, { type: 'merge', body });
        fault = failing('unimplemented');
        expect(await inUse()).toEqual({ status: 'done', bytes: 2 * gi });
        expect(asked).toHaveLength(1);
        expect(said).toEqual([]);
      });
    });

    const errorCondition = {
      ...{ type: 'NodeResizeError', status: 'True' },
      ...{ lastTransitionTime: '2026-01-01T00:00:00Z', message: 'failed to expand pvc with the driver said no' },
    };

    it.each<[ErrorCode, string]>([
      ['internal', 'NodeResizeInProgress'],
      ['invalid-argument', 'NodeResizeInfeasible'],
      ['out-of-range', 'NodeResizeInfeasible'],
      ['not-found', 'NodeResizeInfeasible'],
    ])('writes a final error into the claim: %s', async (code, status) => {
      await claim({ ...resizing('NodeResizePending'), conditions: [condition('Resizing')] });
      fault = failing(code);
      expect(await messageFrom(inUse())).toBe(
        'NodeExpandVolume.NodeExpandVolume failed for volume "pv-1" : the driver said no',
      );
      const { allocatedResourceStatuses, conditions } = await statusNow();
      expect(allocatedResourceStatuses).toEqual({ storage: status });
      expect(conditions).toEqual(expect.arrayContaining([condition('Resizing'), errorCondition]));
      expect(said).toEqual([
        'Pod Warning VolumeResizeFailed NodeExpandVolume.NodeExpandVolume failed for volume "pv-1" : the driver said no',
      ]);
    });

    it('writes nothing about an error that is not final, nor about a kubelet that stops', async () => {
      await claim(resizing('NodeResizePending'));
      fault = uncertainProgress(failing('unavailable'));
      await expect(onMount()).rejects.toBe(fault);
      const stopping = new AbortController();
      const of = request();
      const nodeExpand = (): Promise<void> => {
        stopping.abort();
        return Promise.reject(failing('cancelled'));
      };
      const expandable = { requiresFsResize: () => true, nodeExpand };
      await expect(expander.expandOnMount({ ...of, plugin: { expandable } }, stopping.signal)).rejects.toThrow();
      expect((await statusNow()).conditions).toBeUndefined();
    });

    it('lets the controller decide anew when the claim was changed since a final error', async () => {
      await claim(resizing('NodeResizePending'), { resources: { requests: { storage: '1536Mi' } } });
      fault = failing('internal');
      await expect(onMount()).rejects.toBe(fault);
      expect((await statusNow()).allocatedResourceStatuses).toEqual({ storage: 'NodeResizeInProgress' });
      await expect(onMount()).rejects.toBe(fault);
      expect((await statusNow()).allocatedResourceStatuses).toEqual({ storage: 'NodeResizeInfeasible' });
      expect(await onMount()).toEqual({ status: 'wait' });
    });

    it('forgets final errors after a success, and with the volume', async () => {
      await claim(resizing('NodeResizePending'), { resources: { requests: { storage: '1536Mi' } } });
      fault = failing('internal');
      await expect(onMount()).rejects.toBe(fault);
      expander.forget('kubernetes.io/csi/driver^1');
      await expect(onMount()).rejects.toBe(fault);
      expect((await statusNow()).allocatedResourceStatuses).toEqual({ storage: 'NodeResizeInProgress' });
      fault = undefined;
      expect(await onMount()).toEqual({ status: 'done', bytes: 2 * gi });
      const body = { status: { ...resizing('NodeResizePending', '3Gi') } };
      await admin.patch(persistentVolumeClaims, name, { type: 'merge', body }, { subresource: 'status' });
      fault = failing('internal');
      await expect(onMount(request('3Gi'))).rejects.toBe(fault);
      expect((await statusNow()).allocatedResourceStatuses).toEqual({ storage: 'NodeResizeInProgress' });
    });

    it('does not hold up the mount of a volume that cannot grow while in use', async () => {
      await claim(resizing('NodeResizePending'));
      fault = failing('failed-precondition');
      expect(await onMount()).toEqual({ status: 'in-use' });
      const { allocatedResourceStatuses, conditions } = await statusNow();
      expect([allocatedResourceStatuses, conditions]).toEqual([{ storage: 'NodeResizeInProgress' }, [errorCondition]]);
    });

    it('does not begin when it cannot say so, and keeps the cause when it cannot write it', async () => {
      await claim(resizing('NodeResizePending'));
      const client = cluster.client({ name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] });
      const away = new KubeApiError('connection refused', { code: 'unavailable', httpStatus: 0 });
      let failures = 1;
      const { clock, logger } = cluster;
      const broken = new NodeExpander({
        client: {
          get: (...of) => client.get(...of),
          patch: (...of) => (failures-- > 0 ? Promise.reject(away) : client.patch(...of)),
        },
        events: { event: () => undefined },
        clock,
        logger,
      });
      expect(await messageFrom(broken.expandOnMount(request(), signal))).toBe(
        'patchPVCStatus failed to patch PVC "data": connection refused',
      );
      expect(asked).toEqual([]);
      fault = failing('internal');
      failures = 0;
      const failed = broken.expandOnMount(request(), signal);
      const nodeExpand = (): Promise<void> => {
        failures = 1;
        return Promise.reject(failing('internal'));
      };
      await expect(failed).rejects.toBe(fault);
      const of = { ...request(), plugin: { expandable: { requiresFsResize: () => true, nodeExpand } } };
      expect(await messageFrom(broken.expandOnMount(of, signal))).toBe('the driver said no');
      expect(logger.messages('error')).toEqual([
        'MountVolume.NodeExpandVolume failed to mark node expansion as failed',
      ]);
    });
  });
});
