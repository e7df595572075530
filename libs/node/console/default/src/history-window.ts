/** How far back the console looks, in milliseconds: samples, lanes and charts alike. */
export const historyMs = 600_000;
