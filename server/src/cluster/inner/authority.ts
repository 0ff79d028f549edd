import { hkdfSync } from 'node:crypto'
import type { KeyPair } from '../../tls/x509.ts'
import type { AuthorityStore } from './authority-store.sql.ts'
import { createInstanceAuthority, isRenewalDue, renewedBefore } from './instance-certificate.ts'

/** Encrypts with a key derived from the JWT secret. */
export interface AuthorityBox {
  seal(text: string, context: string): string
  /** undefined if the text was sealed with another key or for another context, or has been changed. */
  open(sealed: string, context: string): string | undefined
}

export interface AuthorityDeps {
  readonly store: AuthorityStore
  /** The JWT secret, which all instances share. */
  readonly secret: string
  readonly box: AuthorityBox
}

/**
 * The certificate authority of the instances that share a JWT secret, created by the first of them. Instances with
 * another secret have another authority, so they don't reach these.
 *
 * @throws ServiceError `unavailable` if the database is unavailable
 */
export async function instanceAuthority({ store, secret, box }: AuthorityDeps): Promise<KeyPair> {
  const key = `instance-authority ${Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse authority name', 8)).toString('hex')}`
  const opened = (sealed: string | undefined): KeyPair | undefined => {
    const text = sealed === undefined ? undefined : box.open(sealed, key)
    return text === undefined ? undefined : pairIn(text)
  }
  const { text: stored, now } = await store.read(key)
  const known = opened(stored)
  if (known && !isRenewalDue(known, renewedBefore.authority, now)) return known
  const made = await createInstanceAuthority(now)
  // Of two instances that start together, one is the first.
  return opened(await store.replace(key, stored, box.seal(made.key + made.cert, key))) ?? made
}

function pairIn(text: string): KeyPair {
  const end = text.indexOf('-----BEGIN CERTIFICATE-----')
  return { key: text.slice(0, end), cert: text.slice(end) }
}
