import { KubeletError, type ErrorCode } from '@podwright/errors';
import type { RpcName } from '@podwright/cri-client-interface';

/** The calls that a fault affects: of one RPC, and that name a certain container, sandbox, pod or image. */
export interface FaultTarget {
  /** Default: every RPC. */
  readonly rpc?: RpcName;
  /** A container id, sandbox id, pod UID, container name or image reference. Default: any. */
  readonly subject?: string;
}

export interface Failure {
  readonly code: ErrorCode;
  /** The error's message. Default: one that names the RPC. */
  readonly message?: string;
  /** How many calls fail; `Infinity` until the fault is removed. Default 1. */
  readonly times?: number;
  /** Whether the call takes effect before it fails, as when its answer gets lost. Default false. */
  readonly done?: boolean;
}

/** Milliseconds by which to delay a call; the subjects are all names by which a fault can match it. */
export type DelayChoice = (rpc: RpcName, subjects: readonly string[]) => number;

interface Rule<T> {
  readonly target: FaultTarget;
  readonly value: T;
  left: number;
}

interface Hang {
  readonly released: Promise<void>;
}

/** Injects faults into calls. Each method returns a function that removes the fault; hung calls then continue. */
export class Faults {
  private readonly delays = new Set<Rule<number | DelayChoice>>();
  private readonly failures = new Set<Rule<Failure>>();
  private readonly hangs = new Set<Rule<Hang>>();

  /** Delays each matching call before it takes effect, by milliseconds or by the result of a function. */
  delay(target: FaultTarget, ms: number | DelayChoice): () => void {
    return add(this.delays, target, ms, Infinity);
  }

  /** Makes the next matching calls fail, after their delay and without any effect on the runtime unless `done`. */
  fail(target: FaultTarget, failure: Failure): () => void {
    return add(this.failures, target, failure, failure.times ?? 1);
  }

  /** Makes matching calls hang until the caller aborts, their deadline passes, or the fault is removed. */
  hang(target: FaultTarget, times = Infinity): () => void {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const remove = add(this.hangs, target, { released }, times);
    return () => {
      remove();
      release();
    };
  }

  /** Removes all faults; calls that hang already stay hung until their callers abort. */
  clear(): void {
    this.delays.clear();
    this.failures.clear();
    this.hangs.clear();
  }

  /** True when no call is affected. */
  get none(): boolean {
    return this.delays.size === 0 && this.failures.size === 0 && this.hangs.size === 0;
  }

  delayOf(rpc: RpcName, subjects: readonly string[]): number {
    let ms = 0;
    for (const { target, value } of this.delays) {
      if (matches(target, rpc, subjects)) ms += typeof value === 'function' ? value(rpc, subjects) : value;
    }
    return ms;
  }

  takeHang(rpc: RpcName, subjects: readonly string[]): Promise<void> | undefined {
    return take(this.hangs, rpc, subjects)?.released;
  }

  takeFailure(
    rpc: RpcName,
    subjects: readonly string[],
  ): { readonly error: KubeletError; readonly done: boolean } | undefined {
    const failure = take(this.failures, rpc, subjects);
    if (failure === undefined) return undefined;
    const { message = `${rpc} fails on demand`, code, done = false } = failure;
    return { error: new KubeletError(message, { code }), done };
  }
}

function add<T>(rules: Set<Rule<T>>, target: FaultTarget, value: T, times: number): () => void {
  const rule = { target, value, left: times };
  rules.add(rule);
  return () => void rules.delete(rule);
}

function take<T>(rules: Set<Rule<T>>, rpc: RpcName, subjects: readonly string[]): T | undefined {
  for (const rule of rules) {
    if (!matches(rule.target, rpc, subjects)) continue;
    if (--rule.left <= 0) rules.delete(rule);
    return rule.value;
  }
  return undefined;
}

function matches(target: FaultTarget, rpc: RpcName, subjects: readonly string[]): boolean {
  return (
    (target.rpc === undefined || target.rpc === rpc) &&
    (target.subject === undefined || subjects.includes(target.subject))
  );
}
