import { dns1123Subdomain } from '@podwright/kube-types';
import { type Clock, formatRfc3339, type Random } from '@podwright/time';

const nanosPerMilli = 1_000_000n;

/**
 * Names events as upstream: `<object>.<hex of the nanoseconds since 1970>`, or a UUID where that is not a valid name.
 */
export class EventStamp {
  private lastNanos = 0n;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Always unique, although the clock counts only milliseconds. */
  name(objectName: string): string {
    const nanos = BigInt(Math.trunc(this.clock.now())) * nanosPerMilli;
    this.lastNanos = nanos > this.lastNanos ? nanos : this.lastNanos + 1n;
    const name = `${objectName}.${this.lastNanos.toString(16)}`;
    return dns1123Subdomain(name).length === 0 ? name : uuid(this.random);
  }

  /** The current time in Kubernetes' format, whole seconds. */
  time(): string {
    return formatRfc3339(this.clock.now());
  }
}

function uuid(random: Random): string {
  const hex = random.hex(16);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
