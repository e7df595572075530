import { readdir, readFile, rm } from 'node:fs/promises';
import { release as kernelRelease } from 'node:os';
import { join } from 'node:path';
import { CLOCK, LOGGER, needs, pick, type Needs } from '@podwright/assembly-interface';
import { writeFileAtomically } from '@podwright/checkpoint';
import { Mutex } from '@podwright/concurrency';
import { RUNTIME_STATE } from '@podwright/container-runtime-interface';
import { NamespaceMode } from '@podwright/cri-client-interface';
import type { DeepPartial, UserNamespace } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import type { RunProgram } from '@podwright/program';
import type { UserNamespaces } from '@podwright/user-namespace-interface';
import type { FileUserNamespacesConfig } from './file-user-namespaces-config.js';
import { hostIdRange } from './host-id-range.js';
import { hostPrograms } from './host-program.js';
import type { IdRange } from './id-range.js';
import { checkIdRange } from './id-range.js';
import { IdSlots } from './id-slots.js';
import { decodeMapping, encodeMapping, mappingFile } from './mapping-file.js';

/** The first kernel with id-mapped mounts for all file systems that pods use. */
const leastKernel = [6, 3] as const;

export const userNamespacesNeeds = needs({
  clock: CLOCK,
  runtimeState: pick(RUNTIME_STATE, 'handlers'),
  logger: LOGGER,
});
export type UserNamespacesNeeds = Needs<typeof userNamespacesNeeds>;

/** {@link UserNamespaces} with one file per pod in the pod's own directory, as upstream. */
export class FileUserNamespaces implements UserNamespaces {
  // One mutex is enough: releases come once per pod, and few pods use a user namespace.
  private readonly mutex = new Mutex();
  private readonly podsDir: string;
  private slots: IdSlots | undefined;

  constructor(
    private readonly deps: UserNamespacesNeeds,
    private readonly config: FileUserNamespacesConfig,
    /** Runs `getent` and `getsubids`. */
    private readonly run?: RunProgram,
  ) {
    this.podsDir = join(config.rootDir, 'pods');
  }

  async start(): Promise<void> {
    try {
      this.slots = await this.readSlots();
    } catch (error) {
      const message = `create user namespace manager: ${messageOf(error)}`;
      throw new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
    }
  }

  async stop(): Promise<void> {}

  async getOrCreate(pod: Pod, runtimeHandler: string): Promise<DeepPartial<UserNamespace>> {
    if (pod.spec.hostUsers !== false) return { mode: NamespaceMode.NODE };
    this.requireSupport(runtimeHandler);
    const { firstId, length } = await this.mutex.run(() => this.rangeOf(podUid(pod)));
    const ids = [{ hostId: firstId, containerId: 0, length }];
    return { mode: NamespaceMode.POD, uids: ids, gids: ids };
  }

  release(uid: string): Promise<void> {
    return this.mutex.run(() => this.releaseOne(uid));
  }

  releaseOrphans(podUids: ReadonlySet<string>): Promise<void> {
    return this.mutex.run(async () => {
      const { slots } = this;
      if (slots === undefined || slots.podUids().length === 0) return;
      const onDisk = new Set(await this.podsOnDisk());
      for (const uid of slots.podUids()) {
        if (podUids.has(uid) && onDisk.has(uid)) continue;
        this.deps.logger.debug(5, 'Clean up orphaned pod user namespace possible allocation', { podUid: uid });
        await this.releaseOne(uid);
      }
    });
  }

  private async readSlots(): Promise<IdSlots> {
    const { idsPerPod, maxPods } = this.config;
    this.warnOfOldKernel();
    const host = await hostIdRange(hostPrograms(this.run, this.deps.clock), idsPerPod, this.deps.logger).catch(
      (error: unknown) => {
        throw new KubeletError(`kubelet mappings: ${messageOf(error)}`, { code: KubeletError.from(error).code });
      },
    );
    checkIdRange(host, idsPerPod, maxPods);
    const slots = new IdSlots(host, idsPerPod);
    for (const uid of await this.podsOnDisk()) {
      try {
        const range = await this.readRange(uid);
        if (range !== undefined) slots.record(uid, range);
      } catch (error) {
        const message = `record pod mappings for existing pod ${JSON.stringify(uid)}: ${messageOf(error)}`;
        throw new KubeletError(message, { code: KubeletError.from(error).code, cause: error });
      }
    }
    return slots;
  }

  /** The texts are upstream's; they appear in the pod's events. */
  private requireSupport(handler: string): void {
    const handlers = this.deps.runtimeState.handlers();
    const found = handlers.find(({ name }) => name === handler);
    if (found?.features?.userNamespaces === true) return;
    const subject = handler === '' ? 'runtime does' : `RuntimeClass handler ${JSON.stringify(handler)} does`;
    // A runtime too old to know the question lists none: then nothing is said about this one.
    const unknown = found === undefined && handlers.length > 0;
    const reason = unknown ? `: the handler ${JSON.stringify(handler)} is not known` : '';
    throw new KubeletError(`can't set \`spec.hostUsers: false\`, ${subject} not support user namespaces${reason}`, {
      code: 'failed-precondition',
    });
  }

  private async rangeOf(uid: string): Promise<IdRange> {
    const { slots } = this;
    if (slots === undefined) throw new KubeletError('user namespaces are not started', { code: 'unavailable' });
    const known = await this.readRange(uid).catch(wrapped('user namespace'));
    if (known !== undefined) {
      this.recordKnown(slots, uid, known);
      return known;
    }
    const isNew = !slots.podUids().includes(uid);
    try {
      const range = slots.take(uid);
      // Written before the runtime uses the range: after a crash, the kubelet must know ranges in use.
      await writeFileAtomically(join(this.podsDir, uid, mappingFile), encodeMapping(range));
      return range;
    } catch (error) {
      if (isNew) slots.free(uid);
      return wrapped('create user namespace')(error);
    }
  }

  private recordKnown(slots: IdSlots, uid: string, range: IdRange): void {
    try {
      slots.record(uid, range);
    } catch (error) {
      wrapped('user namespace')(error);
    }
  }

  private async releaseOne(uid: string): Promise<void> {
    if (this.slots?.free(uid) !== true) return;
    this.deps.logger.debug(5, 'releasing pod user namespace allocation', { podUid: uid });
    await rm(join(this.podsDir, uid, mappingFile), { force: true }).catch((error: unknown) => {
      // The pod's directory is removed next, and the file with it; a restart before that would only see the range as
      // taken.
      this.deps.logger.warn('The file of a released user namespace could not be removed', { podUid: uid, error });
    });
  }

  /** Undefined when the pod has no file, or an empty one. */
  private async readRange(uid: string): Promise<IdRange | undefined> {
    const content = await readFile(join(this.podsDir, uid, mappingFile), 'utf8').catch(unlessMissing);
    return content === undefined || content === '' ? undefined : decodeMapping(content);
  }

  private async podsOnDisk(): Promise<readonly string[]> {
    const entries = (await readdir(this.podsDir, { withFileTypes: true }).catch(unlessMissing)) ?? [];
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  private warnOfOldKernel(): void {
    const [major = 0, minor = 0] = kernelRelease().split('.').map(Number);
    if (major > leastKernel[0] || (major === leastKernel[0] && minor >= leastKernel[1])) return;
    this.deps.logger.info(
      'WARNING: the kernel version is incompatible with the feature gate, which needs as a minimum kernel version',
      { kernelVersion: kernelRelease(), feature: 'UserNamespacesSupport', minKernelVersion: leastKernel.join('.') },
    );
  }
}

function wrapped(what: string): (error: unknown) => never {
  return (error) => {
    throw new KubeletError(`${what}: ${messageOf(error)}`, { code: KubeletError.from(error).code, cause: error });
  };
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
