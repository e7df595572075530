import type { ExplainedOutage, ExplainedPressure, NodeExplanation, NodeSituation } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { fillIn } from '../fill-in.js';
import { amount } from '../print/amount.js';
import { span } from '../print/span.js';
import { Story } from '../story.js';
import { conditionsOf, contactsOf, evictionsOf, imageGcsOf, imageRemovalsOf, outagesOf } from './node-history.js';
import { candidatesOf, pressuresOf, share } from './node-pressures.js';
import type { NodeState } from './node-state.js';
import { nodeTexts } from './node-texts.js';

/** Less than this share of the capacity above a threshold is near. */
const near = 0.05;
/** An outage that ended longer ago is history. */
const recentMs = 600_000;
const startMs = 30_000;

/** Explains the node. `entries`: at least those about the node, in the order of their numbers. */
export function explainNode(entries: readonly JournalEntry[], state: NodeState, nowMs: number): NodeExplanation {
  const story = new Story(entries);
  const { plan, node, runtimeErrors, networkErrors, leaseRenewedAtMs } = state;
  const pressures = plan === undefined ? [] : pressuresOf(plan);
  const [nearest] = pressures;
  const seen = {
    conditions: conditionsOf(story),
    ...{ runtimeErrors, networkErrors, pressures },
    next: plan === undefined ? [] : candidatesOf(plan, nearest?.signal),
    evictions: evictionsOf(story),
    imageRemovals: imageRemovalsOf(story),
    imageGcs: imageGcsOf(story),
    outages: outagesOf(story).filter((outage) => !isOfStart(outage, story)),
    contacts: contactsOf(story, leaseRenewedAtMs),
    notes: notesOf(story, state),
  };
  const readyCondition = seen.conditions.find(({ type }) => type === 'Ready');
  const isBroken = runtimeErrors.length > 0 || networkErrors.length > 0;
  const ready = !isBroken && readyCondition?.status !== 'False';
  const [outage] = seen.outages;
  const situation = situationOf(seen, ready, outage, nowMs);
  const about = {
    message: (ready ? outage?.message : readyCondition?.message) ?? '',
    took: outage?.untilMs === undefined ? '' : span(outage.untilMs - outage.fromMs),
    signal: nearest?.signal ?? '',
    distance: nearest?.distance === undefined ? '' : amount(nearest, nearest.distance),
    next: seen.next[0] === undefined ? 'pods' : `${seen.next[0].namespace}/${seen.next[0].name}`,
  };
  const [headline, advice] = nodeTexts[situation];
  const name = node?.metadata?.name;
  return {
    ...{ apiVersion: 'explain.podwright.dev/v1alpha1', kind: 'NodeExplanation', atMs: nowMs },
    ...(name !== undefined && { node: name }),
    ...{
      ready,
      situation,
      headline: fillIn(headline, about),
      advice: seen.contacts[0]?.advice ?? fillIn(advice, about),
    },
    ...seen,
    notes: [
      ...(situation === 'was-not-ready' && isNear(nearest)
        ? [`${about.signal} is near its threshold: ${about.distance} left.`]
        : []),
      ...seen.notes,
    ],
  };
}

type Seen = Pick<
  NodeExplanation,
  'conditions' | 'runtimeErrors' | 'networkErrors' | 'pressures' | 'outages' | 'contacts' | 'imageGcs'
>;

function situationOf(seen: Seen, ready: boolean, outage: ExplainedOutage | undefined, nowMs: number): NodeSituation {
  if (seen.runtimeErrors.length > 0) return 'runtime-down';
  if (seen.networkErrors.length > 0) return 'network-not-ready';
  if (!ready) return 'not-ready';
  const met = seen.pressures.find((pressure) => pressure.met);
  const short = met === undefined ? conditionPressure(seen) : pressureOf(met);
  if (short !== undefined) return short;
  if (seen.contacts.some(({ what }) => what === 'lease')) return 'lease-failing';
  if (seen.contacts.length > 0) return 'status-failing';
  // The next pass, five minutes later, reports nothing when there is room again.
  const [gc] = seen.imageGcs;
  if (gc?.error !== undefined && gc.atMs > nowMs - recentMs) return 'image-gc-failing';
  if (outage?.untilMs !== undefined && outage.untilMs > nowMs - recentMs) return 'was-not-ready';
  return isNear(seen.pressures[0]) ? 'near-pressure' : 'ready';
}

const isNear = (nearest: ExplainedPressure | undefined): boolean =>
  nearest?.distance !== undefined && share(nearest) < near;

/** A kubelet that has just started is not Ready for a moment, which is nothing to look into. */
function isOfStart({ fromMs, untilMs }: ExplainedOutage, story: Story): boolean {
  const isShort = untilMs !== undefined && untilMs - fromMs < startMs;
  const opened = story.last('journal.opened', ({ atMs }) => atMs <= fromMs);
  if (!isShort || opened === undefined || fromMs - opened.atMs >= startMs) return false;
  const wasReady = story.first(
    'node.condition',
    ({ type, status, seq, atMs }) => type === 'Ready' && status === 'True' && seq > opened.seq && atMs < fromMs,
  );
  return wasReady === undefined;
}

function pressureOf({ resource }: ExplainedPressure): NodeSituation {
  if (resource === 'memory') return 'memory-pressure';
  return resource === 'pids' ? 'pid-pressure' : 'disk-pressure';
}

/** A condition stays for a while after the shortage. */
function conditionPressure({ conditions }: Seen): NodeSituation | undefined {
  const types = new Set(conditions.filter(({ status }) => status === 'True').map(({ type }) => type));
  if (types.has('MemoryPressure')) return 'memory-pressure';
  if (types.has('DiskPressure')) return 'disk-pressure';
  return types.has('PIDPressure') ? 'pid-pressure' : undefined;
}

function notesOf(story: Story, { planError, plan }: NodeState): readonly string[] {
  const notes: string[] = [];
  if (planError !== undefined) notes.push(`Use and thresholds cannot be read: ${planError}`);
  if (plan !== undefined && plan.reclaimed.length > 0 && plan.evicted.length > 0) {
    const what = plan.reclaimed.map(({ what: of }) => (of === 'images' ? 'unused images' : 'dead containers'));
    notes.push(`Before it evicts a pod, the kubelet removes ${what.join(' and ')}.`);
  }
  const oom = story.last('oom.killed', ({ limitCgroup }) => limitCgroup === '/');
  if (oom) notes.push(`The whole machine ran out of memory; the kernel killed ${oom.process} (process ${oom.pid}).`);
  const lost = story.last('journal.lost');
  if (lost) notes.push('The journal has lost entries, so parts of this may be missing.');
  return notes;
}
