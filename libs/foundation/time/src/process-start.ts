import { performance } from 'node:perf_hooks';

/**
 * When this process began, in seconds of the wall clock: the value of `process_start_time_seconds` on every page. Always
 * the same, unlike a difference of two clocks, so that a scraper that sees several pages sees one process. Hundredths,
 * as Go's client has them from /proc.
 */
export const processStartSeconds = (): number => Math.round(performance.timeOrigin / 10) / 100;
