import { PodSandboxState } from '@podwright/cri-client-interface';
import { withDeadline } from '@podwright/concurrency';
import { messageOf } from '@podwright/errors';
import type { Explainer, NodeExplanation, PodExplanation } from '@podwright/explain-interface';
import {
  journalPod,
  type DecisionKind,
  type JournalEntry,
  type JournalFilter,
  type JournalPod,
} from '@podwright/journal-interface';
import { isStaticPod, podUid, type Node, type Pod } from '@podwright/kube-types';
import type { ExplainNeeds } from './explain-needs.js';
import { explainNode } from './node/explain-node.js';
import type { NodeState } from './node/node-state.js';
import { imageReasons } from './pod/container-findings.js';
import { explainPod } from './pod/explain-pod.js';
import { explainUnknownPod } from './pod/explain-unknown-pod.js';
import { nowhere, type PodState } from './pod/pod-state.js';
import { currentManifests, notesOnName } from './pod/same-name.js';

const dayMs = 86_400_000;
const dryRunTimeoutMs = 5_000;

const nodeKinds = [
  ...([
    'eviction',
    'node.condition',
    'node.status.failed',
    'node.status.accepted',
    'lease.failed',
    'lease.renewed',
    'oom.killed',
  ] as const),
  ...(['image.gc', 'image.removed', 'journal.lost', 'journal.opened'] as const),
];
/** About the node, for the explanation of a pod. */
const kindsBeside = [
  'sync.paused',
  'sync.resumed',
  'journal.lost',
  'journal.opened',
  'manifest.refused',
  'manifest.settled',
] as const;
/** Who removed the image that a pod lacks. */
const kindsOfImages = ['image.gc', 'image.removed'] as const;
/** Enough of a pod that is gone to find its UID. */
const kindsOfArrival = ['pod.received', 'pod.refused', 'pod.ignored', 'pod.ended'] as const;

/** {@link Explainer} that reads the journal and the managers' present state; both may lack what the other has. */
export class JournalExplainer implements Explainer {
  constructor(private readonly deps: ExplainNeeds) {}

  async explainPod(
    namespace: string,
    name: string,
    options: { readonly uid?: string; readonly fromMemory?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<PodExplanation> {
    const { uid, fromMemory = false, signal } = options;
    signal?.throwIfAborted();
    const { clock, pods } = this.deps;
    const all = pods.getPods();
    const pod = all.find(
      (each) =>
        each.metadata.namespace === namespace &&
        each.metadata.name === name &&
        (uid === undefined || podUid(each) === uid),
    );
    const beside = this.recent({ kinds: kindsBeside });
    const manifests = currentManifests(beside);
    const found = pod === undefined ? await this.findGone(namespace, name, options) : journalPod(pod);
    if (found === undefined) {
      const about = { ...this.facts(), hasJournal: this.deps.journal !== undefined, nowMs: clock.now() };
      return explainUnknownPod(namespace, name, this.knownNames(all), manifests, about);
    }
    const own = await this.entriesOf(found.uid, fromMemory, signal);
    const state = pod === undefined ? this.stateOfGone(found.uid) : this.stateOf(pod);
    const images = lacksImage(state) ? await this.entries({ kinds: kindsOfImages }, fromMemory, signal) : [];
    const entries = [...own, ...beside, ...images].sort((a, b) => a.seq - b.seq);
    const explanation = explainPod(found, entries, state, clock.now());
    const others = this.recent({ kinds: ['pod.ignored'] });
    return { ...explanation, notes: [...explanation.notes, ...notesOnName(found, others, manifests)] };
  }

  async explainNode(
    signal?: AbortSignal,
    { fromMemory = false }: { readonly fromMemory?: boolean } = {},
  ): Promise<NodeExplanation> {
    signal?.throwIfAborted();
    const { clock, evictions, lease, runtimeState } = this.deps;
    const filter = { kinds: nodeKinds, sinceMs: clock.now() - dayMs };
    const entries = await this.entries(filter, fromMemory, signal);
    const node = this.currentNode();
    const renewedAtMs = lease?.lastRenewedAtMs();
    // It measures disks, for which it asks the runtime; one that hangs must not keep the rest from being explained.
    const plan = await (evictions &&
      withDeadline(clock, dryRunTimeoutMs, (either) => evictions.dryRun(either), signal).catch((error: unknown) => ({
        planError: messageOf(error),
      })));
    signal?.throwIfAborted();
    const state: NodeState = {
      ...(node && { node }),
      runtimeErrors: runtimeState.runtimeErrors(),
      networkErrors: runtimeState.networkErrors(),
      ...(plan !== undefined && ('planError' in plan ? plan : { plan })),
      ...(renewedAtMs !== undefined && { leaseRenewedAtMs: renewedAtMs }),
    };
    return explainNode(entries, state, clock.now());
  }

  private recent<K extends DecisionKind>(filter: JournalFilter<K>): readonly JournalEntry<K>[] {
    return this.deps.journal?.recent(filter) ?? [];
  }

  private async stored<K extends DecisionKind>(
    filter: JournalFilter<K>,
    signal: AbortSignal | undefined,
  ): Promise<readonly JournalEntry<K>[]> {
    const entries: JournalEntry<K>[] = [];
    for await (const entry of this.deps.journal?.stored(filter, signal) ?? []) entries.push(entry);
    return entries;
  }

  private async entries<K extends DecisionKind>(
    filter: JournalFilter<K>,
    fromMemory: boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly JournalEntry<K>[]> {
    return fromMemory ? this.recent(filter) : this.stored(filter, signal);
  }

  /** From memory when the pod's arrival is still there, else with what is on disk. */
  private async entriesOf(
    uid: string,
    fromMemory: boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly JournalEntry[]> {
    const recent = this.recent({ podUid: uid });
    if (fromMemory) return recent;
    const isWhole = recent.some((entry) => entry.kind === 'pod.received' && entry.operation === 'add');
    return isWhole ? recent : this.stored({ podUid: uid }, signal);
  }

  private async findGone(
    namespace: string,
    name: string,
    options: { readonly uid?: string; readonly fromMemory?: boolean; readonly signal?: AbortSignal },
  ): Promise<JournalPod | undefined> {
    const { uid, fromMemory = false, signal } = options;
    const isIt = (entry: JournalEntry): boolean => {
      const pod = podOf(entry);
      return pod?.namespace === namespace && pod.name === name && (uid === undefined || pod.uid === uid);
    };
    const stored = (): Promise<readonly JournalEntry[]> => this.stored({ kinds: kindsOfArrival }, signal);
    const last = this.recent({}).findLast(isIt) ?? (fromMemory ? undefined : (await stored()).findLast(isIt));
    return last && podOf(last);
  }

  private knownNames(pods: readonly Pod[]): readonly string[] {
    const gone = this.recent({}).map(podOf);
    return [...pods.map(journalPod), ...gone].flatMap((pod) =>
      pod === undefined ? [] : [`${pod.namespace}/${pod.name}`],
    );
  }

  private stateOf(pod: Pod): PodState {
    const { pods, statuses, volumes } = this.deps;
    const uid = podUid(pod);
    const own = statuses.getPodStatus(uid);
    const status = own ?? pod.status;
    const ending = this.stateOfGone(uid);
    const shown = isStaticPod(pod) ? pods.getMirrorPodOf(pod)?.status : pod.status;
    return {
      ...ending,
      pod,
      ...(status && { status }),
      ...(shown && { shownStatus: shown }),
      work: ending.work === 'none' && own !== undefined && own.phase !== 'Failed' ? 'sync' : ending.work,
      mounted: volumes.getMountedVolumes(uid).map(({ name }) => name),
      ...this.runtimeStatus(uid),
    };
  }

  /** A pod that its source has removed may still be ending. */
  private stateOfGone(uid: string): PodState {
    const { lifecycle, runtimeState } = this.deps;
    return {
      ...nowhere,
      work: lifecycle.isFinished(uid)
        ? 'finished'
        : lifecycle.isKnownTerminated(uid)
          ? 'stopped'
          : lifecycle.isTerminationRequested(uid)
            ? 'ending'
            : 'none',
      runtimeErrors: runtimeState.runtimeErrors(),
      networkErrors: runtimeState.networkErrors(),
      ...this.facts(),
    };
  }

  private facts(): Pick<PodState, 'hasApiServer' | 'hasLocalApi'> {
    const { apiServer, localObjects } = this.deps;
    return { hasApiServer: apiServer !== undefined, hasLocalApi: localObjects !== undefined };
  }

  // The cache throws the error of the last inspection, which the journal has in the pod's sync.
  private runtimeStatus(uid: string): Pick<PodState, 'sandboxReady' | 'podIps'> {
    try {
      const { ips, sandboxes } = this.deps.cache.get(uid);
      return { podIps: ips, sandboxReady: sandboxes[0]?.state === PodSandboxState.SANDBOX_READY };
    } catch {
      return { podIps: [], sandboxReady: false };
    }
  }

  // Throws while nothing is known about the node.
  private currentNode(): Node | undefined {
    try {
      return this.deps.node.getNode();
    } catch {
      return undefined;
    }
  }
}

function lacksImage({ status }: PodState): boolean {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return containers.some(({ state }) => imageReasons.test(state?.waiting?.reason ?? ''));
}

function podOf(entry: JournalEntry): JournalPod | undefined {
  return 'pod' in entry ? entry.pod : undefined;
}
