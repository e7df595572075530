import { describe, expect, it } from '@podwright/contract';
import type { CertificateManager, CertificatePair } from '../certificate-manager.js';

/** One fresh manager, not started, without a certificate. */
export interface CertificateManagerHarness {
  readonly manager: CertificateManager;
  /** After the start: makes a certificate available, the first or the next, and waits until the manager must use it. */
  readonly provide: () => Promise<void>;
  /** The manager makes its first certificate itself once it has started. Default: it does not. */
  readonly makes?: boolean;
  /** Timers left; 0 after a clean stop. */
  readonly pendingTimers: () => number;
}

/** Every implementation of {@link CertificateManager} passes this suite; `create` gives a new instance per case. */
export function describeCertificateManagerContract(
  name: string,
  create: () => Promise<CertificateManagerHarness>,
): void {
  describe(`${name} as a CertificateManager`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { manager } = await create();
      expect(manager.current()).toBeUndefined();
      await manager.stop();
      await Promise.all([manager.stop(), manager.stop()]);
      expect(() => manager.healthy()).not.toThrow();
    });

    it('has no certificate before there is one', async () => {
      const { manager } = await create();
      expect(manager.current()).toBeUndefined();
      expect(manager.healthy().ok).toBe(false);
      await manager.stop();
    });

    it('keeps those who wait for it only while it is being made', async () => {
      const { manager, makes = false } = await create();
      await manager.made?.();
      await manager.start();
      await Promise.all([manager.made?.(), manager.made?.()]);
      expect(manager.current() !== undefined).toBe(makes);
      await manager.stop();
      await manager.made?.();
    });

    it('gives the certificate with its key and times, and tells its listeners once', async () => {
      const { manager, provide } = await create();
      const seen: CertificatePair[] = [];
      manager.watch((pair) => void seen.push(pair));
      await manager.start();
      await provide();
      const pair = manager.current();
      expect(pair?.certificate).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
      expect(pair?.privateKey).toMatch(/^-----BEGIN (EC |RSA )?PRIVATE KEY-----\n/);
      expect(pair?.notAfterMs).toBeGreaterThan(pair?.notBeforeMs ?? Infinity);
      expect(seen).toEqual([pair]);
      expect(manager.waitingFor()).toBeUndefined();
      expect(manager.healthy()).toEqual({ ok: true });
      await manager.stop();
    });

    it('takes up the next certificate, and tells nobody who has left', async () => {
      const { manager, provide } = await create();
      const [seen, left]: [CertificatePair[], CertificatePair[]] = [[], []];
      const leave = manager.watch((pair) => void left.push(pair));
      manager.watch((pair) => void seen.push(pair));
      await manager.start();
      await provide();
      const first = manager.current();
      leave();
      leave();
      await provide();
      expect(manager.current()?.certificate).not.toBe(first?.certificate);
      expect(seen).toEqual([first, manager.current()]);
      expect(left).toEqual([first]);
      await manager.stop();
    });

    it('leaves no timer behind', async () => {
      const { manager, provide, pendingTimers } = await create();
      await manager.start();
      await provide();
      await manager.stop();
      expect(pendingTimers()).toBe(0);
    });
  });
}
