import { createHmac } from 'node:crypto';
import type { Random } from '@podwright/time';

const keyBytes = 32;

/**
 * Cache keys that reveal nothing about the tokens: HMAC-SHA256 with a key of this process, so that precomputed hashes
 * are useless and nobody can construct two tokens with one key.
 */
export class TokenKeys {
  private readonly secret: Buffer;

  constructor(random: Random) {
    this.secret = Buffer.from(random.hex(keyBytes), 'hex');
  }

  keyOf(token: string): string {
    return createHmac('sha256', this.secret).update(token).digest('base64');
  }
}
