import { quantityFromUnits, quantityValue, type Quantity } from '@podwright/kube-types';
import type { Signal } from '../signals/signal.js';

/** An amount, or a share of the capacity: 0.1 for `10%`, in the precision of a float32. */
export type ThresholdValue = { readonly quantity: Quantity } | { readonly share: number };

/** The node is short when less than `value` is available. Source: kubernetes v1.36 pkg/kubelet/eviction/api/types.go Threshold. */
export interface Threshold {
  readonly signal: Signal;
  readonly value: ThresholdValue;
  /** 0: hard, wherever it was configured. */
  readonly gracePeriodMs: number;
  /** What must be free beyond `value` before a met threshold counts as resolved. */
  readonly minReclaim?: ThresholdValue;
}

/** A share is multiplied as float64 and cut off, and always in binary notation, of inodes too: messages show it. */
export function thresholdQuantity(value: ThresholdValue, capacity: Quantity): Quantity {
  if ('quantity' in value) return value.quantity;
  return quantityFromUnits(Math.trunc(Number(quantityValue(capacity)) * value.share), 'BinarySI');
}

export const isHard = ({ gracePeriodMs }: Threshold): boolean => gracePeriodMs === 0;

/** Identity of a threshold over passes. */
export function thresholdKey({ signal, gracePeriodMs, value }: Threshold): string {
  return `${signal} ${gracePeriodMs} ${'quantity' in value ? `${value.quantity.nano}n` : value.share}`;
}
