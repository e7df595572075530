import { createHmac } from 'node:crypto';
import type { Random } from '@podwright/time';

const keyBytes = 32;

/**
 * Names for tokens that tell nothing of them: HMAC-SHA256 with a key of this process, so that no list of hashes made
 * beforehand helps, and nobody can make two tokens of one name.
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
