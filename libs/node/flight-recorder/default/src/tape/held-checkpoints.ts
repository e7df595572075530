import { HeldTexts } from './held-texts.js';
import { toPlainJson } from './plain-json.js';

interface HeldPart {
  /** The line up to the value. */
  readonly head: (atMs: number) => string;
  readonly json: string;
}

/** The parts of pods' checkpoints as the kubelet has written them last. */
export class HeldCheckpoints {
  private readonly parts: HeldTexts<HeldPart>;

  constructor(mostBytes: number) {
    this.parts = new HeldTexts(mostBytes);
  }

  get bytes(): number {
    return this.parts.bytes;
  }

  has(podUid: string, part: string): boolean {
    return this.parts.get(nameOf(podUid, part)) !== undefined;
  }

  /** Undefined: there is none. */
  set(podUid: string, part: string, value: unknown): void {
    if (value === undefined) {
      this.parts.forget(nameOf(podUid, part));
      return;
    }
    const json = toPlainJson(value);
    const head = (at: number): string => JSON.stringify({ t: 'checkpoint', at, podUid, part, snapshot: true });
    this.parts.set(nameOf(podUid, part), { head, json }, json.length, podUid);
  }

  remove(podUid: string): void {
    this.parts.forgetSubject(podUid);
  }

  lines(nowMs: number): readonly string[] {
    return this.parts.values().map(({ head, json }) => `${head(nowMs).slice(0, -1)},"value":${json}}`);
  }
}

const nameOf = (podUid: string, part: string): string => `${podUid} ${part}`;
