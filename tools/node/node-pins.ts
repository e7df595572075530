/** Machines for which npm has Node.js, as Node itself names them in `process.arch`. */
export const nodeArchitectures = ['x64', 'arm64'] as const;
export type NodeArchitecture = (typeof nodeArchitectures)[number];

export interface NodePin {
  readonly version: string;
  /** Integrity of the npm package `node-linux-<architecture>` of this version, as in a lock file. */
  readonly integrity: Readonly<Record<NodeArchitecture, string>>;
}

/**
 * The Node.js versions that this repository supports and tests, by their major. They are not in the lock file of npm,
 * which would install all of them for everybody, and refuses a package for another architecture.
 */
export const nodePins = {
  20: {
    version: '20.20.2',
    integrity: {
      x64: 'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
      arm64: 'sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
    },
  },
  22: {
    version: '22.23.3',
    integrity: {
      x64: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
      arm64: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    },
  },
  24: {
    version: '24.21.0',
    integrity: {
      x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
      arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    },
  },
  26: {
    version: '26.10.0',
    integrity: {
      x64: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
      arm64: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    },
  },
} satisfies Readonly<Record<number, NodePin>>;

export type NodeMajor = keyof typeof nodePins;
export const nodeMajors: readonly NodeMajor[] = [20, 22, 24, 26];
