import { podUidLabel } from '@podwright/cri-client-interface';
import { isChange, isWhole } from '../seams/call-key.js';
import type { Asked, Begun } from './asked.js';
import { runtimeKinds, shapesState } from '../seams/runtime-kinds.js';
import { HeldTexts } from './held-texts.js';

interface HeldCall {
  /** The line up to the answer. */
  readonly head: string;
  readonly json: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The last answer of each call that only asks, and the changes of sandboxes and containers that stand: what a kubelet
 * that starts now would find.
 */
export class HeldCalls {
  private readonly calls: HeldTexts<HeldCall>;
  /** Removals that the last list may not show yet, by their id. */
  private readonly removals = new Map<string, HeldCall & { readonly endMs: number; readonly list: string }>();

  /** `isWanted`: whether a source has the pod of this UID. */
  constructor(
    mostBytes: number,
    private readonly isWanted: (podUid: string) => boolean,
  ) {
    this.calls = new HeldTexts(mostBytes);
  }

  get bytes(): number {
    return this.calls.bytes;
  }

  /** True: the answer equals the one before. */
  repeats(asked: Asked, json: string): boolean {
    return this.calls.get(nameOf(asked))?.json === json;
  }

  /** `head`: the call's line up to its answer. */
  answered(begun: Begun, endMs: number, head: string, json: string): void {
    const { seam, method, key, at } = begun;
    const name = nameOf(begun);
    const call = { head, json };
    if (seam === 'probe' || seam === 'hook') return;
    if (!isChange(method)) {
      if (isWhole(key)) {
        this.forgetRemovals(method, at);
        if (method === 'listPodSandbox') this.forgetPodsWithout(json);
      }
      this.calls.set(name, call, head.length + json.length, subjectOfQuestion(key));
      return;
    }
    if (seam === 'images') this.calls.forget(`images imageStatus ${key}`);
    const removed = runtimeKinds.find(({ remove }) => remove === method);
    if (removed !== undefined) {
      this.calls.forgetSubject(key);
      this.removals.set(key, { ...call, endMs, list: removed.list });
    } else if (shapesState(method)) {
      this.calls.set(name, call, head.length + json.length, subjectOfChange(method, key, json));
    }
  }

  /** The runtime does not know it any more. */
  gone({ seam, method, key }: Asked): void {
    if (seam !== 'runtime' || !runtimeKinds.some(({ status }) => status === method)) return;
    this.calls.forgetSubject(subjectOfQuestion(key));
  }

  lines(): readonly string[] {
    return [...this.calls.values(), ...this.removals.values()].map(
      ({ head, json }) => `${head},"snapshot":true,"answer":${json}}`,
    );
  }

  /** Nobody asks again for a pod that is neither wanted nor has a sandbox. */
  private forgetPodsWithout(sandboxes: string): void {
    for (const subject of this.calls.subjects()) {
      if (!subject.startsWith(podSubject)) continue;
      const uid = subject.slice(podSubject.length);
      if (!this.isWanted(uid) && !sandboxes.includes(uid)) this.calls.forgetSubject(subject);
    }
  }

  private forgetRemovals(method: string, listedMs: number): void {
    for (const [id, { endMs, list }] of this.removals)
      if (list === method && endMs < listedMs) this.removals.delete(id);
  }
}

const podSubject = 'pod ';

const nameOf = ({ seam, method, key }: Asked): string => `${seam} ${method} ${key}`;

/** The container, sandbox or pod that it is about. */
function subjectOfQuestion(key: string): string {
  if (!key.startsWith('{')) return '';
  const asked = JSON.parse(key) as Fields;
  const filter = (asked['filter'] ?? {}) as Fields;
  const podUid = ((filter['labelSelector'] ?? {}) as Fields)[podUidLabel];
  if (podUid !== undefined) return podSubject + String(podUid);
  return String(asked['containerId'] ?? asked['podSandboxId'] ?? filter['id'] ?? filter['podSandboxId'] ?? '');
}

function subjectOfChange(method: string, key: string, json: string): string {
  const made = runtimeKinds.find(({ make }) => make === method);
  return made === undefined ? key : String((JSON.parse(json) as Fields)[made.madeId]);
}
