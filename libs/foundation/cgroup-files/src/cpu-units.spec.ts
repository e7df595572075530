import { describe, expect, it } from '@jest/globals';
import {
  milliCpuToQuotaUs,
  milliCpuToShares,
  quotaUsToMilliCpu,
  sharesToMilliCpu,
  sharesToWeight,
  weightToShares,
} from './cpu-units.js';

describe('units of CPU', () => {
  it.each([
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 3],
    [100, 102],
    [250, 256],
    [500, 512],
    [1000, 1024],
    [2500, 2560],
    [255_999, 262_142],
    [256_000, 262_144],
    [1_000_000, 262_144],
  ])('%d milliCPU are %d shares', (milliCpu, shares) => {
    expect(milliCpuToShares(milliCpu)).toBe(shares);
  });

  it.each([
    [0, 100_000, 0],
    [5, 100_000, 1000],
    [9, 100_000, 1000],
    [10, 100_000, 1000],
    [20, 100_000, 2000],
    [200, 100_000, 20_000],
    [1500, 100_000, 150_000],
    [200, 5000, 1000],
    [1500, 5000, 7500],
    [333, 7000, 2331],
  ])('%d milliCPU with a period of %d us are a quota of %d us', (milliCpu, periodUs, quotaUs) => {
    expect(milliCpuToQuotaUs(milliCpu, periodUs)).toBe(quotaUs);
  });

  it.each([
    [0, 0],
    [1, 0],
    [2, 2],
    [3, 3],
    [102, 100],
    [256, 250],
    [1024, 1000],
    [262_144, 256_000],
  ])('%d shares are %d milliCPU', (shares, milliCpu) => {
    expect(sharesToMilliCpu(shares)).toBe(milliCpu);
  });

  it.each([
    [-1, 100_000, 0],
    [0, 100_000, 0],
    [1000, 0, 0],
    [1000, 100_000, 10],
    [20_000, 100_000, 200],
    [2331, 7000, 333],
    [2, 3000, 0],
  ])('a quota of %d us with a period of %d us is %d milliCPU', (quotaUs, periodUs, milliCpu) => {
    expect(quotaUsToMilliCpu(quotaUs, periodUs)).toBe(milliCpu);
  });

  it.each([
    [2, 1],
    [28, 1],
    [29, 2],
    [102, 4],
    [1024, 39],
    [2048, 79],
    [131_072, 5000],
    [262_143, 9999],
    [262_144, 10_000],
    [300_000, 10_000],
  ])('%d shares are a weight of %d', (shares, weight) => {
    expect(sharesToWeight(shares)).toBe(weight);
  });

  it.each([
    [1, 2],
    [2, 29],
    [39, 999],
    [100, 2598],
    [10_000, 262_144],
  ])('a weight of %d is %d shares', (weight, shares) => {
    expect(weightToShares(weight)).toBe(shares);
    expect([shares - 1, shares].map(sharesToWeight)).toEqual([Math.max(1, weight - 1), weight]);
  });
});
