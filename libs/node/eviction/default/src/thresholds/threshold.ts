import { quantityFromUnits, quantityValue, type Quantity } from '@podwright/kube-types';
import type { Signal } from '../signals/signal.js';

/** An amount, or a fraction of the capacity: 0.1 for `10%`, with float32 precision. */
export type ThresholdValue = { readonly quantity: Quantity } | { readonly share: number };

/**
 * The node is short when less than `value` is available. Source: kubernetes v1.36 pkg/kubelet/eviction/api/types.go
 * Threshold.
 */
export interface Threshold {
  readonly signal: Signal;
  readonly value: ThresholdValue;
  /** 0 for a hard threshold. */
  readonly gracePeriodMs: number;
  /** What must be free beyond `value` before a met threshold counts as resolved. */
  readonly minReclaim?: ThresholdValue;
}

/**
 * Computes the amount of a threshold. A fraction is multiplied as float64, truncated, and always in binary notation,
 * even for inodes: messages show it.
 */
export function thresholdQuantity(value: ThresholdValue, capacity: Quantity): Quantity {
  if ('quantity' in value) return value.quantity;
  return quantityFromUnits(Math.trunc(Number(quantityValue(capacity)) * value.share), 'BinarySI');
}

export const isHard = ({ gracePeriodMs }: Threshold): boolean => gracePeriodMs === 0;

/** Identifies a threshold across passes. */
export function thresholdKey({ signal, gracePeriodMs, value }: Threshold): string {
  return `${signal} ${gracePeriodMs} ${'quantity' in value ? `${value.quantity.nano}n` : value.share}`;
}
