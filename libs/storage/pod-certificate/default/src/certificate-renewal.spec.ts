import { describe, expect, it } from '@jest/globals';
import { hourMs, issue, minuteMs, useIssuedCertificates } from './fixtures/issued-certificates.js';

describe('the renewal of a pod certificate', () => {
  const on = useIssuedCertificates();

  it('renews after half of the life and at most five minutes and a check later, and once', async () => {
    on.harness.answer = issue;
    const pods = [await on.track(), await on.track(), await on.track()];
    const first = pods.map((pod) => on.bundle(pod).privateKey);
    await on.harness.clock.advance(hourMs - minuteMs);
    expect(pods.map((pod) => on.bundle(pod).privateKey)).toEqual(first);
    await on.harness.clock.advance(8 * minuteMs);
    const second = pods.map((pod) => on.bundle(pod).privateKey);
    expect(second.filter((key, index) => key !== first[index])).toHaveLength(3);
    expect(await on.harness.requests()).toHaveLength(6);
    const times = (await on.harness.requests()).map(({ metadata }) => String(metadata?.creationTimestamp));
    // The jitter: not all at one moment.
    expect(new Set(times.slice(-3)).size).toBeGreaterThan(1);
    expect(on.harness.recorded).toEqual([]);
  });

  it('reports once that a renewal is overdue, and that the certificate has expired', async () => {
    on.harness.answer = issue;
    const pod = await on.track();
    const { privateKey } = on.bundle(pod);
    expect(await on.harness.states()).toEqual(['signer_name="example.com/pods",state="fresh"} 1']);
    on.harness.answer = { type: 'wait' };
    await on.harness.clock.advance(hourMs + 18 * minuteMs);
    expect(on.harness.recorded).toEqual(['web-1 Warning CertificateOverdueForRefresh: PodCertificate refresh overdue']);
    expect(await on.harness.states()).toEqual(['signer_name="example.com/pods",state="overdue_for_refresh"} 1']);
    await on.harness.clock.advance(hourMs);
    expect(on.harness.recorded.slice(1)).toEqual(['web-1 Warning CertificateExpired: PodCertificate expired']);
    expect(await on.harness.states()).toEqual(['signer_name="example.com/pods",state="expired"} 1']);
    // The old one stays: an application may know better.
    expect(on.bundle(pod).privateKey).toBe(privateKey);
    await on.harness.answerAll(issue);
    expect(on.bundle(pod).privateKey).not.toBe(privateKey);
    expect(await on.harness.states()).toEqual(['signer_name="example.com/pods",state="fresh"} 1']);
    on.harness.answer = { type: 'wait' };
    await on.harness.clock.advance(hourMs + 18 * minuteMs);
    expect(on.harness.recorded.slice(2)).toEqual([
      'web-1 Warning CertificateOverdueForRefresh: PodCertificate refresh overdue',
    ]);
  });

  it('has nothing any more once a renewal is denied', async () => {
    on.harness.answer = issue;
    const pod = await on.track();
    on.harness.answer = { type: 'deny', reason: 'Gone', message: '' };
    await on.harness.clock.advance(hourMs + 8 * minuteMs);
    expect(on.refusal(pod)).toBe('PodCertificateRequest was permanently denied: reason="Gone" message=""');
  });

  it('keeps the certificate when the request for its successor is deleted', async () => {
    on.harness.answer = issue;
    const pod = await on.track();
    const { privateKey } = on.bundle(pod);
    on.harness.answer = { type: 'wait' };
    await on.harness.clock.advance(hourMs + 8 * minuteMs);
    await on.deleteRequests();
    on.harness.answer = issue;
    await on.harness.clock.advance(5 * minuteMs);
    expect(on.bundle(pod).privateKey).toBe(privateKey);
    await on.harness.clock.advance(15 * minuteMs);
    expect(on.bundle(pod).privateKey).not.toBe(privateKey);
  });

  it('renews at once when the wall clock jumps over the renewal, and not when it jumps back', async () => {
    on.harness.answer = issue;
    const pod = await on.track();
    const { privateKey } = on.bundle(pod);
    on.harness.clock.setWallClock(on.harness.clock.now() - 12 * hourMs);
    await on.harness.clock.advance(2 * hourMs);
    expect(on.bundle(pod).privateKey).toBe(privateKey);
    on.harness.clock.setWallClock(on.harness.clock.now() + 12 * hourMs);
    await on.harness.clock.advance(2 * minuteMs);
    expect(on.bundle(pod).privateKey).not.toBe(privateKey);
  });

  it('renews after an outage in which a renewal was due', async () => {
    on.harness.answer = issue;
    const pod = await on.track();
    const { privateKey } = on.bundle(pod);
    on.harness.cluster.server.stop();
    await on.harness.clock.advance(hourMs + 20 * minuteMs);
    expect(on.bundle(pod).privateKey).toBe(privateKey);
    expect(on.harness.recorded).toEqual(['web-1 Warning CertificateOverdueForRefresh: PodCertificate refresh overdue']);
    on.harness.cluster.server.start();
    await on.harness.clock.advance(3 * minuteMs);
    expect(on.bundle(pod).privateKey).not.toBe(privateKey);
    expect(await on.harness.requests()).toHaveLength(2);
  });
});
