import { describe, expect, it } from '@jest/globals';
import { storedStatusPart } from './stored-status.js';

const container = { name: 'a', ready: true, restartCount: 0, image: '', imageID: '', state: { running: {} } };
const good = {
  staticPod: true,
  status: {
    phase: 'Running',
    startTime: '2026-01-01T00:00:00Z',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [container],
  },
};

describe('stored status', () => {
  it('is read back', () => {
    expect(storedStatusPart.decode(good)).toEqual(good);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a list', []],
    ['no status', { staticPod: true }],
    ['no kind of pod', { status: good.status }],
    ['a phase that is no text', { ...good, status: { ...good.status, phase: 1 } }],
    ['conditions that are no list', { ...good, status: { conditions: {} } }],
    ['a condition without a value', { ...good, status: { conditions: [{ type: 'Ready' }] } }],
    ['a container without a name', { ...good, status: { containerStatuses: [{ ...container, name: undefined }] } }],
    [
      'a count that is no number',
      { ...good, status: { initContainerStatuses: [{ ...container, restartCount: '1' }] } },
    ],
    ['a state that is no object', { ...good, status: { ephemeralContainerStatuses: [{ ...container, state: 'x' }] } }],
  ])('is not used with %s', (_name, json) => {
    expect(storedStatusPart.decode(json)).toBeUndefined();
  });
});
