import { describe, expect, it } from '@jest/globals';
import { splitShortOptions } from './short-options.js';

describe('splitShortOptions', () => {
  it.each([
    ['get pods -ojson', 'get pods -o=json'],
    ['get -Aowide pods', 'get -A -o=wide pods'],
    ['get -n=web', 'get -n=web'],
    ['exec -it web', 'exec -it web'],
    ['apply -f -', 'apply -f=-'],
    ['apply --filename -', 'apply --filename=-'],
    ['exec web -nx -- ls -ojson -', 'exec web -n=x -- ls -ojson -'],
    ['-o json', '-o json'],
  ])('%s is %s', (line, expected) => {
    expect(splitShortOptions(line.split(' '), 'nof').join(' ')).toBe(expected);
  });
});
