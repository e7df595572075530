import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeviceOpen } from '@podwright/block-device';
import type { LoopDevices } from '@podwright/block-device';
import { abortable } from '@podwright/concurrency';
import { errnoWords, isMissing, KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import { removeOneFileSystem } from '@podwright/filesystem';
import type { MountTools } from '@podwright/filesystem';
import { podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import { uncertainProgress } from '@podwright/volume-interface';
import type { BlockVolumeMapper } from '@podwright/volume-interface';
import { within } from '../within.js';
import { bindDevice, devicesIn, linkDevice, unbindDevice, unlinkDevice } from './device-files.js';

export interface BlockMapping {
  readonly mapper: BlockVolumeMapper;
  /** Name of the volume on disk and in messages. */
  readonly specName: string;
  /** Such as `kubernetes.io/csi`. */
  readonly pluginName: string;
  readonly podUid: string;
  /** `<root>/pods/<uid>`. */
  readonly podDir: string;
}

export interface MapRequest extends Omit<BlockMapping, 'podUid'> {
  readonly pod: Pod;
  /** From attaching; empty without. */
  readonly devicePath: string;
  /** Called with the final path of the device before anything is mapped, so that the caller records it first. */
  readonly onDevice: (devicePath: string) => void;
}

export interface BlockMappingsDeps {
  readonly mounts: MountTools;
  readonly loops: Pick<LoopDevices, 'find' | 'attach' | 'detach'>;
  readonly events: EventRecorder;
}

/**
 * Maps block devices into pods and out of them. Rejections have upstream's whole words, such as `MapVolume.MapPodDevice
 * failed for volume "pv-1" : ...`, and what {@link volumeFailure} says about them. Each step may be repeated, also
 * after a crash in its middle. Source: kubernetes v1.36 pkg/volume/util/operationexecutor/operation_generator.go and
 * pkg/volume/util/util.go MapBlockVolume, UnmapBlockVolume.
 */
export class BlockMappings {
  constructor(private readonly deps: BlockMappingsDeps) {}

  /** Once per node, before the first `map`. Resolves with the staging path, empty without one. */
  async setUpDevice(
    { mapper, specName }: Pick<BlockMapping, 'mapper' | 'specName'>,
    signal: AbortSignal,
  ): Promise<string> {
    const setUp = async (): Promise<string> => (await mapper.setUpDevice?.(signal)) ?? '';
    return atStep('MapVolume.SetUpDevice failed', specName, setUp);
  }

  /**
   * Maps the device for one pod and records two events `SuccessfulMountVolume`. The device gets three names: a bind
   * mount `<global map path>/<pod UID>`, a link `<pod dir>/volumeDevices/<plugin>/<spec name>`, and a loop device that
   * keeps it open, so that no other device gets its place. Once the plugin has mapped the device, failures are
   * uncertain: the volume must be unmapped.
   */
  async map(
    request: MapRequest,
    signal: AbortSignal,
  ): Promise<{ readonly devicePath: string; readonly podLink: string }> {
    const { mapper, specName, pod } = request;
    const ofPlugin = await this.publish(request, signal);
    try {
      const devicePath = await this.resolve(ofPlugin || request.devicePath, specName);
      request.onDevice(devicePath);
      const mapping = { ...request, podUid: podUid(pod) };
      await atStep('MapVolume.MapBlockVolume failed', specName, () => this.mapCommon(mapping, devicePath, signal));
      const { folder, name } = podLinkOf(mapping);
      this.tell(request, `globalMapPath ${JSON.stringify(mapper.globalMapPath)}`);
      this.tell(request, `volumeMapPath ${JSON.stringify(folder)}`);
      return { devicePath, podLink: join(folder, name) };
    } catch (error) {
      throw uncertainProgress(error);
    }
  }

  /** The plugin's part of `map`, also for a device that is mapped. Resolves with the plugin's path of the device. */
  async publish(
    { mapper, specName }: Pick<BlockMapping, 'mapper' | 'specName'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    return atStep('MapVolume.MapPodDevice failed', specName, async () => mapper.mapPodDevice?.(signal));
  }

  /**
   * Undoes `map`, also where that ended early. The pod's link goes last, unlike upstream: after a crash it is what the
   * volume is found by, and the plugin must still unmap it.
   */
  async unmap(mapping: BlockMapping, signal: AbortSignal): Promise<void> {
    const { mapper, specName } = mapping;
    const what = 'UnmapVolume.UnmapBlockVolume failed';
    await atStep(what, specName, () => this.unmapDevice(mapping, signal));
    await atStep('UnmapVolume.UnmapPodDevice failed', specName, async () => mapper.unmapPodDevice?.(signal));
    await atStep(what, specName, () => removePodLink(mapping));
  }

  /**
   * Once per node, after the last `unmap`: undoes `setUpDevice`, removes the global map path and checks that nothing
   * else uses the device. Rejects before it changes anything when a pod still has the device.
   */
  async tearDownDevice(
    request: Pick<BlockMapping, 'mapper' | 'specName'> & { readonly devicePath: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { mapper, specName, devicePath } = request;
    const { globalMapPath } = mapper;
    const references = await atStep('UnmapDevice.GetDeviceBindMountRefs check failed', specName, () =>
      this.references(globalMapPath),
    );
    if (references.length > 0) {
      const list = `[${references.join(' ')}]`;
      const reason = `the device ${JSON.stringify(globalMapPath)} is still referenced from other Pods ${list}`;
      throw failed('UnmapDevice failed', specName, new KubeletError(reason, { code: 'failed-precondition' }));
    }
    await atStep('UnmapDevice.TearDownDevice failed', specName, async () =>
      mapper.tearDownDevice?.(devicePath, signal),
    );
    await atStep('UnmapDevice.RemoveMapPath failed', specName, () => removeOneFileSystem(globalMapPath));
    const isOpen = await atStep('DeviceOpened failed', specName, () => abortable(isDeviceOpen(devicePath), signal));
    if (!isOpen) return;
    const reason = 'the device is in use when it was no longer expected to be in use';
    throw failed('UnmapDevice failed', specName, new KubeletError(reason, { code: 'failed-precondition' }));
  }

  /** Bind mounts of the device for pods. */
  references(globalMapPath: string): Promise<readonly string[]> {
    return devicesIn(globalMapPath);
  }

  private async resolve(devicePath: string, specName: string): Promise<string> {
    if (devicePath === '') {
      const reason = 'device path of the volume is empty';
      throw failed('MapVolume failed', specName, new KubeletError(reason, { code: 'failed-precondition' }));
    }
    return atStep('MapVolume.EvalHostSymlinks failed', specName, () => realDevice(devicePath));
  }

  private async mapCommon(mapping: BlockMapping, device: string, signal: AbortSignal): Promise<void> {
    const { mounts, loops } = this.deps;
    const bind = bindOf(mapping);
    const link = podLinkOf(mapping);
    const mapDevice = (places: string, isBind: boolean): string =>
      `blkUtil.MapDevice failed. devicePath: ${device}, ${places}, bindMount: ${isBind}`;
    await within(mapDevice(`globalMapPath:${bind.folder}, podUID: ${bind.name}`, true), () =>
      bindDevice(device, bind, mounts, signal),
    );
    await within(mapDevice(`podVolumeMapPath:${link.folder}, volumeMapName: ${link.name}`, false), () =>
      linkDevice(device, link),
    );
    await within(`blkUtil.AttachFileDevice failed. globalMapPath:${bind.folder}, podUID: ${bind.name}`, () =>
      loops.attach(join(bind.folder, bind.name), signal),
    );
  }

  private async unmapDevice(mapping: BlockMapping, signal: AbortSignal): Promise<void> {
    const { mounts, loops } = this.deps;
    const bind = bindOf(mapping);
    const places = `globalUnmapPath:${bind.folder}, podUID: ${bind.name}`;
    await within(detachFailed(places), async () => {
      const loop = await loops.find(join(bind.folder, bind.name));
      if (loop !== undefined) await loops.detach(loop, signal);
    });
    await within(detachFailed(`${places}, bindMount: true`), () => unbindDevice(bind, mounts, signal));
  }

  private tell({ pod, specName }: MapRequest, where: string): void {
    const message = `MapVolume.MapPodDevice succeeded for volume ${JSON.stringify(specName)} ${where}`;
    this.deps.events.event({ kind: 'Pod', pod }, 'Normal', 'SuccessfulMountVolume', message);
  }
}

function bindOf({ mapper, podUid }: BlockMapping): { folder: string; name: string } {
  return { folder: mapper.globalMapPath, name: podUid };
}

/** The link is what containers get; its folder is upstream's volumeMapPath. */
function podLinkOf({ podDir, pluginName, specName }: Omit<BlockMapping, 'podUid'>): { folder: string; name: string } {
  return { folder: join(podDir, 'volumeDevices', pluginName.replaceAll('/', '~')), name: specName };
}

async function removePodLink(mapping: BlockMapping): Promise<void> {
  const link = podLinkOf(mapping);
  const places = `podDeviceUnmapPath:${link.folder}, volumeMapName: ${link.name}, bindMount: false`;
  await within(detachFailed(places), () => unlinkDevice(link));
}

// Upstream has the same first words for all parts of unmapping.
const detachFailed = (places: string): string => `blkUtil.DetachFileDevice failed. ${places}`;

/** Follows links; fails in the words of Go's filepath.EvalSymlinks, which an event of the pod carries. */
async function realDevice(path: string): Promise<string> {
  return realpath(path).catch(async (cause: unknown) => {
    const { code } = KubeletError.from(cause);
    const isBelowFile = (cause as NodeJS.ErrnoException).code === 'ENOTDIR';
    const where = isBelowFile ? '' : `lstat ${await firstMissing(path)}: `;
    throw new KubeletError(`${where}${errnoWords(cause)}`, { code, cause });
  });
}

async function firstMissing(path: string): Promise<string> {
  const isThere = await lstat(dirname(path)).catch((error: unknown) => !isMissing(error));
  return isThere ? path : firstMissing(dirname(path));
}

async function atStep<T>(what: string, specName: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw failed(what, specName, error);
  }
}

function failed(what: string, specName: string, error: unknown): KubeletError {
  const { code, message } = KubeletError.from(error);
  return new KubeletError(`${what} for volume ${JSON.stringify(specName)} : ${message}`, { code, cause: error });
}
