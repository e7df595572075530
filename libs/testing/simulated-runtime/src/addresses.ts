import { unknown } from './runtime-errors.js';

/** Assigns pod addresses from one IPv4 range, in rotation, as CNI's host-local does. */
export class Addresses {
  private readonly used = new Set<number>();
  private readonly base: number;
  private readonly size: number;
  private next = 2;

  /** `cidr` such as `10.244.0.0/16`. */
  constructor(cidr: string) {
    const [network = '', bits = '24'] = cidr.split('/');
    this.base = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    this.size = 2 ** (32 - Number(bits));
  }

  take(): string {
    // Without network, gateway and broadcast address.
    for (let tried = 0; tried < this.size; tried++) {
      const offset = this.next;
      this.next = this.next + 1 >= this.size - 1 ? 2 : this.next + 1;
      if (this.used.has(offset)) continue;
      this.used.add(offset);
      return this.format(offset);
    }
    throw unknown('failed to setup network for sandbox: no IP addresses available in range set');
  }

  release(address: string): void {
    if (address === '') return;
    this.used.delete(address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) - this.base);
  }

  private format(offset: number): string {
    const value = this.base + offset;
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
  }
}
