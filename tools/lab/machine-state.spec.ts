import { describe, expect, it } from '@jest/globals';
import { renderAptConfig, transportSettings } from './packages.js';
import { mayLowerOomScores } from './support.js';

describe('mayLowerOomScores', () => {
  it('reads the effective capabilities', () => {
    expect(mayLowerOomScores('Name:\tx\nCapEff:\t000001fffeffffff\n')).toBe(false);
    expect(mayLowerOomScores('CapEff:\t000001ffffffffff\n')).toBe(true);
  });
});

describe('the private apt configuration', () => {
  it('keeps how the machine reaches its mirror, and no hooks', () => {
    const dump = [
      'Acquire::http::Proxy "http://proxy.example:3128";',
      'Acquire::Retries "3";',
      'Acquire::http "";',
      'Acquire::Languages "de";',
      'APT::Update::Post-Invoke:: "rm -rf /";',
    ].join('\n');
    expect(transportSettings(dump)).toBe('Acquire::http::Proxy "http://proxy.example:3128";\nAcquire::Retries "3";\n');
  });

  it("does not touch the machine's lists, cache and status", () => {
    expect(renderAptConfig('/private-apt')).toContain('Dir::State::lists "/private-apt/lists";');
    expect(renderAptConfig('/private-apt')).toContain('Dir::Etc::main "/dev/null";');
  });
});
