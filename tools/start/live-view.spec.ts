import { describe, expect, it } from '@jest/globals';
import { LiveView } from './live-view.js';

const lines = (pod: string, ...containers: string[]) => ({ pod, lines: [`pod ${pod}  Running`, ...containers] });

describe('the view of the pods', () => {
  it('appends to a file what changed, with the pod that it is about, and which pods went', () => {
    const written: string[] = [];
    const view = new LiveView({ write: (text) => written.push(text) });
    const one = lines('a/one', '  container c  waiting');
    const two = lines('a/two', '  container c  waiting');
    view.show([one, two]);
    expect(written.splice(0)).toEqual([
      'pod a/one  Running\n',
      'pod a/one  container c  waiting\n',
      'pod a/two  Running\n',
      'pod a/two  container c  waiting\n',
    ]);
    view.show([lines('a/one', '  container c  running'), two]);
    expect(written.splice(0)).toEqual(['pod a/one  container c  running\n']);
    view.show([two]);
    expect(written.splice(0)).toEqual(['pod a/one  gone\n']);
    view.show([two]);
    expect(written).toEqual([]);
  });

  it('draws over what is on a terminal, with the lines that it broke', () => {
    const written: string[] = [];
    const view = new LiveView({ isTTY: true, columns: 20, write: (text) => written.push(text) });
    view.show([lines('a/one', '  container c  waiting for an image')]);
    view.show([lines('a/one')]);
    view.release();
    view.show([]);
    expect(written).toEqual([
      'pod a/one  Running\n  container c  waiting for an image\n',
      '\u001b[3A\u001b[J',
      'pod a/one  Running\n',
      '',
    ]);
  });
});
