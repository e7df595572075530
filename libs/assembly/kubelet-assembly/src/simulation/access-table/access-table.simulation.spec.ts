import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessScene } from './access-scene.js';
import { callers } from './callers.js';
import { endpoints } from './endpoints.js';
import { expected, methods } from './expectation.js';

describe.each([{ anonymous: false }, { anonymous: true }])('who may call what, %j', (setting) => {
  let scene: AccessScene;
  beforeAll(async () => {
    scene = await AccessScene.open(setting);
  });
  afterAll(() => scene.close());

  it.each(callers)('$what: $is', async (caller) => {
    const client = scene.client(caller.shows);
    const differences: string[] = [];
    for (const endpoint of endpoints) {
      for (const method of methods) {
        const wanted = expected(caller, method, endpoint, setting);
        const { status, body } = await client.ask(method, endpoint.path);
        if (status === wanted.status && (wanted.body ?? body) === body) continue;
        differences.push(
          `${method} ${endpoint.path}: ${status} ${JSON.stringify(body.slice(0, 200))}, not ${JSON.stringify(wanted)}`,
        );
      }
    }
    client.close();
    expect(differences).toEqual([]);
  });
});
