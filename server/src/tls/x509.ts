import { createPrivateKey, type webcrypto } from 'node:crypto'
import type { X509CertificateCreateParamsBase } from '@peculiar/x509'
import { hour } from '../shared/time/durations.ts'

/** A private key, and its certificate with the chain above it, if any; both PEM. */
export interface KeyPair {
  readonly key: string
  readonly cert: string
}

export const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Object identifier of the extension. */
export const nameConstraints = '2.5.29.30'

/** Loaded on demand, because the library takes 70 ms and 10 MB and is needed once a year. It requires reflect-metadata. */
export async function x509Library() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** The validity begins an hour early, for clients whose clock is slow. */
export function validity(
  now: number,
  lifetime: number,
  atMost?: Date,
): Pick<X509CertificateCreateParamsBase, 'notBefore' | 'notAfter'> {
  const end = now + lifetime
  return { notBefore: new Date(now - hour), notAfter: new Date(Math.min(end, atMost?.getTime() ?? end)) }
}

export async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString()
}

export async function signingKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' })
  return crypto.subtle.importKey('pkcs8', new Uint8Array(der), ecdsa, false, ['sign'])
}
