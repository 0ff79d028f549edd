import { X509Certificate } from 'node:crypto'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { atomicWrite } from '../shared/files/atomic-write.ts'
import {
  endsSoon,
  createCertificateAuthority,
  issueServerCertificate,
  pairProblem,
  permittedBy,
  unnamed,
} from './generate-certificate.ts'
import type { KeyPair } from './x509.ts'
import type { CertificateNames } from './host-names.ts'
import { isMissing } from '../shared/files/missing-file.ts'
import { readFailure } from '../shared/files/read-failure.ts'

export interface OwnCertificateDeps {
  /** Folder of `ca.key`, `ca.crt`, `server.key` and `server.crt`; created if missing. */
  readonly dir: string
  readonly site: CertificateNames
  /** Unix milliseconds. */
  readonly now: number
  readonly log: Log
}

/** The server certificate, with the certificate authority in the same chain. */
export interface OwnCertificate {
  readonly serverCertificate: KeyPair
  /** PEM, for `/ca.crt`. */
  readonly authority: string
  /** Names and addresses of the site that the authority does not permit. */
  readonly uncovered: readonly string[]
}

/**
 * Reads the stored certificates, and creates those that are missing, unusable or due for renewal.
 *
 * The server certificate is replaced silently. The authority, which devices trust, is never replaced while a part of it
 * exists, unless it ends soon.
 *
 * @throws StartError if the authority's files are damaged
 */
export async function ownCertificate({ dir, site, now, log }: OwnCertificateDeps): Promise<OwnCertificate> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // A restored backup may have lost the file modes.
  for (const name of ['ca.key', 'server.key']) await chmod(join(dir, name), 0o600).catch(() => {})
  const authority = await ownAuthority(dir, site, now, log)
  const kept = await pairFrom(join(dir, 'server.key'), join(dir, 'server.crt'))
  if (kept && renewalReason(kept, authority, site, now) === undefined) {
    return { serverCertificate: kept, authority: authority.cert, uncovered: [] }
  }
  const { site: permitted, uncovered } = await permittedBy(authority, site)
  const reason = kept ? renewalReason(kept, authority, permitted, now) : 'there is none'
  if (kept && reason === undefined) return { serverCertificate: kept, authority: authority.cert, uncovered }

  const serverCertificate = await issueServerCertificate(authority, permitted, now)
  // A crash between the two writes leaves a mismatched key: at the next startup, both files are created again.
  await atomicWrite(join(dir, 'server.key'), serverCertificate.key, 0o600)
  await atomicWrite(join(dir, 'server.crt'), serverCertificate.cert, 0o644)
  const { validTo } = new X509Certificate(serverCertificate.cert)
  const names = [...permitted.names, ...permitted.addresses]
  log.info({ reason, names, valid_to: validTo }, 'server certificate created')
  return { serverCertificate, authority: authority.cert, uncovered }
}

async function ownAuthority(dir: string, site: CertificateNames, now: number, log: Log): Promise<KeyPair> {
  const [keyFile, certFile] = [join(dir, 'ca.key'), join(dir, 'ca.crt')]
  const [key, cert] = await Promise.all([textOf(keyFile), textOf(certFile)])
  // The certificate is written last: without it, no device can trust this authority yet.
  if (cert !== undefined) {
    const kept = { key: key ?? '', cert }
    const problem = pairProblem(kept)
    if (problem !== undefined) {
      const what = {
        certificate: `${certFile} contains no certificate`,
        key: `${keyFile} contains no key`,
        mismatch: `${keyFile} is not the key of ${certFile}`,
      }
      throw new StartError(
        `The certificate authority is damaged: ${what[problem]}. Restore both files from a backup, ` +
          'or delete both to create a new authority, which every device must trust again.',
      )
    }
    if (!endsSoon(new X509Certificate(cert), now)) return kept
    log.warn(
      { file: certFile, hint: 'trust the new authority on every device' },
      'certificate authority expires soon; creating a new one',
    )
  }
  const made = await createCertificateAuthority(site, now)
  await atomicWrite(keyFile, made.key, 0o600)
  await atomicWrite(certFile, made.cert, 0o644)
  log.info(
    { file: certFile, fingerprint: new X509Certificate(made.cert).fingerprint256 },
    'certificate authority created',
  )
  return made
}

/** Why the stored server certificate can't be used anymore; undefined if it can. */
function renewalReason(
  serverCertificate: KeyPair,
  authority: KeyPair,
  site: CertificateNames,
  now: number,
): string | undefined {
  if (pairProblem(serverCertificate) !== undefined) return 'its files are damaged'
  const certificate = new X509Certificate(serverCertificate.cert)
  const above = new X509Certificate(authority.cert)
  const chained = certificate.checkIssued(above) && certificate.verify(above.publicKey)
  if (!chained || !serverCertificate.cert.endsWith(authority.cert)) return 'it is not of this authority'
  if (endsSoon(certificate, now)) return 'it ends soon'
  // The certificate was created while the clock was wrong.
  if (now < certificate.validFromDate.getTime()) return 'it has not begun'
  const missing = unnamed(certificate, site)
  return missing.length > 0 ? `it does not name ${missing.join(', ')}` : undefined
}

async function pairFrom(keyFile: string, certFile: string): Promise<KeyPair | undefined> {
  const [key, cert] = await Promise.all([textOf(keyFile), textOf(certFile)])
  return key === undefined || cert === undefined ? undefined : { key, cert }
}

const textOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw new Error(`Couldn't read ${file} (${readFailure(file, error)}).`, { cause: error })
  })
