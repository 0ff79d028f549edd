import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Random } from '../shared/random.ts'

/** Encrypts small secrets that the database keeps. */
export interface SecretBox {
  /**
   * Encrypts and authenticates a text.
   *
   * @param context what the text belongs to, such as a row's id; it must be the same when the text is opened.
   */
  seal(text: string, context: string): string
  /** The text; undefined if it was sealed with another key or for another context, or has been changed. */
  open(sealed: string, context: string): string | undefined
}

/** Version of the format: `1.` and base64url of the nonce, the ciphertext and the tag. */
const version = '1.'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM (NIST SP 800-38D) with a random nonce. The key is derived from the JWT secret by HKDF (RFC 5869).
 *
 * @param info the purpose of the key: different purposes have different keys.
 */
export function createSecretBox(jwtSecret: string, info: string, random: Random): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', info, keyBytes))
  return {
    seal(text, context) {
      const nonce = random.bytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
      return version + Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, context) {
      if (!sealed.startsWith(version)) return undefined
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const nonce = bytes.subarray(0, nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
