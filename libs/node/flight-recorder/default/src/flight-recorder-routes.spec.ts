import { describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import type { Answer } from '@podwright/http-answer';
import type { ServerRequest } from '@podwright/server-interface';
import { recorderOnDisk, type RecorderOnDisk } from './fixtures/contract-harness.js';
import { flightRecorderRoutes } from './flight-recorder-routes.js';

async function get({ flightRecorder }: RecorderOnDisk, query: string): Promise<Answer> {
  const [route] = flightRecorderRoutes(flightRecorder);
  const { signal } = new AbortController();
  return route?.handle({ query: new URLSearchParams(query), signal } as unknown as ServerRequest) as Promise<Answer>;
}

async function typesIn({ body }: Answer): Promise<readonly unknown[]> {
  const parts: Uint8Array[] = [];
  for await (const part of body as AsyncIterable<Uint8Array>) parts.push(part);
  const lines = gunzipSync(Buffer.concat(parts)).toString().trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { readonly t: unknown }).t);
}

describe('/recording', () => {
  it('gives what is kept', async () => {
    const recorder = await recorderOnDisk();
    await recorder.flightRecorder.start();
    await recorder.askRuntime('c1', 'answers');
    const answer = await get(recorder, '');
    expect(answer).toMatchObject({ status: 200, headers: { 'Content-Type': 'application/gzip' } });
    expect(await typesIn(answer)).toEqual(['recording', 'call']);
    await recorder.flightRecorder.stop();
  });

  it('records from now on for so long, beside another that ends earlier', async () => {
    const recorder = await recorderOnDisk({ write: 'on-demand' });
    await recorder.flightRecorder.start();
    const [long, short] = await Promise.all(['seconds=60', 'seconds=5'].map((query) => get(recorder, query)));
    const [all, few] = [typesIn(long as Answer), typesIn(short as Answer)];
    await recorder.clock.advance(10_000);
    expect(await few).toEqual(['recording', 'end']);
    await recorder.askRuntime('c1', 'answers');
    await recorder.clock.advance(60_000);
    expect(await all).toEqual(['recording', 'call', 'end']);
    await recorder.flightRecorder.stop();
    expect(recorder.clock.pendingTimers).toBe(0);
  });

  it.each(['0', '-1', '1.5', 'soon', '', '3601'])('refuses seconds=%s', async (seconds) => {
    expect(await get(await recorderOnDisk(), `seconds=${seconds}`)).toMatchObject({
      status: 400,
      body: `seconds must be a whole number from 1 to 3600, not "${seconds}"\n`,
    });
  });

  it('answers 409 where nothing is kept, and before the recorder runs', async () => {
    const recorder = await recorderOnDisk({ write: 'on-demand' });
    const stopped = { status: 409, body: 'the flight recorder does not run\n' };
    expect(await get(recorder, 'seconds=5')).toMatchObject(stopped);
    await recorder.flightRecorder.start();
    expect(await get(recorder, '')).toMatchObject({
      status: 409,
      body: expect.stringContaining('ask for one from now on'),
    });
    await recorder.flightRecorder.stop();
    expect(await get(recorder, 'seconds=5')).toMatchObject(stopped);
  });
});
