import { describe, expect, it } from '@jest/globals';
import { describeColumns, TabWriter, tableColumns } from './tab-writer.js';

function aligned(text: string, options = describeColumns): string {
  const writer = new TabWriter(options);
  writer.write(text);
  return writer.flush();
}

// The expected texts are those of Go's text/tabwriter.
describe('TabWriter', () => {
  it('aligns cells of adjacent lines; the last cell of a line belongs to no column', () => {
    expect(aligned('a\tb\tc\nlonger\tx\ty\n')).toBe('a       b  c\nlonger  x  y\n');
    expect(aligned('name:\tx\nplain line\nn:\ty\n')).toBe('name:  x\nplain line\nn:  y\n');
  });

  it('starts a column anew after a line without it', () => {
    expect(aligned('a\tb\n\tlong cell\tz\n\n  k:\tv\n')).toBe('a  b\n   long cell  z\n\n  k:  v\n');
  });

  it('pads cells at the end that are empty', () => {
    expect(aligned('a\t\nbb\t\n')).toBe('a   \nbb  \n');
  });

  it('counts characters, not bytes', () => {
    expect(aligned('é😀\tx\nabc\ty\n')).toBe('é😀   x\nabc  y\n');
  });

  it('gives table columns six characters at least, and remembers their widths', () => {
    const writer = new TabWriter(tableColumns);
    writer.write('NAME\tAGE\nverylong\t1s\n');
    expect(writer.flush()).toBe('NAME       AGE\nverylong   1s\n');
    writer.write('a\t2s\n');
    expect(writer.flush()).toBe('a          2s\n');
  });

  it('makes control sequences of terminals visible', () => {
    expect(aligned('\u001b[2Jx\ry')).toBe('^[[2Jx\\ry');
  });
});
