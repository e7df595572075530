import type { Seam } from '@podwright/flight-recorder-interface';

/** What a call is about. */
export interface Asked {
  readonly seam: Seam;
  readonly method: string;
  readonly key: string;
}

/** A call or stream that has begun, for the line that ends it. */
export interface Begun extends Asked {
  readonly at: number;
}
