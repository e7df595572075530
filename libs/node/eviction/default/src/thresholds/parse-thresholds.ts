import { KubeletError, messageOf } from '@podwright/errors';
import { compareQuantities, formatQuantity, parseQuantity } from '@podwright/kube-types';
import { parseGoDuration } from '@podwright/time';
import { isSignal, type Signal } from '../signals/signal.js';
import { isHard, type Threshold, type ThresholdValue } from './threshold.js';

/** Signal -> text, as in the KubeletConfiguration. */
export type Statements = Readonly<Record<string, string>>;

export interface ThresholdStatements {
  readonly evictionHard: Statements;
  readonly evictionSoft: Statements;
  /** Go durations. */
  readonly evictionSoftGracePeriod: Statements;
  readonly evictionMinimumReclaim: Statements;
  /** Pods have a cgroup with a memory limit, so the hard memory threshold also applies to that cgroup. */
  readonly enforcePods: boolean;
}

/** An invalid statement, in upstream's words. */
export class InvalidStatement extends KubeletError {
  constructor(
    message: string,
    /** `evictionHard[memory.available]` and the like. */
    readonly field: string,
    readonly value: string | undefined,
  ) {
    super(message, { code: 'invalid-argument' });
  }
}

/**
 * Parses all thresholds. Throws an {@link InvalidStatement}. Source: kubernetes v1.36 pkg/kubelet/eviction/helpers.go
 * ParseThresholdConfig.
 */
export function parseThresholds(statements: ThresholdStatements): readonly Threshold[] {
  const { evictionHard, evictionSoft, evictionSoftGracePeriod, evictionMinimumReclaim, enforcePods } = statements;
  const gracePeriods = new Map(
    parsed('evictionSoftGracePeriod', evictionSoftGracePeriod, (_, text) => gracePeriod(text)),
  );
  const minReclaims = new Map(parsed('evictionMinimumReclaim', evictionMinimumReclaim, minReclaim));
  const hard = parsed('evictionHard', evictionHard, (signal, text) => ({
    value: valueOf(signal, text),
    gracePeriodMs: 0,
  }));
  const soft = parsed('evictionSoft', evictionSoft, (signal, text) => {
    const gracePeriodMs = gracePeriods.get(signal);
    const value = valueOf(signal, text);
    if (gracePeriodMs === undefined && value !== undefined) {
      throw invalid(`grace period must be specified for the soft eviction threshold ${signal}`);
    }
    return { value, gracePeriodMs: gracePeriodMs ?? 0 };
  });
  const thresholds = [...hard, ...soft].flatMap(([signal, { value, gracePeriodMs }]): Threshold[] => {
    const reclaim = minReclaims.get(signal);
    if (value === undefined) return [];
    return [{ signal, value, gracePeriodMs, ...(reclaim !== undefined && { minReclaim: reclaim }) }];
  });
  if (!enforcePods) return thresholds;
  const ofPods = thresholds.filter((threshold) => threshold.signal === 'memory.available' && isHard(threshold));
  return [
    ...thresholds,
    ...ofPods.map((threshold) => ({ ...threshold, signal: 'allocatableMemory.available' as const })),
  ];
}

/** Parses an amount or a percentage; undefined for 0% or 100%, which disables the signal. */
function valueOf(signal: Signal, text: string): ThresholdValue | undefined {
  if (text.endsWith('%')) {
    if (text === '0%' || text === '100%') return undefined;
    const share = shareOf(text);
    if (share < 0) throw invalid(`eviction percentage threshold ${signal} must be >= 0%: ${text}`);
    if (!(share <= 1)) throw invalid(`eviction percentage threshold ${signal} must be <= 100%: ${text}`);
    return { share };
  }
  const quantity = parseQuantity(text);
  if (quantity.nano <= 0n) throw invalid(`eviction threshold ${signal} must be positive: ${formatQuantity(quantity)}`);
  return { quantity };
}

function minReclaim(signal: Signal, text: string): ThresholdValue {
  if (text.endsWith('%')) {
    const share = shareOf(text);
    if (!(share > 0)) throw invalid(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`);
    return { share };
  }
  const quantity = parseQuantity(text);
  if (compareQuantities(quantity, '0') < 0) throw invalid(`negative eviction minimum reclaim specified for ${signal}`);
  return { quantity };
}

function gracePeriod(text: string): number {
  const periodMs = parseGoDuration(text);
  if (periodMs < 0) throw invalid(`invalid eviction grace period specified: ${text}, must be a positive value`);
  return periodMs;
}

const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Parses with float32 precision, as Go: other precisions would differ by some bytes on a large disk. */
function shareOf(text: string): number {
  const number = text.replace(/%+$/, '');
  const share = decimalNumber.test(number) ? Math.fround(Math.fround(Number(number)) / 100) : Number.NaN;
  if (!Number.isFinite(share)) throw invalid(`strconv.ParseFloat: parsing ${JSON.stringify(number)}: invalid syntax`);
  return share;
}

/** Parses each statement of a field; an error names the statement. */
function parsed<T>(
  field: keyof ThresholdStatements,
  statements: Statements,
  parse: (signal: Signal, text: string) => T,
): readonly (readonly [Signal, T])[] {
  return Object.entries(statements).map(([signal, text]) => {
    try {
      if (!isSignal(signal)) throw invalid(`unsupported eviction signal ${signal}`);
      return [signal, parse(signal, text)] as const;
    } catch (error) {
      throw new InvalidStatement(messageOf(error), `${field}[${signal}]`, text);
    }
  });
}

// `parsed` makes an error of it that names the statement.
function invalid(message: string): Error {
  return new Error(message);
}
