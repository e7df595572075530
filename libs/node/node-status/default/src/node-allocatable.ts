import { KubeletError, messageOf } from '@podwright/errors';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isHugePageResource,
  parseQuantity,
  quantityFromUnits,
  quantityValue,
  subtractQuantities,
  type Quantity,
  type ResourceAmounts,
  type ResourceList,
} from '@podwright/kube-types';
import { parseCpuList } from '@podwright/kubelet-configuration';

export interface ReservationOptions {
  readonly systemReserved: ResourceList;
  readonly kubeReserved: ResourceList;
  /** CPU list; when set, replaces the cpu of both reservations. */
  readonly reservedSystemCpus: string;
  /** Signal -> quantity or percentage. */
  readonly evictionHard: Readonly<Record<string, string>>;
  readonly ignoreHardEviction: boolean;
}

const evictionSignals = { memory: 'memory.available', 'ephemeral-storage': 'nodefs.available' } as const;
const none: Quantity = quantityFromUnits(0);

/**
 * What pods cannot use: both reservations and the hard eviction thresholds of memory and the node's file system.
 * Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go GetNodeAllocatableReservation,
 * pkg/kubelet/cm/helpers.go hardEvictionReservation.
 */
export function nodeReservation(capacity: ResourceAmounts, options: ReservationOptions): ResourceAmounts {
  const { systemReserved, kubeReserved, reservedSystemCpus } = options;
  const reservation: Record<string, Quantity> = {};
  for (const [name, available] of Object.entries(capacity)) {
    const reserved =
      name === 'cpu' && reservedSystemCpus !== ''
        ? quantityFromUnits(parseCpuList(reservedSystemCpus).length)
        : addQuantities(parseQuantity(systemReserved[name] ?? '0'), parseQuantity(kubeReserved[name] ?? '0'));
    const sum = addQuantities(reserved, options.ignoreHardEviction ? none : evictionReserve(name, available, options));
    if (sum.nano !== 0n) reservation[name] = sum;
  }
  return reservation;
}

/**
 * Error message when the reservation exceeds the capacity; otherwise undefined. Source: kubernetes v1.36
 * pkg/kubelet/cm/node_container_manager_linux.go validateNodeAllocatable.
 */
export function reservationFault(capacity: ResourceAmounts, reservation: ResourceAmounts): string | undefined {
  const faults = Object.entries(reservation).flatMap(([name, reserved]) => {
    const available = capacity[name] ?? none;
    if (compareQuantities(reserved, available) <= 0) return [];
    const [asked, there] = [formatQuantity(reserved), formatQuantity(available)];
    return [
      `Resource ${JSON.stringify(name)} has a reservation of ${asked} but capacity of ${there}. Expected capacity >= reservation.`,
    ];
  });
  return faults.length === 0 ? undefined : `invalid Node Allocatable configuration. ${faults.join(' ')}`;
}

/**
 * What pods can use: capacity minus reservation, never negative. Memory excludes huge pages, which the kernel has set
 * aside. Source: kubernetes v1.36 pkg/kubelet/nodestatus/setters.go MachineInfo.
 */
export function nodeAllocatable(capacity: ResourceAmounts, reservation: ResourceAmounts): ResourceAmounts {
  const allocatable: Record<string, Quantity> = {};
  for (const [name, amount] of Object.entries(capacity)) {
    const reserved = reservation[name];
    allocatable[name] = reserved === undefined ? amount : atLeastZero(subtractQuantities(amount, reserved));
  }
  for (const [name, amount] of Object.entries(capacity)) {
    const { memory } = allocatable;
    if (!isHugePageResource(name) || memory === undefined) continue;
    allocatable['memory'] = atLeastZero(subtractQuantities(memory, amount));
  }
  return allocatable;
}

function evictionReserve(name: string, capacity: Quantity, { evictionHard }: ReservationOptions): Quantity {
  const signal = name === 'memory' || name === 'ephemeral-storage' ? evictionSignals[name] : undefined;
  const threshold = signal === undefined ? undefined : evictionHard[signal];
  if (threshold === undefined) return none;
  const fault = (why: string): Error =>
    new KubeletError(`evictionHard[${signal}] is refused: ${why}, found ${JSON.stringify(threshold)}`, {
      code: 'invalid-argument',
    });
  if (!threshold.endsWith('%')) {
    try {
      return parseQuantity(threshold);
    } catch (error) {
      throw fault(messageOf(error));
    }
  }
  // As Go: keeps the fraction as float32, multiplies as float64 and truncates; other precisions would differ by some
  // bytes. 0% or 100% disables the signal.
  const share = Math.fround(Math.fround(Number(threshold.slice(0, -1))) / 100);
  if (Number.isNaN(share)) throw fault('a percentage is a number before %');
  if (share <= 0 || share >= 1) return none;
  return quantityFromUnits(Math.trunc(Number(quantityValue(capacity)) * share), 'BinarySI');
}

function atLeastZero(amount: Quantity): Quantity {
  return amount.nano < 0n ? { nano: 0n, format: amount.format } : amount;
}
