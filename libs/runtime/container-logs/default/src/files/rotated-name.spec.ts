import { expect, it } from '@jest/globals';
import { rotatedNames } from './rotated-name.js';

it('finds the rotated files of one log, oldest first, plain before packed', () => {
  const names = [
    '0.log',
    '0.log.20260102-000000',
    '0.log.20260102-000000.gz',
    '0.log.20260101-120000.gz',
    '0.log.20260103-000000.tmp',
    '0.log.20260103-000000.gz.tmp',
    '0.log.20260104-000000',
    '0.log.old',
    '10.log.20260101-000000',
    '1.log.20260101-000000',
    '0.log.20260101-000000.gz.1',
  ];
  expect(rotatedNames(names, '0.log').map(({ name }) => name)).toEqual([
    '0.log.20260101-120000.gz',
    '0.log.20260102-000000',
    '0.log.20260104-000000',
  ]);
});
